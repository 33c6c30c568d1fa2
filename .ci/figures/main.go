// Command figures measures the tree against the project's limits and prints
// them as a table. It exits with 1 when a limit is broken, and then names the
// places. It reads the source and needs no build:
//
//	go run ./.ci/figures
//
// What is measured: Go files outside testdata and dot directories. Test code is
// every _test.go file and every package that only tests import (tui/tuitest,
// tui/e2e, storage/storagetest). Generated files count for imports alone. A
// function's lines go from its signature to its closing brace; a code line or
// test line is a line that is not blank, comments included.
package main

import (
	"fmt"
	"io"
	"os"
	"text/tabwriter"
)

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	t, err := load(os.DirFS(root))
	if err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(2)
	}
	if !report(os.Stdout, figures(t)) {
		os.Exit(1)
	}
}

// figures is the table: every figure with its limit.
func figures(t tree) []figure {
	return []figure{
		atMost("import edges per package", 2.6, t.importEdges()),
		atMost("largest Update, lines", 60, t.functions("Update")),
		atMost("largest function, lines", 60, t.functions("")),
		atMost("largest file, lines", 400, t.files()),
		atLeast("packages with a comment, %", 100, t.packageComments()),
		atLeast("exported names documented, %", 100, t.exportedNames()),
		atLeast("test lines per code line", 1.2, t.testLines()),
		atMost("largest interface, methods", 8, t.interfaces()),
		atMost("largest struct, fields", 14, t.structs()),
		atMost("mutable package variables", 0, t.mutableVariables()),
		atMost("init functions", 1, t.inits()),
		atMost("sleeps in tests, outside synctest", 0, t.sleeps()),
		atMost("files with styles outside the theme", 0, t.styles()),
		atMost("key literals outside bindings", 0, t.keyLiterals()),
		atLeast("golden screens, nine for a package", float64(goldenLanguages*goldenSizes*len(t.views())), t.goldens()),
		atMost("golden screens short of a variant", 0, t.incompleteGoldens()),
	}
}

// figure is one line of the table.
type figure struct {
	name   string
	value  float64
	limit  float64
	sign   string
	broken bool
	places []place // Those to look at: the largest, or the offenders.
}

// place is somewhere in the tree, and how much is there.
type place struct {
	where string
	value float64
}

// measure is a figure without its limit. Its places are sorted, the one to
// mend first at the front.
type measure struct {
	value  float64
	places []place
}

func atMost(name string, limit float64, m measure) figure {
	return figure{name, m.value, limit, "≤", m.value > limit, m.places}
}

func atLeast(name string, limit float64, m measure) figure {
	return figure{name, m.value, limit, "≥", m.value < limit, m.places}
}

// report prints the table, and below it the places of each broken limit. It
// returns whether every limit holds.
func report(w io.Writer, figures []figure) bool {
	const shown = 12
	holds := true
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "figure\tours\tlimit\t\tlargest or first")
	for _, f := range figures {
		verdict, first := "", ""
		if f.broken {
			holds, verdict = false, "BROKEN"
		}
		if len(f.places) > 0 {
			first = f.places[0].where
		}
		fmt.Fprintf(table, "%s\t%s\t%s %s\t%s\t%s\n", f.name, number(f.value), f.sign, number(f.limit), verdict, first)
	}
	table.Flush()
	for _, f := range figures {
		if !f.broken {
			continue
		}
		fmt.Fprintf(w, "\n%s: %s, the limit is %s %s\n", f.name, number(f.value), f.sign, number(f.limit))
		for i, p := range f.places {
			if i == shown {
				fmt.Fprintf(w, "  and %d more\n", len(f.places)-shown)
				break
			}
			fmt.Fprintf(w, "  %-60s %s\n", p.where, number(p.value))
		}
	}
	return holds
}

// number prints whole numbers whole, and others with two decimals.
func number(v float64) string {
	if v == float64(int64(v)) {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.2f", v)
}
