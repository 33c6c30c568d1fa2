package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// The marks between which the table stands in a file.
const (
	beginMark = "<!-- bench: begin -->"
	endMark   = "<!-- bench: end -->"
)

// median returns the median of a figure of a series.
func median(samples []sample, figure func(sample) float64) float64 {
	values := make([]float64, 0, len(samples))
	for _, taken := range samples {
		values = append(values, figure(taken))
	}
	return middle(values)
}

// ratio returns the median, over the rounds, of one series' figure over
// another's in the same round.
func ratio(ours, others []sample, figure func(sample) float64) float64 {
	var values []float64
	for i := range min(len(ours), len(others)) {
		if other := figure(others[i]); other > 0 {
			values = append(values, figure(ours[i])/other)
		}
	}
	return middle(values)
}

func middle(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// The figures of a sample.
func events(s sample) float64 { return s.events }
func p50(s sample) float64    { return float64(s.p50) / float64(time.Millisecond) }
func p99(s sample) float64    { return float64(s.p99) / float64(time.Millisecond) }
func cpu(s sample) float64    { return float64(s.cpu) / float64(time.Microsecond) }
func kilo(s sample) float64   { return s.written / 1000 }

// table returns the results for people to read, in Markdown.
func (r results) table(chosen options) string {
	var out strings.Builder
	out.WriteString("| connections | | events/s | p50 ms | p99 ms | CPU µs/event | KB written/event | events/s against it |\n")
	out.WriteString("|---|---|---|---|---|---|---|---|\n")
	for _, connections := range chosen.connections {
		ours := r[key{program, connections}]
		for _, kind := range []string{program, served, group, queue, plain, bare} {
			series := r[key{kind, connections}]
			if len(series) == 0 {
				continue // There is no such server here.
			}
			against := "—"
			if kind != program {
				against = fmt.Sprintf("**%.2f×**", ratio(ours, series, events))
			}
			fmt.Fprintf(&out, "| %d | %s | %.0f | %.2f | %.2f | %.0f | %.1f | %s |\n", connections, name(kind),
				median(series, events), median(series, p50), median(series, p99), median(series, cpu), median(series, kilo), against)
		}
	}
	fmt.Fprintf(&out, "\nMedians of %d rounds in turns", chosen.rounds)
	if chosen.slow {
		out.WriteString(", 5 ms added to each fsync")
	}
	out.WriteString("; server and sender share the machine. PostgreSQL's CPU and bytes are counted along.")
	return out.String()
}

// name says what is measured.
func name(kind string) string {
	switch kind {
	case bare:
		return "a handler that stores nothing"
	case plain:
		return "a transaction in each request, same driver"
	case queue:
		return "a writer with a transaction for each event, without a rule"
	case group:
		return "a writer with a transaction for the events that wait, without a rule"
	case served:
		return "`till listen` on PostgreSQL, synchronous_commit on"
	}
	return "`" + kind + "`, synchronous FULL"
}

// write puts a table between the marks of a file.
func write(path, table string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, begun := strings.Cut(string(text), beginMark)
	_, after, ended := strings.Cut(rest, endMark)
	if !begun || !ended {
		return errors.New(path + " has no marks for the table")
	}
	return os.WriteFile(path, []byte(before+beginMark+"\n"+table+"\n"+endMark+after), 0o644)
}
