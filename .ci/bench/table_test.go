package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestRatiosAreThoseOfTheSameRound(t *testing.T) {
	ours := []sample{{events: 100}, {events: 10}, {events: 60}}
	others := []sample{{events: 10}, {events: 2}, {events: 10}}
	if got := ratio(ours, others, events); got != 6 {
		t.Errorf("%v, want 6", got)
	}
	if got := ratio(ours, []sample{{}, {}}, events); got != 0 {
		t.Errorf("over nothing %v", got)
	}
}

func TestTheTableStandsBetweenItsMarks(t *testing.T) {
	chosen := options{rounds: 1, connections: []int{64}, slow: true}
	found := results{
		key{bare, 64}:    {{events: 20_000, p50: time.Millisecond}},
		key{plain, 64}:   {{events: 1_000, cpu: 500 * time.Microsecond}},
		key{program, 64}: {{events: 8_000, p99: 12 * time.Millisecond, written: 4_000}},
		key{served, 64}:  {{events: 4_000}},
	}
	table := found.table(chosen)
	for _, want := range []string{"**8.00×**", "**0.40×**", "on PostgreSQL", "**2.00×**", "| 12.00 |", "| 4.0 |", "5 ms added"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q\n%s", want, table)
		}
	}
	delete(found, key{served, 64})
	if without := found.table(chosen); strings.Contains(without, "till listen` on PostgreSQL") {
		t.Errorf("without a server there is a line of it\n%s", without)
	}
	path := filepath.Join(t.TempDir(), "README.md")
	if err := os.WriteFile(path, []byte("a\n"+beginMark+"\nold\n"+endMark+"\nz\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := write(path, table); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != "a\n"+beginMark+"\n"+table+"\n"+endMark+"\nz\n" {
		t.Errorf("%s (%v)", text, err)
	}
	if err := os.WriteFile(path, []byte("no marks"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := write(path, table); err == nil {
		t.Error("a file without marks is written")
	}
}
