package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
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
)

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
	s.turn.awaitHealth(http.StatusServiceUnavailable)
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
	s.turn.awaitHealth(http.StatusServiceUnavailable)
	s.must(os.Rename(path+".away", path))
	s.turn.awaitHealth(http.StatusOK)
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
	if code != 1 || !strings.Contains(text, fmt.Sprint(s.turn.cmd.Process.Pid)) {
		s.violated("S6 another listener: exit %d, not naming %d\n%s", code, s.turn.cmd.Process.Pid, text)
	}
}

func (s *soak) protect() {
	release, err := disk.Protect(s.shop.database())
	if err != nil {
		s.log.note("not done: %v", err)
		return
	}
	s.turn.awaitHealth(http.StatusServiceUnavailable)
	s.must(release())
}

func (s *soak) failCalls(fault string) {
	end, err := disk.Inject(s.ctx, s.turn.cmd.Process.Pid, fault)
	if err != nil {
		s.log.note("not done: %v", err)
		return
	}
	s.until("a request fails", s.moreRefused())
	s.until("more requests are sent", s.moreSent(20))
	end()
}

func (s *soak) fillDisk() {
	s.disk.Fill()
	// The reserve takes some outcomes in, and then none.
	s.until("requests are sent", s.moreSent(200))
	s.disk.Free()
}

func (s *soak) cutPower() {
	s.dark.Store(true)
	s.disk.Cut()
	s.turn.stop(syscall.SIGKILL)
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
	ctx, cancel := context.WithTimeout(s.ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = s.shop.env()
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	_ = cmd.Run()
	if ctx.Err() != nil && s.ctx.Err() == nil {
		s.violated("%s does not end", args)
	}
	return output.String(), cmd.ProcessState.ExitCode()
}

// makeOrders makes orders by another process each, until the soak ends.
func (s *soak) makeOrders() {
	next := time.NewTicker(500 * time.Millisecond)
	defer next.Stop()
	for !s.over() {
		s.makeOrder()
		<-next.C
	}
}

// makeOrder makes an order. What becomes of one during a fault is not known, and
// no event of it is sent.
func (s *soak) makeOrder() {
	if s.dark.Load() {
		return
	}
	text, code := s.command("order", "create", "--item", "Vary:9000", "--json")
	var made order
	if code != 0 || json.Unmarshal([]byte(text), &made) != nil || s.dark.Load() {
		return
	}
	s.add(&account{reference: made.Reference, orderReference: made.OrderReference, amount: 9000})
}
