package e2e_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"checkout/till/storage/storagetest/disk"
	"checkout/till/tui/tuitest"
)

// listening is the terminal of the current listener, and the highest usage of resources that
// measure has found.
type listening struct {
	*tuitest.Terminal
	most usage
}

type usage struct{ descriptors, megabytes, threads, log int64 }

func (u usage) String() string {
	return fmt.Sprintf("at most %d descriptors, %d threads, %d MB of memory, %d KiB of write-ahead log",
		u.descriptors, u.threads, u.megabytes, u.log>>10)
}

// begin starts a listener, without a screen or as a console, and waits until it is healthy.
func (m *market) begin() {
	m.t.Helper()
	args, says := "listen", "listening on"
	if m.console || m.random.IntN(3) == 0 {
		args, says = "", "Total"
	}
	m.listener.Terminal = m.shop.start(args).Shows(says)
	m.note("process %d listens: till %s", m.listener.PID(), args)
	m.awaitHealth(http.StatusOK)
}

func (m *market) kill() {
	m.t.Helper()
	m.measure()
	m.listener.Kill()
	m.begin()
}

// end stops the listener with SIGTERM, as a service manager does. It fails the test unless the
// exit code is 0.
func (m *market) end() {
	m.t.Helper()
	m.measure()
	if code := m.listener.Signal(syscall.SIGTERM).Wait(); code != 0 {
		m.t.Errorf("the listener's exit code is %d: %s", code, m.listener.Raw())
	}
}

func (m *market) awaitHealth(code int) {
	m.t.Helper()
	eventually(m.t, fmt.Sprintf("/healthz answers %d", code), func() bool {
		got, _, _ := get("http://" + m.shop.listen + "/healthz")
		return got == code
	})
}

// measure records the listener's current usage, if Linux reports it.
func (m *market) measure() {
	m.t.Helper()
	most := &m.listener.most
	if about, err := os.Stat(m.shop.database() + "-wal"); err == nil {
		most.log = max(most.log, about.Size())
	}
	if open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", m.listener.PID())); err == nil {
		most.descriptors = max(most.descriptors, int64(len(open)))
	}
	most.megabytes = max(most.megabytes, reported(m.listener.PID(), "VmRSS")>>10)
	most.threads = max(most.threads, reported(m.listener.PID(), "Threads"))
	if most.descriptors > 100 || most.threads > 60 || most.megabytes > 200 || most.log > 16<<20 {
		m.t.Errorf("the listener uses %s", most)
	}
}

// reported returns a number that Linux reports about a process, or 0 if it does not report it.
// Memory is in kilobytes.
func reported(pid int, name string) (number int64) {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(status), name+":")
	_, _ = fmt.Sscan(rest, &number) // The number stays 0 if the report does not have the name.
	return number
}

// command runs the program with args while the listener runs. It returns the output and the exit
// code.
func (m *market) command(args ...string) (text string, code int) {
	m.processes.RLock()
	defer m.processes.RUnlock()
	out, errs, code := m.shop.till(args...)
	return out + errs, code
}

// onDisk puts the shop on a separate disk of the given size, if the machine can make one.
func (m *market) onDisk(size int64) {
	made, err := disk.Make(m.t, size)
	if err != nil {
		m.note("without a disk of its own: %v", err)
		return
	}
	m.disk, m.shop.home = made, made.Folder
}

// harm is a fault or a disturbance of the shop. After a harm, the listener must become healthy
// again without help.
type harm struct {
	name string
	does func()
}

// harms returns all harms that this machine can do.
func (m *market) harms() []harm {
	harms := []harm{
		{"kill -9", m.kill},
		{"an orderly restart", func() { m.end(); m.begin() }},
		{"the database is moved away and comes back", m.moveAway},
		{"the database is swapped for a copy and comes back", m.swap},
		{"a backup is made", m.backUp},
		{"another listener is started", m.startAnother},
		{"the file is read-only", m.protect},
	}
	for _, fault := range []string{
		"fsync:error=EIO", "fsync:error=EIO:when=3", "pwrite64:error=EIO:when=5",
		"pwrite64:error=ENOSPC", "pwrite64:error=EROFS",
	} {
		harms = append(harms, harm{"strace " + fault, func() { m.failCalls(fault) }})
	}
	if m.disk != nil {
		harms = append(harms, harm{"the power is cut", m.cutPower}, harm{"the disk is full", func() {
			m.disk.Fill()
			m.requests(200)
			m.disk.Free()
		}})
	}
	return harms
}

// must fails the test if one of errs is not nil. The errors are those of the harm's own steps, not
// of the tested program.
func (m *market) must(errs ...error) {
	if err := errors.Join(errs...); err != nil {
		m.t.Errorf("the harm could not be done: %v", err)
	}
}

func (m *market) moveAway() {
	// Other processes still run. They must not create a new database in place of the missing one.
	path := m.shop.database()
	m.must(os.Rename(path, path+".away"))
	m.awaitHealth(http.StatusServiceUnavailable)
	if _, err := os.Stat(path); err == nil {
		m.t.Error("a new database was created in place of the missing one")
		return
	}
	m.must(os.Rename(path+".away", path))
}

func (m *market) swap() {
	// No other process of the shop may run now: a process that opens the copy would store orders there,
	// and rightly so.
	m.processes.Lock()
	defer m.processes.Unlock()
	path := m.shop.database()
	bytes, err := os.ReadFile(path)
	m.must(err, os.WriteFile(path+".copy", bytes, 0o600), os.Rename(path, path+".away"), os.Rename(path+".copy", path))
	m.awaitHealth(http.StatusServiceUnavailable)
	m.must(os.Rename(path+".away", path))
	m.awaitHealth(http.StatusOK)
}

func (m *market) backUp() {
	target := filepath.Join(m.t.TempDir(), "copy.db")
	for _, command := range [][]string{{"backup", target}, {"verify", "--database", target}} {
		if text, code := m.command(command...); code != 0 {
			m.t.Errorf("%s: exit %d\n%s", command, code, text)
		}
	}
	m.must(os.Remove(target))
}

func (m *market) startAnother() {
	if text, code := m.command("listen"); code != 1 || !strings.Contains(text, fmt.Sprint(m.listener.PID())) {
		m.t.Errorf("another listener: exit code %d, or its message does not name process %d\n%s", code, m.listener.PID(), text)
	}
}

func (m *market) protect() {
	release, err := disk.Protect(m.shop.database())
	if err != nil {
		m.note("not done: %v", err)
		return
	}
	m.awaitHealth(http.StatusServiceUnavailable)
	m.must(release())
}

func (m *market) failCalls(fault string) {
	end, err := disk.Inject(m.t.Context(), m.listener.PID(), fault)
	if err != nil {
		m.note("not done: %v", err)
		return
	}
	refused := m.refused.Load()
	eventually(m.t, "a request fails", func() bool { return m.refused.Load() > refused })
	m.requests(20)
	end()
}

// requests waits until count more requests were sent.
func (m *market) requests(count int64) {
	before := m.sent.Load()
	eventually(m.t, "requests are sent", func() bool { return m.sent.Load() >= before+count })
}

// returnPower waits until all other processes have ended, because their disk has failed, and then
// restores the power. If that fails, no process waits for ever.
func (m *market) returnPower() {
	m.processes.Lock()
	defer m.processes.Unlock()
	m.disk.Return()
}

func (m *market) cutPower() {
	m.way.dark.Store(true)
	m.disk.Cut()
	m.listener.Kill()
	m.returnPower()
	m.way.dark.Store(false)
	m.begin()
}
