// Command bench runs the benchmarks of the store and of the console and prints
// what they report as tables; it writes them into a file between two marks when
// asked. The listener's benchmark stands beside it, in payments/webhook.
//
//	go run ./.ci/bench -into README.md
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
)

// The marks between which the tables stand in a file.
const (
	beginMark = "<!-- bench: begin -->"
	endMark   = "<!-- bench: end -->"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	into := flag.String("into", "", "write the tables into this file, between its marks")
	flag.Parse()
	if err := run(ctx, *into); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, into string) error {
	store, err := storeTable(ctx)
	if err != nil {
		return err
	}
	console, err := consoleTable(ctx)
	if err != nil {
		return err
	}
	tables := store + "\n\n" + console
	fmt.Println(tables)
	if into == "" {
		return nil
	}
	return write(into, tables)
}

// write puts the tables between the marks of a file.
func write(path, tables string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, begun := strings.Cut(string(text), beginMark)
	_, after, ended := strings.Cut(rest, endMark)
	if !begun || !ended {
		return errors.New(path + " has no marks for the tables")
	}
	return os.WriteFile(path, []byte(before+beginMark+"\n"+tables+"\n"+endMark+after), 0o644)
}
