package e2e_test

import (
	"flag"
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

// large is the number of orders in the benchmarks' larger shop.
var large = flag.Int("orders", 100_000, "orders of the larger shop")

// BenchmarkFirstFrame measures the time from a program's start to its first frame, in a terminal
// that answers no query. It runs two programs in turn, so that other load of the machine affects
// both equally. It reports the medians of their times and of the ratio. The console should take at
// most three times as long as the smallest Bubble Tea program. With many orders, it should take at
// most 1.5 times as long as with 1,000. The measured time of the demo includes the creation of its
// database and of its sample day.
func BenchmarkFirstFrame(b *testing.B) {
	shop := open(b, file, nil)
	hello := buildHello(b)
	smallest := func() *exec.Cmd { return exec.Command(hello) }
	console := func() *exec.Cmd { return shop.program("") }
	demo := func() *exec.Cmd {
		cmd := exec.Command(binary, "demo")
		cmd.Env = tuitest.Environ("HOME="+b.TempDir(), "TILL_LANGUAGE=en")
		return cmd
	}
	of := func(orders int) func() *exec.Cmd {
		database := bulk.Make(b, orders)
		return func() *exec.Cmd { return shop.program("", "TILL_DATABASE="+database) }
	}
	for _, pair := range []struct {
		name        string
		floor, till func() *exec.Cmd
	}{
		{"over the smallest program", smallest, console},
		{"of the demo over the smallest program", smallest, demo},
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

func buildHello(b *testing.B) string {
	b.Helper()
	hello := filepath.Join(filepath.Dir(binary), "hello")
	if out, err := exec.Command("go", "build", "-o", hello, "checkout/till/tui/background/testdata/states").CombinedOutput(); err != nil {
		b.Fatalf("build the smallest program: %v\n%s", err, out)
	}
	return hello
}

// firstFrame starts a program and returns the milliseconds until its first text is on the screen.
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

// BenchmarkEventToScreen measures the time from when the sender of an event reads the answer 200
// until the console's screen shows the event. The median should be at most 50 ms. Each event
// changes the text of the open payment screen.
func BenchmarkEventToScreen(b *testing.B) {
	shop := open(b, file, nil)
	terminal := shop.console()
	sell(terminal)
	var waits []float64
	for b.Loop() {
		why := fmt.Sprintf("Reason number %d", len(waits))
		shop.tell("failed", shop.service.last(), why)
		answered := time.Now()
		terminal.Sees(why)
		waits = append(waits, float64(time.Since(answered))/float64(time.Millisecond))
	}
	b.ReportMetric(median(waits), "median-ms")
	b.ReportMetric(waits[len(waits)*95/100], "p95-ms")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkEnterToCode measures the time from the Enter that charges a sale until the QR code is on
// the screen, and the processor time that the console uses meanwhile. The payment service runs on
// the same machine and answers immediately.
func BenchmarkEnterToCode(b *testing.B) {
	shop := open(b, file, nil)
	terminal := shop.console()
	var waits, used []float64
	for b.Loop() {
		enter(terminal)
		<-time.After(time.Second) // Without a pause, the program would wait to see whether this Enter is the end of a scan.
		before, pressed := processorTime(b, terminal.PID()), time.Now()
		terminal.Press("enter").Sees("To pay", "9 000 Ar")
		waits = append(waits, float64(time.Since(pressed))/float64(time.Millisecond))
		used = append(used, float64(processorTime(b, terminal.PID())-before)/float64(time.Millisecond))
		shop.tell("success", shop.service.last(), "")
		terminal.Sees("PAID", "next sale").Press("enter").Gone("next sale")
	}
	b.ReportMetric(median(waits), "median-ms")
	b.ReportMetric(waits[len(waits)*95/100], "p95-ms")
	b.ReportMetric(median(used), "cpu-ms")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkFrames measures the demo. It reports the median time from a key press until its
// character is on the screen (at most 20 ms), and the number of bytes that the console writes in a
// second: without input (0), and while a code and its countdown are shown (at most 600).
func BenchmarkFrames(b *testing.B) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			demo := exec.Command(binary, "demo", "--empty")
			demo.Env = tuitest.Environ("HOME="+b.TempDir(), "TILL_LANGUAGE=en")
			terminal := tuitest.Start(b, size[0], size[1], demo).Sees("Total")
			perSecond := func() float64 {
				<-time.After(settled)
				before := len(terminal.Raw())
				<-time.After(idleFor)
				return float64(len(terminal.Raw())-before) / idleFor.Seconds()
			}
			idle := perSecond()
			var waits []float64
			for b.Loop() {
				pressed := time.Now()
				terminal.Type("q").Sees("› q")
				waits = append(waits, float64(time.Since(pressed))/float64(time.Millisecond))
				terminal.Press("backspace").Gone("› q")
			}
			sell(terminal)
			b.ReportMetric(median(waits), "key-ms")
			b.ReportMetric(idle, "idle-B/s")
			b.ReportMetric(perSecond(), "code-B/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// settled is the pause after a program's first frame. After it, the program is measured for the
// duration idleFor without input.
const (
	settled = 3 * time.Second
	idleFor = 5 * time.Second
)

// BenchmarkIdle runs the console of a shop with many orders next to the smallest Bubble Tea
// program, without input. Each round starts both programs again, because the scheduling of a
// process stays the same for its lifetime. The benchmark reports the medians of each program's use
// of a core, in percent, and of the difference. The difference should be at most 0.3.
func BenchmarkIdle(b *testing.B) {
	hello, shop, database := buildHello(b), open(b, file, nil), bulk.Make(b, *large)
	var shares [3][]float64
	for b.Loop() {
		floor := tuitest.Start(b, 80, 24, exec.Command(hello)).Sees("first frame")
		ours := shop.console("TILL_DATABASE=" + database)
		used := func() [2]time.Duration {
			return [2]time.Duration{processorTime(b, floor.PID()), processorTime(b, ours.PID())}
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
		floor.Kill()
		ours.Kill()
	}
	b.ReportMetric(0, "ns/op")
	for i, name := range []string{"floor-%", "till-%", "more-%"} {
		b.ReportMetric(median(shares[i]), name)
	}
}

// processorTime returns the total run time of a process's threads. It skips the benchmark if the
// system does not report the time in microseconds or finer units.
func processorTime(b *testing.B, pid int) time.Duration {
	b.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(threads) == 0 {
		b.Skip("this system does not report the run time of threads")
	}
	var all time.Duration
	for _, path := range threads {
		text, err := os.ReadFile(path)
		tuitest.Must(b, err)
		ran, err := time.ParseDuration(strings.Fields(string(text))[0] + "ns")
		tuitest.Must(b, err)
		all += ran
	}
	return all
}
