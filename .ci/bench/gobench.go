package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// figures are what Go benchmarks reported: the values by unit, by the name
// behind "Benchmark".
type figures map[string]map[string]float64

// benchmark runs the benchmarks of a package that fit pattern, each so many
// times, and returns what they report. What they print goes to standard error,
// too.
func benchmark(ctx context.Context, folder, pattern string, times int, args ...string) (figures, error) {
	arguments := []string{"test", "-run", "^$", "-bench", pattern, "-benchtime", fmt.Sprint(times, "x"), "-timeout", "60m", folder, "-args"}
	command := exec.CommandContext(ctx, "go", append(arguments, args...)...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	fmt.Fprintf(os.Stderr, "%s", out)
	if err != nil {
		return nil, fmt.Errorf("run the benchmarks of %s: %w", folder, err)
	}
	found := readFigures(out)
	if len(found) == 0 {
		return nil, fmt.Errorf("%s has no benchmark %s", folder, pattern)
	}
	return found, nil
}

// readFigures reads what "go test -bench" prints.
func readFigures(out []byte) figures {
	found := figures{}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark") {
			continue
		}
		name := strings.TrimPrefix(words[0], "Benchmark")
		// The number of processors, which stands behind the last dash.
		if cut := strings.LastIndex(name, "-"); cut > 0 {
			name = name[:cut]
		}
		units := map[string]float64{}
		for i := 2; i+1 < len(words); i += 2 {
			if value, err := strconv.ParseFloat(words[i], 64); err == nil {
				units[words[i+1]] = value
			}
		}
		found[name] = units
	}
	return found
}

// storeTable measures what the store takes for shops of different sizes.
func storeTable(ctx context.Context) (string, error) {
	found, err := benchmark(ctx, "./storage/sqlite", "Scale|Size", 21, "-million")
	if err != nil {
		return "", err
	}
	var out strings.Builder
	out.WriteString("| | 1,000 orders | 100,000 | 1,000,000 |\n|---|---|---|---|\n")
	for _, row := range []struct{ name, benchmark string }{
		{"the newest 50 orders", "newest"},
		{"50 orders in the middle", "page_in_the_middle"},
		{"orders to check", "to_check"},
		{"waiting board", "waiting_board"},
		{"one order", "one_order"},
		{"the day's sums", "day's_sums"},
		{"an order is stored", "insert"},
		{"an event is stored", "event"},
		{"the database is opened", "open"},
	} {
		units, measured := found["Scale/"+row.benchmark]
		if !measured {
			return "", fmt.Errorf("the store has no benchmark %s", row.benchmark)
		}
		fmt.Fprintf(&out, "| %s | %.2f ms | %.2f× | %.2f× |\n", row.name, units["us@1k"]/1000, units["x@100k"], units["x@1M"])
	}
	out.WriteString("\n| search among 1,000,000 orders | | of `LIKE` | of `LIKE` that finds nothing |\n|---|---|---|---|\n")
	for _, row := range []struct{ name, benchmark string }{
		{"a rare word", "rare"},
		{"two words", "two_words"},
		{"a number of the service", "number"},
		{"a word that nothing holds", "none"},
		{"three letters that nothing holds", "three_letters"},
		{"a word in every third order", "common"},
	} {
		units := found["Scale/search/"+row.benchmark]
		fmt.Fprintf(&out, "| %s | %.1f ms | %s | %s |\n", row.name, units["us@1M"]/1000,
			share(units["LIKE-x"]), share(units["scan-x"]))
	}
	fmt.Fprintf(&out, "\nAn order takes %.0f bytes on the disk, with its items, its event and what it is found by. "+
		"`LIKE` ends early at a common word, whose 50 newest orders are near.", found["Size"]["B/order"])
	return out.String(), nil
}

// share writes how much of another's time something takes, of which the other
// takes so many times as much.
func share(of float64) string {
	if of < 1.5 {
		return fmt.Sprintf("%.1f×", 1/of)
	}
	return fmt.Sprintf("1/%.0f", of)
}

// consoleTable measures the console in a pseudo-terminal.
func consoleTable(ctx context.Context) (string, error) {
	first, err := benchmark(ctx, "./tui/e2e", "FirstFrame/ratio$|EventToScreen", 41)
	if err != nil {
		return "", err
	}
	scaled, err := benchmark(ctx, "./tui/e2e", "Scale", 11, "-orders", "1000000")
	if err != nil {
		return "", err
	}
	start, event, large := first["FirstFrame/ratio"], first["EventToScreen"], scaled["Scale"]
	var out strings.Builder
	out.WriteString("| the console | | beside it |\n|---|---|---|\n")
	fmt.Fprintf(&out, "| start to first frame | %.1f ms | **%.2f×** the smallest Bubble Tea program (%.1f ms) |\n",
		start["till-ms"], start["ratio"], start["floor-ms"])
	fmt.Fprintf(&out, "| the same with 1,000,000 orders | %.1f ms | **%.2f×** that with 1,000 |\n", large["large-ms"], large["ms-ratio"])
	fmt.Fprintf(&out, "| memory with 1,000,000 orders, searched | %.1f MB | **%.2f×** that with 1,000 |\n", large["large-MB"], large["MB-ratio"])
	fmt.Fprintf(&out, "| event acknowledged to screen repainted | %.1f ms, p95 %.1f ms | the event posted: %.1f ms |",
		event["median-ms"], event["p95-ms"], event["from-post-ms"])
	return out.String(), nil
}
