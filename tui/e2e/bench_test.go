package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/tui/tuitest"
)

// BenchmarkFirstFrame measures the time from a program's start to its first
// frame, in a terminal that answers no question. "ratio" starts the smallest
// program and the console in turns, so that both see the same machine, and
// reports the median of the console's time over the other's: 2 at most is
// wanted. "ratio at one size" starts one that is as large as the console.
func BenchmarkFirstFrame(b *testing.B) {
	start := func(program string) func(b *testing.B) time.Duration {
		return func(b *testing.B) time.Duration {
			return firstFrame(b, exec.Command(program), tuitest.Environ(), "hello")
		}
	}
	smallest, large := start(buildHello(b)), start(buildHello(b, "linked"))
	service := serve(b, payAt(somePage))
	console := func(b *testing.B, shop *shop) time.Duration {
		return firstFrame(b, exec.Command(binary), shop.env(), "Total")
	}
	used := openAt(b, service.url)
	console(b, used)
	b.Run("hello", func(b *testing.B) {
		for b.Loop() {
			smallest(b)
		}
	})
	b.Run("till", func(b *testing.B) {
		for b.Loop() {
			console(b, used)
		}
	})
	b.Run("ratio", func(b *testing.B) {
		compare(b, smallest, func(b *testing.B) time.Duration { return console(b, used) })
	})
	b.Run("ratio at one size", func(b *testing.B) {
		compare(b, large, func(b *testing.B) time.Duration { return console(b, used) })
	})
	b.Run("ratio of the first start", func(b *testing.B) {
		compare(b, smallest, func(b *testing.B) time.Duration { return console(b, openAt(b, service.url)) })
	})
}

// buildHello builds the smallest program, with build tags.
func buildHello(b *testing.B, tags ...string) string {
	b.Helper()
	hello := filepath.Join(b.TempDir(), "hello")
	build := exec.Command("go", "build", "-tags", strings.Join(tags, ","), "-o", hello, "checkout/till/tui/e2e/testdata/hello")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build the smallest program: %v\n%s", err, out)
	}
	return hello
}

// compare runs two things in turns and reports the medians of their times, and
// of one over the other.
func compare(b *testing.B, floor, ours func(b *testing.B) time.Duration) {
	b.Helper()
	var floors, times []time.Duration
	var ratios []float64
	for b.Loop() {
		least, took := floor(b), ours(b)
		floors, times = append(floors, least), append(times, took)
		ratios = append(ratios, float64(took)/float64(least))
	}
	slices.Sort(ratios)
	b.ReportMetric(median(floors), "floor-ms")
	b.ReportMetric(median(times), "till-ms")
	b.ReportMetric(ratios[len(ratios)/2], "ratio")
	b.ReportMetric(0, "ns/op")
}

// firstFrame starts a program and waits until its screen says text.
func firstFrame(b *testing.B, cmd *exec.Cmd, env []string, text string) time.Duration {
	b.Helper()
	cmd.Env = env
	started := time.Now()
	terminal := tuitest.Start(b, 80, 24, cmd).Sees(text)
	took := time.Since(started)
	b.StopTimer()
	terminal.Kill()
	b.StartTimer()
	return took
}

// median of times, in milliseconds.
func median(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2]) / float64(time.Millisecond)
}

// BenchmarkEventToScreen measures the time from the moment the 200 of an event
// is read by its sender to the screen that says so, in the console. A median
// below 50 ms is wanted. An event after another changes what the open payment
// screen says.
func BenchmarkEventToScreen(b *testing.B) {
	service := serve(b, payAt(somePage))
	shop := openAt(b, service.url)
	terminal := shop.console()
	sell(terminal)
	made := service.received()[0]
	kinds := []struct{ kind, word string }{
		{"payment.failed", "NOT PAID: refused"}, {"payment.canceled", "NOT PAID: canceled"},
	}
	var waits, wholes []time.Duration
	for b.Loop() {
		n := len(waits)
		why := fmt.Sprintf("Reason number %d", n)
		sent := time.Now()
		got := service.tell(shop.webhook(), kinds[n%2].kind, made, why)
		answered := time.Now()
		terminal.Sees(kinds[n%2].word, why)
		waits = append(waits, time.Since(answered))
		wholes = append(wholes, time.Since(sent))
		if got.code != http.StatusOK {
			b.Fatalf("the event is answered %+v", got)
		}
	}
	b.ReportMetric(median(waits), "median-ms")
	b.ReportMetric(float64(waits[len(waits)*95/100])/float64(time.Millisecond), "p95-ms")
	b.ReportMetric(median(wholes), "from-post-ms")
	b.ReportMetric(0, "ns/op")
}
