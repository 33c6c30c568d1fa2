package e2e_test

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"checkout/till/tui/tuitest"
)

// turn is one life of the program that listens: without a screen, or a console
// in a terminal.
type turn struct {
	*soak
	kind     string
	cmd      *exec.Cmd
	terminal *tuitest.Terminal
	errors   *bytes.Buffer
	started  time.Time
	gone     sync.WaitGroup // Who reads its output.
}

// begin starts a listener and waits until it listens.
func (s *soak) begin() {
	s.t.Helper()
	r := &turn{soak: s, kind: "headless", cmd: exec.Command(binary, "listen"), errors: new(bytes.Buffer), started: time.Now()}
	s.turn = r
	if s.strain.console || runtime.GOOS != "windows" && s.random.IntN(3) == 0 {
		r.kind, r.cmd = "a console", exec.Command(binary)
	}
	r.cmd.Env = s.shop.env()
	if r.kind == "a console" {
		r.terminal = tuitest.Start(s.t, 80, 24, r.cmd).Sees("Total")
		r.awaitHealth(http.StatusOK)
		return
	}
	output, err := r.cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	// Only the beginning of the log matters, and a long soak's would not fit.
	r.cmd.Stderr = &limited{into: r.errors}
	if err := r.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	lines := bufio.NewScanner(output)
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), "listening on") {
		_ = r.cmd.Wait()
		s.violated("the listener does not start: %s", r.errors)
		return
	}
	r.gone.Go(func() {
		for lines.Scan() {
		}
	})
	s.t.Cleanup(func() { _ = r.cmd.Process.Kill() })
}

// limited keeps the first 64 KiB that are written.
type limited struct{ into *bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if room := 64<<10 - l.into.Len(); room > 0 {
		l.into.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// stop ends the life by a signal and returns the exit code.
func (r *turn) stop(signal syscall.Signal) int {
	if r.terminal != nil {
		r.terminal.Signal(signal)
		return r.terminal.Wait()
	}
	_ = r.cmd.Process.Signal(signal)
	r.gone.Wait()
	_ = r.cmd.Wait()
	return r.cmd.ProcessState.ExitCode()
}

// kill kills the listener and starts another.
func (s *soak) kill() {
	s.t.Helper()
	s.turn.look()
	s.turn.stop(syscall.SIGKILL)
	s.begin()
}

// end ends the last listener as a service manager does.
func (s *soak) end() {
	s.t.Helper()
	s.turn.look()
	if code := s.turn.stop(syscall.SIGTERM); code != 0 {
		s.violated("the listener ended with %d: %s", code, s.turn.errors)
	}
}

// awaitHealth waits until /healthz answers with a code. It notes when it does
// not come about.
func (r *turn) awaitHealth(code int) {
	r.until(fmt.Sprintf("/healthz answers %d", code), func() bool { return r.health() == code })
}

func (r *turn) health() int {
	request, err := http.NewRequestWithContext(r.ctx, http.MethodGet, "http://"+r.shop.listen+"/healthz", nil)
	if err != nil {
		return 0
	}
	response, err := r.client.Do(request)
	if err != nil {
		return 0
	}
	defer func() { _ = response.Body.Close() }()
	return response.StatusCode
}

// until waits for something that must come about within a minute.
func (s *soak) until(what string, good func() bool) {
	limit := time.NewTimer(time.Minute)
	defer limit.Stop()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for !s.failed() && !good() {
		select {
		case <-again.C:
		case <-limit.C:
			s.violated("it does not come about within a minute that %s\n%s", what, s.turn.errors)
		}
	}
}

// progress waits until so many more events were acknowledged.
func (s *soak) progress(events int64) {
	_, before, _ := s.counts()
	last, at := before, time.Now()
	for {
		_, now, _ := s.counts()
		if now >= before+events || s.failed() {
			return
		}
		if now > last {
			last, at = now, time.Now()
		}
		if time.Since(at) > time.Minute {
			s.violated("no event is acknowledged any more: %s", s.turn.errors)
		}
		s.until("requests are sent", s.moreSent(8))
	}
}

// moreSent tells whether so many more requests were sent since now.
func (s *soak) moreSent(requests int64) func() bool {
	before, _, _ := s.counts()
	return func() bool {
		now, _, _ := s.counts()
		return now >= before+requests
	}
}

// moreRefused tells whether a request failed since now.
func (s *soak) moreRefused() func() bool {
	_, _, before := s.counts()
	return func() bool {
		_, _, now := s.counts()
		return now > before
	}
}

// measures are the most that was seen of what must not grow.
type measures struct {
	descriptors, megabytes, threads int
	logBytes                        int64
}

func (m measures) String() string {
	return fmt.Sprintf("at most %d descriptors, %d threads, %d MB of memory, %d KiB of write-ahead log",
		m.descriptors, m.threads, m.megabytes, m.logBytes>>10)
}

// The most that a listener under this load may ever have.
const (
	mostDescriptors = 100
	mostThreads     = 60
	mostMegabytes   = 200
	mostLog         = 16 << 20
)

// look measures the listener as it is now, where Linux tells it.
func (r *turn) look() {
	if about, err := os.Stat(r.shop.database() + "-wal"); err == nil {
		r.measure.logBytes = max(r.measure.logBytes, about.Size())
	}
	folder := fmt.Sprintf("/proc/%d", r.cmd.Process.Pid)
	if open, err := os.ReadDir(filepath.Join(folder, "fd")); err == nil {
		r.measure.descriptors = max(r.measure.descriptors, len(open))
	}
	status, _ := os.ReadFile(filepath.Join(folder, "status"))
	for line := range strings.Lines(string(status)) {
		var number int
		if n, _ := fmt.Sscanf(line, "VmRSS: %d kB", &number); n == 1 {
			r.measure.megabytes = max(r.measure.megabytes, number>>10)
		}
		if n, _ := fmt.Sscanf(line, "Threads: %d", &number); n == 1 {
			r.measure.threads = max(r.measure.threads, number)
		}
	}
	m := r.measure
	if m.descriptors > mostDescriptors || m.threads > mostThreads || m.megabytes > mostMegabytes || m.logBytes > mostLog {
		r.violated("the listener takes %s", m)
	}
}
