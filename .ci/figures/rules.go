package main

import (
	"go/ast"
	"go/token"
	"strings"
)

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

// sleeps are the places where a test waits for real time to pass. In a file
// that uses testing/synctest, time is the bubble's.
func (t tree) sleeps() measure {
	var places []place
	for _, s := range t.sources {
		if !s.test || localName(s.syntax, "testing/synctest", "synctest") != "" {
			continue
		}
		ast.Inspect(s.syntax, func(node ast.Node) bool {
			if expr, ok := node.(ast.Expr); ok && selects(expr, "time", "Sleep") {
				places = append(places, place{t.at(node), 1})
			}
			return true
		})
	}
	return count(places)
}
