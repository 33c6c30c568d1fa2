package sqlite_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestS8NoCodeOpensTheDatabase looks at all code of the program: who opens
// files here is known by name, and nobody elsewhere opens the file that the
// settings name as the database.
func TestS8NoCodeOpensTheDatabase(t *testing.T) {
	known := []string{
		"create", "backup", // A draft, which no other name has.
		"syncFile",   // A finished copy.
		"syncFolder", // A folder.
		"networkOf",  // The table of mounts.
	}
	openers := []string{
		"Open", "OpenFile", "OpenInRoot", "OpenRoot", "Create", "CreateTemp", "ReadFile", "WriteFile", "Truncate", "CopyFS",
	}
	seen := []string{}
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return nil //nolint:nilerr // Code that does not compile is others' business.
		}
		here := filepath.Dir(path) == filepath.Join("..", "..", "storage", "sqlite")
		for _, declaration := range file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(function, func(node ast.Node) bool {
				call, ok := node.(*ast.CallExpr)
				if !ok {
					return true
				}
				name, ok := call.Fun.(*ast.SelectorExpr)
				if !ok || !slices.Contains(openers, name.Sel.Name) {
					return true
				}
				if of, ok := name.X.(*ast.Ident); !ok || of.Name != "os" {
					return true
				}
				if here && !slices.Contains(known, function.Name.Name) {
					t.Errorf("%s: %s opens a file with os.%s: is it one of the database's?", path, function.Name.Name, name.Sel.Name)
				}
				if here {
					seen = append(seen, function.Name.Name)
				}
				for _, argument := range call.Args {
					ast.Inspect(argument, func(node ast.Node) bool {
						if field, ok := node.(*ast.SelectorExpr); ok && field.Sel.Name == "Database" {
							t.Errorf("%s: %s opens the database with os.%s", path, function.Name.Name, name.Sel.Name)
						}
						return true
					})
				}
				return true
			})
		}
		return nil
	})
	must(t, err)
	for _, name := range known {
		if !slices.Contains(seen, name) {
			t.Errorf("%s opens no file any more", name)
		}
	}
}
