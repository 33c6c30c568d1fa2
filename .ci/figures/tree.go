package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
)

// tree is the project's source.
type tree struct {
	module  string
	fset    *token.FileSet
	sources []source
	golden  []string // The paths of the golden files below tui.
}

// source is one Go file.
type source struct {
	path      string
	syntax    *ast.File
	lines     int
	filled    int // Lines that are not blank.
	test      bool
	support   bool // Of a package that only tests import.
	generated bool
}

// dir is the package's directory.
func (s source) dir() string { return path.Dir(s.path) }

// code tells whether the limits for code hold for the file.
func (s source) code() bool { return !s.test && !s.support && !s.generated }

// load reads the tree below root.
func load(root fs.FS) (tree, error) {
	t := tree{fset: token.NewFileSet()}
	mod, err := fs.ReadFile(root, "go.mod")
	if err != nil {
		return t, err
	}
	if t.module = modulePath(mod); t.module == "" {
		return t, errors.New("go.mod names no module")
	}
	return t, fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		switch {
		case entry.IsDir() && name != "." && (base[0] == '.' || base[0] == '_' || base == "vendor"):
			return fs.SkipDir
		case path.Ext(name) == ".golden" && strings.HasPrefix(name, "tui/"):
			t.golden = append(t.golden, name)
		case path.Ext(name) == ".go" && !slices.Contains(strings.Split(name, "/"), "testdata"):
			return t.add(root, name)
		}
		return nil
	})
}

// add reads one Go file.
func (t *tree) add(root fs.FS, name string) error {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return err
	}
	syntax, err := parser.ParseFile(t.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("parse: %w", err)
	}
	s := source{
		path:      name,
		syntax:    syntax,
		test:      strings.HasSuffix(name, "_test.go"),
		support:   isSupport(path.Dir(name)),
		generated: ast.IsGenerated(syntax),
	}
	for line := range bytes.Lines(text) {
		s.lines++
		if len(bytes.TrimSpace(line)) > 0 {
			s.filled++
		}
	}
	t.sources = append(t.sources, s)
	return nil
}

// isSupport tells whether only tests import the package in dir.
func isSupport(dir string) bool {
	return slices.ContainsFunc([]string{"tui/tuitest", "tui/e2e", "storage/storagetest"}, func(support string) bool {
		return dir == support || strings.HasPrefix(dir, support+"/")
	})
}

// modulePath finds the module's path in the text of its go.mod.
func modulePath(mod []byte) string {
	for line := range strings.Lines(string(mod)) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == "module" {
			return fields[1]
		}
	}
	return ""
}

// code gives the files for which the limits for code hold.
func (t tree) code() iter.Seq[source] {
	return func(yield func(source) bool) {
		for _, s := range t.sources {
			if s.code() && !yield(s) {
				return
			}
		}
	}
}

// at is the place of a node, as editors understand it.
func (t tree) at(node ast.Node) string {
	position := t.fset.Position(node.Pos())
	return fmt.Sprintf("%s:%d", position.Filename, position.Line)
}

// largest makes a measure of the largest place.
func largest(places []place) measure {
	sortPlaces(places)
	if len(places) == 0 {
		return measure{}
	}
	return measure{places[0].value, places}
}

// count makes a measure of the number of places.
func count(places []place) measure {
	return measure{float64(len(places)), places}
}

// share makes a measure in per cent of those that are not missing.
func share(total int, missing []place) measure {
	if total == 0 {
		return measure{value: 100}
	}
	return measure{100 * float64(total-len(missing)) / float64(total), missing}
}

func sortPlaces(places []place) {
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.where, b.where))
	})
}
