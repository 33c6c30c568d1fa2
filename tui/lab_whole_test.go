package tui_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"checkout/till/payments/sandbox"
)

// meetings are all meetings of the shop with a single fault.
func meetings() []meeting {
	return slices.Concat(callMeetings(), eventFirstMeetings(), linkMeetings(), sendingMeetings(), signatureMeetings(),
		contentMeetings())
}

// set returns the names of the fields that hold a fault, as in Event.Drop, each
// with its value.
func set(faults any, path string) map[string]any {
	found := map[string]any{}
	value := reflect.ValueOf(faults)
	for i := range value.NumField() {
		name := path + value.Type().Field(i).Name
		switch field := value.Field(i); {
		case field.Kind() == reflect.Struct:
			maps.Copy(found, set(field.Interface(), name+"."))
		case !field.IsZero():
			found[name] = field.Interface()
		}
	}
	return found
}

// fields returns the names of all fields of a struct, those of structs within it
// included.
func fields(of reflect.Type, path string) []string {
	var names []string
	for field := range of.Fields() {
		if field.Type.Kind() == reflect.Struct {
			names = append(names, fields(field.Type, path+field.Name+".")...)
			continue
		}
		names = append(names, path+field.Name)
	}
	return names
}

// choices returns the values that the constants of faults.go give to each type.
func choices(t *testing.T) map[string][]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../payments/sandbox/faults.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for node := range ast.Preorder(file) {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || spec.Type == nil {
			continue
		}
		kind, ok := spec.Type.(*ast.Ident)
		if !ok || !strings.HasSuffix(kind.Name, "Fault") {
			continue
		}
		for _, value := range spec.Values {
			text, err := strconv.Unquote(value.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			all[kind.Name] = append(all[kind.Name], text)
		}
	}
	return all
}

func TestEveryFaultOfTheLabIsMet(t *testing.T) {
	var scenarios []string
	met := map[string][]string{} // By field and by type, the values.
	for _, m := range meetings() {
		faults := m.faults
		if m.scenario != "" {
			played, err := sandbox.FindScenario(m.scenario)
			if err != nil {
				t.Fatal(err)
			}
			faults = played.Faults
			scenarios = append(scenarios, m.scenario)
		}
		for name, value := range set(faults, "") {
			kind := reflect.TypeOf(value).Name()
			met[name] = append(met[name], m.name)
			met[kind] = append(met[kind], reflect.ValueOf(value).String())
		}
	}
	for _, scenario := range sandbox.Scenarios() {
		if !slices.Contains(scenarios, scenario.Name) {
			t.Errorf("nobody meets the scenario %s", scenario.Name)
		}
	}
	for _, name := range fields(reflect.TypeFor[sandbox.Faults](), "") {
		if len(met[name]) == 0 {
			t.Errorf("nobody meets %s", name)
		}
	}
	kinds := choices(t)
	if len(kinds) != 3 {
		t.Errorf("the kinds of faults are %v", kinds)
	}
	for kind, values := range kinds {
		for _, value := range values {
			if !slices.Contains(met[kind], value) {
				t.Errorf("nobody meets the %s %q", kind, value)
			}
		}
	}
}

func TestNoTwoMeetingsHaveOneName(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range meetings() {
		if seen[m.name] {
			t.Errorf("%q stands there twice", m.name)
		}
		seen[m.name] = true
	}
}
