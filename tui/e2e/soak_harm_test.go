package e2e_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"checkout/till/storage/storagetest/disk"
	"checkout/till/tui/tuitest"
)

// begin starts a listener, without a screen or as a console, and waits until it
// is well.
func (s *soak) begin() {
	s.t.Helper()
	args, says := []string{"listen"}, "listening on"
	if s.console || s.random.IntN(3) == 0 {
		args, says = nil, "Total"
	}
	cmd := exec.Command(binary, args...)
	cmd.Env = s.shop.env()
	s.terminal = tuitest.Start(s.t, 80, 24, cmd, tuitest.Patience(time.Minute)).Shows(says)
	s.pid = cmd.Process.Pid
	s.note("process %d listens: %q", s.pid, args)
	s.awaitHealth(http.StatusOK)
}

// stop ends the listener by a signal and returns its exit code.
func (s *soak) stop(signal syscall.Signal) int {
	s.t.Helper()
	return s.terminal.Signal(signal).Wait()
}

// kill kills the listener and starts another.
func (s *soak) kill() {
	s.t.Helper()
	s.measure()
	s.stop(syscall.SIGKILL)
	s.begin()
}

// end ends the listener as a service manager does.
func (s *soak) end() {
	s.t.Helper()
	s.measure()
	if code := s.stop(syscall.SIGTERM); code != 0 {
		s.t.Errorf("the listener ended with %d: %s", code, s.terminal.Raw())
	}
}

// awaitHealth waits until /healthz answers with a code.
func (s *soak) awaitHealth(code int) {
	s.until(fmt.Sprintf("/healthz answers %d", code), func() bool {
		request, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, "http://"+s.shop.listen+"/healthz", nil)
		if err != nil {
			return false
		}
		response, err := s.client.Do(request)
		if err != nil {
			return false
		}
		defer func() { _ = response.Body.Close() }()
		return response.StatusCode == code
	})
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
			s.violated("it does not come about within a minute that %s\n%s", what, s.terminal.Raw())
		}
	}
}

// progress waits until so many more events were acknowledged.
func (s *soak) progress(events int64) {
	for goal := s.acked.Load() + events; s.acked.Load() < goal && !s.failed(); {
		before := s.acked.Load()
		s.until("an event is acknowledged", func() bool { return s.acked.Load() > before })
	}
}

// usage is the most that was seen of what must not grow.
type usage struct{ descriptors, megabytes, threads, log int64 }

func (u usage) String() string {
	return fmt.Sprintf("at most %d descriptors, %d threads, %d MB of memory, %d KiB of write-ahead log",
		u.descriptors, u.threads, u.megabytes, u.log>>10)
}

// measure measures the listener as it is now, where Linux tells it.
func (s *soak) measure() {
	if about, err := os.Stat(s.shop.database() + "-wal"); err == nil {
		s.most.log = max(s.most.log, about.Size())
	}
	folder := fmt.Sprintf("/proc/%d", s.pid)
	if open, err := os.ReadDir(filepath.Join(folder, "fd")); err == nil {
		s.most.descriptors = max(s.most.descriptors, int64(len(open)))
	}
	status, _ := os.ReadFile(filepath.Join(folder, "status"))
	for line := range strings.Lines(string(status)) {
		var number int64
		if n, _ := fmt.Sscanf(line, "VmRSS: %d kB", &number); n == 1 {
			s.most.megabytes = max(s.most.megabytes, number>>10)
		}
		if n, _ := fmt.Sscanf(line, "Threads: %d", &number); n == 1 {
			s.most.threads = max(s.most.threads, number)
		}
	}
	if m := s.most; m.descriptors > 100 || m.threads > 60 || m.megabytes > 200 || m.log > 16<<20 {
		s.violated("the listener takes %s", m)
	}
}

// harm is one thing that happens to a shop. Afterwards the listener must come to
// health by itself.
type harm struct {
	name string
	does func()
}

// harms are all that can happen here.
func (s *soak) harms() []harm {
	harms := []harm{
		{"kill -9", s.kill},
		{"an orderly restart", func() { s.end(); s.begin() }},
		{"the database is moved away and comes back", s.moveAway},
		{"the database is swapped for a copy and comes back", s.swap},
		{"a backup is made", s.backUp},
		{"another listener is started", s.startAnother},
		{"the file is read-only", s.protect},
	}
	for _, fault := range []string{
		"fsync:error=EIO", "fsync:error=EIO:when=3", "pwrite64:error=EIO:when=5",
		"pwrite64:error=ENOSPC", "pwrite64:error=EROFS",
	} {
		harms = append(harms, harm{"strace " + fault, func() { s.failCalls(fault) }})
	}
	if s.disk != nil {
		harms = append(harms, harm{"the power is cut", s.cutPower}, harm{"the disk is full", s.fillDisk})
	}
	return harms
}

// must notes an error of the test's own doing.
func (s *soak) must(errs ...error) {
	if err := errors.Join(errs...); err != nil {
		s.violated("the harm could not be done: %v", err)
	}
}

func (s *soak) moveAway() {
	// Other processes go on: none of them may begin a new database in its place.
	path := s.shop.database()
	s.must(os.Rename(path, path+".away"))
	s.awaitHealth(http.StatusServiceUnavailable)
	if _, err := os.Stat(path); err == nil {
		s.violated("another database was made in the place of the one that is away")
		return
	}
	s.must(os.Rename(path+".away", path))
}

func (s *soak) swap() {
	// A process that opens the copy would store orders there, and be right.
	s.processes.Lock()
	defer s.processes.Unlock()
	path := s.shop.database()
	bytes, err := os.ReadFile(path)
	s.must(err, os.WriteFile(path+".copy", bytes, 0o600), os.Rename(path, path+".away"), os.Rename(path+".copy", path))
	s.awaitHealth(http.StatusServiceUnavailable)
	s.must(os.Rename(path+".away", path))
	s.awaitHealth(http.StatusOK)
}

func (s *soak) backUp() {
	target := filepath.Join(s.t.TempDir(), "copy.db")
	for _, command := range [][]string{{"backup", target}, {"verify", "--database", target}} {
		if text, code := s.command(command...); code != 0 {
			s.violated("%s: exit %d\n%s", command, code, text)
		}
	}
	s.must(os.Remove(target))
}

func (s *soak) startAnother() {
	text, code := s.command("listen")
	if code != 1 || !strings.Contains(text, fmt.Sprint(s.pid)) {
		s.violated("S6 another listener: exit %d, not naming %d\n%s", code, s.pid, text)
	}
}

func (s *soak) protect() {
	release, err := disk.Protect(s.shop.database())
	if err != nil {
		s.note("not done: %v", err)
		return
	}
	s.awaitHealth(http.StatusServiceUnavailable)
	s.must(release())
}

func (s *soak) failCalls(fault string) {
	end, err := disk.Inject(s.t.Context(), s.pid, fault)
	if err != nil {
		s.note("not done: %v", err)
		return
	}
	refused := s.refused.Load()
	s.until("a request fails", func() bool { return s.refused.Load() > refused })
	s.requests(20)
	end()
}

// requests waits until so many more requests were sent.
func (s *soak) requests(count int64) {
	before := s.sent.Load()
	s.until("requests are sent", func() bool { return s.sent.Load() >= before+count })
}

func (s *soak) fillDisk() {
	s.disk.Fill()
	s.requests(200)
	s.disk.Free()
}

func (s *soak) cutPower() {
	s.dark.Store(true)
	s.disk.Cut()
	s.stop(syscall.SIGKILL)
	s.processes.Lock() // They end by themselves: their disk is gone.
	s.disk.Return()
	s.processes.Unlock()
	s.dark.Store(false)
	s.begin()
}

// command runs the program beside the listener and returns what it said and its
// exit code.
func (s *soak) command(args ...string) (text string, code int) {
	s.processes.RLock()
	defer s.processes.RUnlock()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = s.shop.env()
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	_ = cmd.Run()
	if ctx.Err() != nil && s.t.Context().Err() == nil {
		s.violated("%s does not end", args)
	}
	return output.String(), cmd.ProcessState.ExitCode()
}
