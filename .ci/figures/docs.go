package main

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// packageComments is the share of packages that say what they are. A directory
// of tests alone is not asked.
func (t tree) packageComments() measure {
	documented := map[string]bool{}
	for _, s := range t.sources {
		if !s.test {
			documented[s.dir()] = documented[s.dir()] || text(s.syntax.Doc)
		}
	}
	var missing []place
	for dir, ok := range documented {
		if !ok {
			missing = append(missing, place{dir, 0})
		}
	}
	sortPlaces(missing)
	return share(len(documented), missing)
}

// exportedNames is the share of exported names that have a comment: functions,
// methods of exported types, types, the methods of exported interfaces,
// constants and variables. A group's comment speaks for all its names.
func (t tree) exportedNames() measure {
	var total int
	var missing []place
	see := func(name *ast.Ident, docs ...*ast.CommentGroup) {
		if !name.IsExported() {
			return
		}
		total++
		if !slices.ContainsFunc(docs, text) {
			missing = append(missing, place{t.at(name) + " " + name.Name, 0})
		}
	}
	for _, s := range t.sources {
		if s.test || s.generated {
			continue
		}
		for _, decl := range s.syntax.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if receiver := receiverName(decl); receiver == "" || ast.IsExported(receiver) {
					see(decl.Name, decl.Doc)
				}
			case *ast.GenDecl:
				seeGroup(decl, see)
			}
		}
	}
	sortPlaces(missing)
	return share(total, missing)
}

// seeGroup shows the names of a declaration with the comments that may be
// theirs.
func seeGroup(decl *ast.GenDecl, see func(*ast.Ident, ...*ast.CommentGroup)) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				see(name, spec.Doc, spec.Comment, decl.Doc)
			}
		case *ast.TypeSpec:
			see(spec.Name, spec.Doc, spec.Comment, decl.Doc)
			port, ok := spec.Type.(*ast.InterfaceType)
			if !ok || !spec.Name.IsExported() {
				continue
			}
			for _, method := range port.Methods.List {
				for _, name := range method.Names {
					see(name, method.Doc, method.Comment)
				}
			}
		}
	}
}

// receiverName is the name of the type that a method belongs to, and empty for
// a function.
func receiverName(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return ""
	}
	expr := f.Recv.List[0].Type
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}

// text tells whether a comment says something; directives do not.
func text(comment *ast.CommentGroup) bool {
	return comment != nil && strings.TrimSpace(comment.Text()) != ""
}

// mutableVariables are the package variables that somebody could change. A
// sentinel error, an assertion and an embedded file are not among them.
func (t tree) mutableVariables() measure {
	var places []place
	for s := range t.code() {
		for _, decl := range s.syntax.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.VAR {
				continue
			}
			for _, spec := range group.Specs {
				value, ok := spec.(*ast.ValueSpec)
				if !ok || embeds(group.Doc) || embeds(value.Doc) || sentinels(value) {
					continue
				}
				for _, name := range value.Names {
					if name.Name != "_" {
						places = append(places, place{t.at(name) + " " + name.Name, 1})
					}
				}
			}
		}
	}
	return count(places)
}

// embeds tells whether a comment holds a go:embed directive.
func embeds(comment *ast.CommentGroup) bool {
	if comment == nil {
		return false
	}
	for _, line := range comment.List {
		if strings.HasPrefix(line.Text, "//go:embed ") {
			return true
		}
	}
	return false
}

// sentinels tells whether a spec declares nothing but errors made of a text.
func sentinels(spec *ast.ValueSpec) bool {
	for _, name := range spec.Names {
		if !strings.HasPrefix(name.Name, "Err") && !strings.HasPrefix(name.Name, "err") {
			return false
		}
	}
	for _, value := range spec.Values {
		call, ok := value.(*ast.CallExpr)
		if !ok || !selects(call.Fun, "errors", "New") && !selects(call.Fun, "fmt", "Errorf") {
			return false
		}
	}
	return len(spec.Values) == len(spec.Names)
}

// selects tells whether an expression is pkg.name.
func selects(expr ast.Expr, pkg, name string) bool {
	selector, ok := expr.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != name {
		return false
	}
	x, ok := selector.X.(*ast.Ident)
	return ok && x.Name == pkg
}

// inits are the init functions.
func (t tree) inits() measure {
	var places []place
	for s := range t.code() {
		for _, decl := range s.syntax.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				places = append(places, place{t.at(f), 1})
			}
		}
	}
	return count(places)
}
