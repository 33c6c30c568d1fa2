package main

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
)

// bubbletea is the module whose messages hold keys.
const bubbletea = "github.com/charmbracelet/bubbletea"

// styles are the files outside the theme that can make a style: they import
// what styles and colours are made with.
func (t tree) styles() measure {
	makers := []string{"github.com/charmbracelet/lipgloss", "github.com/muesli/termenv", "github.com/lucasb-eyer/go-colorful"}
	var places []place
	for s := range t.code() {
		if s.dir() == "tui/theme" || s.dir() == "tui/background" {
			continue
		}
		for _, spec := range s.syntax.Imports {
			if slices.Contains(makers, importPath(spec)) {
				places = append(places, place{s.path, 1})
				break
			}
		}
	}
	return count(places)
}

// keyLiterals are the places that know a key by its name instead of by a
// binding: what a message spells or holds compared with a literal, and the
// library's names of keys. Typed text (KeyRunes, KeySpace) is no key.
func (t tree) keyLiterals() measure {
	var places []place
	for s := range t.code() {
		library := localName(s.syntax, bubbletea, "tea")
		if library == "" {
			continue
		}
		found := func(node ast.Node) { places = append(places, place{t.at(node), 1}) }
		for _, decl := range s.syntax.Decls {
			spelt := spelling{names: map[string]bool{}}
			ast.Inspect(decl, func(node ast.Node) bool {
				switch node := node.(type) {
				case *ast.AssignStmt:
					spelt.learn(node)
				case *ast.BinaryExpr:
					if (node.Op == token.EQL || node.Op == token.NEQ) && (spelt.in(node.X) && literal(node.Y) || spelt.in(node.Y) && literal(node.X)) {
						found(node)
					}
				case *ast.SwitchStmt:
					for _, key := range cases(node) {
						if node.Tag != nil && spelt.in(node.Tag) && literal(key) {
							found(key)
						}
					}
				case *ast.SelectorExpr:
					if namesKey(node, library) {
						found(node)
					}
				}
				return true
			})
		}
	}
	return count(places)
}

// spelling knows which expressions hold the text of a key.
type spelling struct {
	names map[string]bool // Variables that were given such a text.
}

// learn remembers the variables that are given the text of a key.
func (s spelling) learn(assign *ast.AssignStmt) {
	for i, right := range assign.Rhs {
		if name, ok := assign.Lhs[min(i, len(assign.Lhs)-1)].(*ast.Ident); ok {
			s.names[name.Name] = s.in(right)
		}
	}
}

// in tells whether an expression holds the text of a key: x.String(), x.Runes,
// or a variable that was given one.
func (s spelling) in(expr ast.Expr) bool {
	var found bool
	ast.Inspect(expr, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.CallExpr:
			selector, ok := node.Fun.(*ast.SelectorExpr)
			if ok && selector.Sel.Name == "String" && len(node.Args) == 0 {
				found = true
			}
			if name, ok := node.Fun.(*ast.Ident); ok && name.Name == "len" {
				return false
			}
		case *ast.SelectorExpr:
			found = found || node.Sel.Name == "Runes"
		case *ast.Ident:
			found = found || s.names[node.Name]
		}
		return !found
	})
	return found
}

// literal tells whether an expression is a text or a character.
func literal(expr ast.Expr) bool {
	basic, ok := expr.(*ast.BasicLit)
	return ok && (basic.Kind == token.STRING || basic.Kind == token.CHAR)
}

// cases are the expressions of all cases of a switch.
func cases(s *ast.SwitchStmt) []ast.Expr {
	var all []ast.Expr
	for _, statement := range s.Body.List {
		if clause, ok := statement.(*ast.CaseClause); ok {
			all = append(all, clause.List...)
		}
	}
	return all
}

// namesKey tells whether a selector is one of the library's keys.
func namesKey(selector *ast.SelectorExpr, library string) bool {
	x, ok := selector.X.(*ast.Ident)
	if !ok || x.Name != library || !strings.HasPrefix(selector.Sel.Name, "Key") {
		return false
	}
	return !slices.Contains([]string{"Key", "KeyMsg", "KeyType", "KeyRunes", "KeySpace"}, selector.Sel.Name)
}

// localName is the name that a file gives to an import, empty when it does not
// import it. Without one of its own it is usual.
func localName(file *ast.File, imported, usual string) string {
	for _, spec := range file.Imports {
		if importPath(spec) != imported {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name
		}
		return usual
	}
	return ""
}

// goldens counts the screens that are kept to compare with, each in a language
// and a size. Its places are the packages with a view that keep none.
func (t tree) goldens() measure {
	kept := map[string]bool{}
	var m measure
	for _, name := range t.golden {
		if _, ok := parseGolden(name); ok {
			m.value++
			kept[path.Dir(strings.SplitAfter(name, "testdata/")[0])] = true
		}
	}
	for _, dir := range t.views() {
		if !kept[dir] {
			m.places = append(m.places, place{dir, 0})
		}
	}
	return m
}

// views are the packages below tui that draw a screen of their own.
func (t tree) views() []string {
	var dirs []string
	for s := range t.code() {
		dir := s.dir()
		if !strings.HasPrefix(dir, "tui/") || strings.HasPrefix(dir, "tui/component/") || slices.Contains(dirs, dir) {
			continue
		}
		for _, decl := range s.syntax.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && receiverName(f) == "Model" && f.Name.Name == "View" {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// incompleteGoldens are the screens that are kept in a language and a size, but
// not in every language and in at least three sizes.
func (t tree) incompleteGoldens() measure {
	variants := map[string]map[golden]bool{}
	sizes := map[string]map[string]bool{}
	for _, name := range t.golden {
		g, ok := parseGolden(name)
		if !ok {
			continue
		}
		if variants[g.screen] == nil {
			variants[g.screen], sizes[g.screen] = map[golden]bool{}, map[string]bool{}
		}
		variants[g.screen][g] = true
		sizes[g.screen][g.size] = true
	}
	var places []place
	for screen, kept := range variants {
		if len(kept) < goldenLanguages*max(goldenSizes, len(sizes[screen])) {
			places = append(places, place{screen, float64(len(kept))})
		}
	}
	sortPlaces(places)
	return count(places)
}

// The variants in which a screen is kept at least.
const (
	goldenLanguages = 3
	goldenSizes     = 3
)

// golden is what a golden file's path says of it.
type golden struct{ screen, language, size string }

// parseGolden reads a path that names a language and a size, as in
// tui/sale/testdata/empty-fr-80x24.golden.
func parseGolden(name string) (golden, bool) {
	language := regexp.MustCompile(`(^|[^A-Za-z])(en|fr|mg)([^A-Za-z]|$)`)
	size := regexp.MustCompile(`[0-9]+x[0-9]+`)
	spoken, measured := language.FindStringSubmatch(name), size.FindString(name)
	if spoken == nil || measured == "" {
		return golden{}, false
	}
	screen := language.ReplaceAllString(name, "${1}LANGUAGE${3}")
	return golden{strings.Replace(screen, measured, "SIZE", 1), spoken[2], measured}, true
}
