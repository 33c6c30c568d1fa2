package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/storage/storagetest/bulk"
	"checkout/till/tui/tuitest"
)

// settled is how long a program is left alone after its first frame, and
// idleFor how long it is watched then, doing nothing.
const (
	settled = 3 * time.Second
	idleFor = 5 * time.Second
)

// BenchmarkIdle starts the console of a shop with 100,000 orders and the
// smallest program, side by side, and watches them while
// nobody touches them. Each round starts both anew: how a process was scheduled
// stays with it for as long as it lives. It reports the medians of what they use
// of a core, in percent, and of how much more the console uses: 0.3 at most is
// wanted.
func BenchmarkIdle(b *testing.B) {
	service, smallest, database := serve(b, payAt(somePage)), buildHello(b), bulk.Make(b, *large)
	var shares [3][]float64
	for b.Loop() {
		floor := exec.Command(smallest)
		floor.Env = tuitest.Environ()
		ours := exec.Command(binary)
		ours.Env = openAt(b, service.url).env("TILL_DATABASE=" + database)
		terminals := []*tuitest.Terminal{
			tuitest.Start(b, 80, 24, floor).Sees("hello"),
			tuitest.Start(b, 80, 24, ours).Sees("Total", "receives payments"),
		}
		used := func() [2]time.Duration {
			return [2]time.Duration{processorTime(b, floor.Process.Pid), processorTime(b, ours.Process.Pid)}
		}
		<-time.After(settled)
		before, begun := used(), time.Now()
		<-time.After(idleFor)
		after, took := used(), time.Since(begun)
		least := 100 * float64(after[0]-before[0]) / float64(took)
		till := 100 * float64(after[1]-before[1]) / float64(took)
		for i, share := range []float64{least, till, till - least} {
			shares[i] = append(shares[i], share)
		}
		for _, terminal := range terminals {
			terminal.Kill()
		}
	}
	b.ReportMetric(0, "ns/op")
	for i, name := range []string{"floor-%", "till-%", "more-%"} {
		slices.Sort(shares[i])
		b.ReportMetric(shares[i][len(shares[i])/2], name)
	}
}

// processorTime is how long the threads of a process have run. The benchmark is
// skipped where the system does not say so to the microsecond.
func processorTime(b *testing.B, pid int) time.Duration {
	b.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(threads) == 0 {
		b.Skip("this system does not say how long a thread has run")
	}
	var all time.Duration
	for _, path := range threads {
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		ran, err := time.ParseDuration(strings.Fields(string(text))[0] + "ns")
		if err != nil {
			b.Fatal(err)
		}
		all += ran
	}
	return all
}

// BenchmarkKey measures the time from a key press to the screen that shows it,
// in the terminal of a shop with 100,000 orders: what is typed at the sale, and
// a step through the history. A median of 16 ms at most is wanted; a frame
// waits for up to a seventy-fifth of a second.
func BenchmarkKey(b *testing.B) {
	service := serve(b, payAt(somePage))
	cmd := exec.Command(binary)
	cmd.Env = openAt(b, service.url).env("TILL_DATABASE=" + bulk.Make(b, *large))
	terminal := tuitest.Start(b, 80, 24, cmd).Sees("Total", "receives payments")
	press := func(b *testing.B, key func(n int) string, shows func(n int) string) {
		var times []time.Duration
		for n := 0; b.Loop(); n++ {
			begun := time.Now()
			terminal.Press(key(n)).Sees(shows(n))
			times = append(times, time.Since(begun))
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(median(times), "median-ms")
	}
	b.Run("sale", func(b *testing.B) {
		press(b, func(n int) string { return []string{"z", "backspace"}[n%2] },
			func(n int) string { return []string{"› z", "› Vary"}[n%2] })
	})
	terminal.Press("f3", "tab").Sees("History", "› ")
	b.Run("history", func(b *testing.B) {
		newest := strings.Fields(strings.SplitAfter(terminal.Screen(), "› ")[1])[0]
		press(b, func(n int) string { return []string{"down", "up"}[n%2] },
			func(n int) string { return []string{"  " + newest, "› " + newest}[n%2] })
	})
}
