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
		{"of a large shop over a small one", of(1000), of(100_000)},
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

// settled is the pause after a program's start. After it, the program is measured for the duration
// idleFor without input.
const (
	settled = 3 * time.Second
	idleFor = 5 * time.Second
)

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
