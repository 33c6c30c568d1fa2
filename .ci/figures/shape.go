package main

import (
	"go/ast"
	"strconv"
	"strings"
)

// importEdges is the mean number of our own packages that a package of ours
// imports, the root package among them.
func (t tree) importEdges() measure {
	imports := map[string]map[string]bool{}
	for _, s := range t.sources {
		if s.test || s.support {
			continue
		}
		if imports[s.dir()] == nil {
			imports[s.dir()] = map[string]bool{}
		}
		for _, spec := range s.syntax.Imports {
			if imported := importPath(spec); strings.HasPrefix(imported, t.module+"/") {
				imports[s.dir()][imported] = true
			}
		}
	}
	var edges int
	var places []place
	for dir, imported := range imports {
		edges += len(imported)
		places = append(places, place{dir, float64(len(imported))})
	}
	m := largest(places)
	m.value = float64(edges) / float64(max(1, len(imports)))
	return m
}

// functions measures the functions and methods in lines; with a name, only the
// methods that are called so.
func (t tree) functions(method string) measure {
	var places []place
	for s := range t.code() {
		for _, decl := range s.syntax.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || method != "" && (f.Recv == nil || f.Name.Name != method) {
				continue
			}
			lines := t.fset.Position(f.End()).Line - t.fset.Position(f.Pos()).Line + 1
			places = append(places, place{t.at(f) + " " + f.Name.Name, float64(lines)})
		}
	}
	return largest(places)
}

// files measures the files in lines.
func (t tree) files() measure {
	var places []place
	for s := range t.code() {
		places = append(places, place{s.path, float64(s.lines)})
	}
	return largest(places)
}

// testLines is how many lines of test stand against a line of code. Its places
// are the packages that have the least.
func (t tree) testLines() measure {
	var code, tests int
	missing := map[string]int{}
	for _, s := range t.sources {
		switch {
		case s.generated:
		case s.test || s.support:
			tests += s.filled
			missing[s.dir()] -= s.filled
		default:
			code += s.filled
			missing[s.dir()] += s.filled
		}
	}
	var places []place
	for dir, lines := range missing {
		if lines > 0 {
			places = append(places, place{dir + " (code lines without a test line)", float64(lines)})
		}
	}
	m := largest(places)
	m.value = float64(tests) / float64(max(1, code))
	return m
}

// interfaces measures the interfaces in methods. An embedded interface counts
// its own where it stands in the same package, else as one.
func (t tree) interfaces() measure {
	var places []place
	for s := range t.code() {
		ast.Inspect(s.syntax, func(node ast.Node) bool {
			if i, ok := node.(*ast.InterfaceType); ok {
				places = append(places, place{t.at(i), float64(t.methods(s.dir(), i))})
			}
			return true
		})
	}
	return largest(places)
}

// methods counts the methods of an interface in the package in dir.
func (t tree) methods(dir string, i *ast.InterfaceType) int {
	var n int
	for _, field := range i.Methods.List {
		if len(field.Names) > 0 {
			n += len(field.Names)
			continue
		}
		name, ok := field.Type.(*ast.Ident)
		if embedded := t.interfaceNamed(dir, name); ok && embedded != nil {
			n += t.methods(dir, embedded)
			continue
		}
		n++
	}
	return n
}

// interfaceNamed finds an interface of the package in dir, or nil.
func (t tree) interfaceNamed(dir string, name *ast.Ident) *ast.InterfaceType {
	var found *ast.InterfaceType
	for s := range t.code() {
		if name == nil || s.dir() != dir {
			continue
		}
		ast.Inspect(s.syntax, func(node ast.Node) bool {
			if spec, ok := node.(*ast.TypeSpec); ok && spec.Name.Name == name.Name {
				found, _ = spec.Type.(*ast.InterfaceType)
			}
			return found == nil
		})
	}
	return found
}

// structs measures the structs in fields.
func (t tree) structs() measure {
	var places []place
	for s := range t.code() {
		ast.Inspect(s.syntax, func(node ast.Node) bool {
			if st, ok := node.(*ast.StructType); ok {
				places = append(places, place{t.at(st), float64(st.Fields.NumFields())})
			}
			return true
		})
	}
	return largest(places)
}

// importPath is the path that a spec imports.
func importPath(spec *ast.ImportSpec) string {
	imported, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return ""
	}
	return imported
}
