package e2e_test

import (
	"flag"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"checkout/till/storage/storagetest/bulk"
	"checkout/till/tui/tuitest"
)

// large is the number of orders in the benchmarks' larger shop.
var large = flag.Int("orders", 100_000, "orders of the larger shop")

// BenchmarkFirstFrame measures the time from a program's start to its first
// frame, in a terminal that answers no query. It runs two programs in turn, so
// that both see the same machine, and reports the medians of their times and of
// the ratio. Wanted: at most 2 times the smallest Bubble Tea program, and at
// most 1.5 times as long with many orders as with 1,000.
func BenchmarkFirstFrame(b *testing.B) {
	shop := open(b, file, nil)
	hello := buildHello(b)
	smallest := func() *exec.Cmd { return exec.Command(hello) }
	console := func() *exec.Cmd { return shop.program("") }
	of := func(orders int) func() *exec.Cmd {
		database := bulk.Make(b, orders)
		return func() *exec.Cmd { return shop.program("", "TILL_DATABASE="+database) }
	}
	for _, pair := range []struct {
		name        string
		floor, till func() *exec.Cmd
	}{
		{"over the smallest program", smallest, console},
		{"of a large shop over a small one", of(1000), of(*large)},
	} {
		b.Run(pair.name, func(b *testing.B) {
			var floors, times, ratios []float64
			for b.Loop() {
				floor, took := firstFrame(b, pair.floor()), firstFrame(b, pair.till())
				floors, times, ratios = append(floors, floor), append(times, took), append(ratios, took/floor)
			}
			b.ReportMetric(median(floors), "floor-ms")
			b.ReportMetric(median(times), "till-ms")
			b.ReportMetric(median(ratios), "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// buildHello builds the smallest program.
func buildHello(b *testing.B) string {
	b.Helper()
	hello := filepath.Join(filepath.Dir(binary), "hello")
	if out, err := exec.Command("go", "build", "-o", hello, "checkout/till/tui/background/testdata/states").CombinedOutput(); err != nil {
		b.Fatalf("build the smallest program: %v\n%s", err, out)
	}
	return hello
}

// firstFrame starts a program and returns the milliseconds until its first text
// is on the screen.
func firstFrame(b *testing.B, cmd *exec.Cmd) float64 {
	b.Helper()
	says := "Total"
	if cmd.Env == nil {
		says = "first frame"
	}
	started := time.Now()
	terminal := tuitest.Start(b, 80, 24, cmd).Sees(says)
	took := time.Since(started)
	terminal.Kill()
	return float64(took) / float64(time.Millisecond)
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
