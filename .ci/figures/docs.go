package main

import (
	"go/ast"
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
