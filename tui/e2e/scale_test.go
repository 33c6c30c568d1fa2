package e2e_test

import (
	"flag"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/till/storage/storagetest/bulk"
	"checkout/till/tui/tuitest"
)

// large is how many orders the larger shop of the benchmarks has.
var large = flag.Int("orders", 100_000, "orders of the larger shop")

// BenchmarkScale opens the console of a shop with 1,000 orders and that of one
// with many, in turns, goes through the list of orders and searches it. It
// reports the medians of the time to the first frame and of the resident memory
// at the end, and what the larger shop's are over the smaller's: 1.3 and 1.2
// are wanted at 1,000,000 orders.
func BenchmarkScale(b *testing.B) {
	service := serve(b, payAt(somePage))
	var starts, sizes [2][]float64
	databases := [2]string{bulk.Make(b, 1000), bulk.Make(b, *large)}
	for b.Loop() {
		for i, database := range databases {
			took, memory := visit(b, openAt(b, service.url), database)
			starts[i], sizes[i] = append(starts[i], took), append(sizes[i], memory)
		}
	}
	b.ReportMetric(0, "ns/op")
	for unit, series := range map[string][2][]float64{"ms": starts, "MB": sizes} {
		ratios := make([]float64, 0, len(series[0]))
		for i, small := range series[0] {
			ratios = append(ratios, series[1][i]/small)
		}
		for i, name := range []string{"small-", "large-"} {
			slices.Sort(series[i])
			b.ReportMetric(series[i][len(series[i])/2], name+unit)
		}
		slices.Sort(ratios)
		b.ReportMetric(ratios[len(ratios)/2], unit+"-ratio")
	}
}

// visit opens a shop's console, looks at the orders, and returns the time to
// the first frame in milliseconds and the memory at the end in megabytes.
func visit(b *testing.B, shop *shop, database string) (took, memory float64) {
	b.Helper()
	cmd := exec.Command(binary)
	cmd.Env = shop.env("TILL_DATABASE=" + database)
	started := time.Now()
	terminal := tuitest.Start(b, 80, 24, cmd).Sees("Total")
	took = float64(time.Since(started)) / float64(time.Millisecond)
	b.StopTimer()
	defer b.StartTimer()
	terminal.Press("f3").Sees("To check").Press("tab").Sees("History").Press("/").Type("vary").Sees("Vary")
	memory = resident(b, cmd.Process.Pid)
	terminal.Kill()
	return took, memory
}

// resident is the memory of a process that is in use, in megabytes; it is 0
// where /proc is not.
func resident(b *testing.B, pid int) float64 {
	b.Helper()
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kilobytes, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		b.Fatal(err)
	}
	return kilobytes / 1000
}
