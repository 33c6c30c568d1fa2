package tuitest

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"checkout/till/payments/gateway"
	"checkout/till/payments/secret"
)

// A Terminal runs a program in a pseudo-terminal and uses it as a person does. Call
// its methods only from the test's goroutine.
type Terminal struct {
	t     testing.TB
	cmd   *exec.Cmd
	line  *line
	feed  *feed
	typed bool

	pressed string    // Last key of Press, unless Type followed.
	sentAt  time.Time // When bytes were sent, or last found unread.

	// exited is closed after the program has ended, and after code and rawLeft are set. drained is
	// closed after the last output is on the screen.
	exited  chan struct{}
	drained chan struct{}
	code    int
	rawLeft bool
}

// patience is how long a test waits, such as for an expected screen.
const patience = time.Minute

// Environ returns the environment of a program in a person's terminal: the current PATH and HOME,
// 256 colours and UTF-8. It omits variables of test machines, such as CI. Entries of extra override
// the others.
func Environ(extra ...string) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + os.Getenv("HOME"),
		"TERM=xterm-256color",
		"LANG=C.UTF-8",
	}, extra...)
}

// Start runs cmd in a new pseudo-terminal of cols columns and rows rows, by default with Environ.
// When the test ends, the program is killed. Without pseudo-terminals, Start skips the test.
func Start(t testing.TB, cols, rows int, cmd *exec.Cmd) *Terminal {
	t.Helper()
	if cmd.Env == nil {
		cmd.Env = Environ()
	}
	term := &Terminal{
		t: t, cmd: cmd, feed: newFeed(cols, rows),
		exited: make(chan struct{}), drained: make(chan struct{}),
	}
	var err error
	term.line, err = openLine(cmd, cols, rows)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this system has no pseudo-terminals")
	}
	Must(t, err)
	go term.pump()
	go term.reap()
	t.Cleanup(term.stop)
	return term
}

// pump passes the program's output to the emulated screen, until every process has closed the
// terminal.
func (t *Terminal) pump() {
	defer close(t.drained)
	defer t.feed.end()
	buf := make([]byte, 32<<10)
	for {
		n, err := t.line.near.Read(buf)
		t.feed.take(buf[:n])
		if err != nil {
			return
		}
	}
}

func (t *Terminal) reap() {
	// Ignore the error: ProcessState contains the exit code.
	_ = t.cmd.Wait()
	t.code = exitCode(t.cmd.ProcessState)
	t.rawLeft = t.line.raw()
	close(t.exited)
	// Close the program's side, so that the read in pump fails, and pump ends.
	_ = t.line.far.Close()
}

func (t *Terminal) stop() {
	t.t.Helper()
	searchProcesses(t.t, t.cmd.Process.Pid)
	// After the program's end, Kill has no effect.
	_ = t.cmd.Process.Kill()
	<-t.exited
	_ = t.line.near.Close()
	<-t.drained
	t.search()
}

// Sees waits until the screen contains all texts at the same time, also in large letters or
// wrapped.
func (t *Terminal) Sees(texts ...string) *Terminal {
	t.t.Helper()
	s, ok := t.feed.await(func(s Screen) bool { return len(s.missing(texts)) == 0 })
	if !ok {
		t.t.Fatalf("the screen does not contain %q%s\n%s", s.missing(texts), t.fate(), framed(s))
	}
	return t
}

// Shows waits until the program has written each of the texts, which need not stay on the screen.
// It does not find a wrapped text.
func (t *Terminal) Shows(texts ...string) *Terminal {
	t.t.Helper()
	unseen := slices.Clone(texts)
	s, ok := t.feed.await(func(Screen) bool {
		written := ansi.Strip(t.Raw())
		unseen = slices.DeleteFunc(unseen, func(text string) bool { return strings.Contains(written, text) })
		return len(unseen) == 0
	})
	if !ok {
		t.t.Fatalf("the program never wrote %q%s\n%s", unseen, t.fate(), framed(s))
	}
	return t
}

// Gone waits until all of the texts have left the screen.
func (t *Terminal) Gone(texts ...string) *Terminal {
	t.t.Helper()
	s, ok := t.feed.await(func(s Screen) bool { return len(s.missing(texts)) == len(texts) })
	if !ok {
		t.t.Fatalf("the screen still contains one of %q%s\n%s", texts, t.fate(), framed(s))
	}
	return t
}

// QR waits until a QR code on the screen can be read, and returns its text.
func (t *Terminal) QR() string {
	t.t.Helper()
	var text string
	var failed error
	s, ok := t.feed.await(func(s Screen) bool {
		text, failed = s.read()
		return failed == nil
	})
	if !ok {
		t.t.Fatalf("no QR code was read: %v%s\n%s", failed, t.fate(), framed(s))
	}
	return text
}

// Snapshot returns the current screen, without waiting.
func (t *Terminal) Snapshot() Screen {
	s, _, _ := t.feed.look()
	return s
}

// Screen returns the text of the current screen, without waiting.
func (t *Terminal) Screen() string { return t.Snapshot().String() }

// PID returns the program's process ID, also after its end.
func (t *Terminal) PID() int { return t.cmd.Process.Pid }

// Raw returns the program's output with its escape sequences: the last mebibyte.
func (t *Terminal) Raw() string {
	t.feed.mu.Lock()
	defer t.feed.mu.Unlock()
	return string(t.feed.raw)
}

func (t *Terminal) fate() string {
	select {
	case <-t.exited:
		return "; the program has ended"
	default:
		return ""
	}
}

func framed(s Screen) string { return frame(s.cols, s.String()) }

var _ io.Writer = (*Terminal)(nil)

// rawLimit is the maximum size of feed.raw, in bytes. Older output is dropped.
const rawLimit = 1 << 20

// feed is the output of a program. One goroutine writes to it; other goroutines wait for changes.
type feed struct {
	mu       sync.Mutex
	emulator *emulator
	raw      []byte
	// undrawn is the number of bytes at the end of raw that the emulator has not drawn yet.
	undrawn int
	ended   bool
	changed chan struct{}
}

func newFeed(cols, rows int) *feed {
	return &feed{emulator: newEmulator(cols, rows), changed: make(chan struct{})}
}

func (f *feed) take(p []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.raw = append(f.raw, p...)
	f.undrawn += len(p)
	// A synchronized update is drawn when it has ended.
	whole := bytes.LastIndex(f.raw, []byte(ansi.SetModeSynchronizedOutput))
	if whole <= bytes.LastIndex(f.raw, []byte(ansi.ResetModeSynchronizedOutput)) {
		whole = len(f.raw)
	}
	f.draw(whole)
	if over := len(f.raw) - rawLimit; over > 0 {
		f.raw = f.raw[over:]
	}
	f.wake()
}

// draw passes raw to the emulator, up to the offset end.
func (f *feed) draw(end int) {
	if drawn := len(f.raw) - f.undrawn; end > drawn {
		f.emulator.write(f.raw[drawn:end])
		f.undrawn = len(f.raw) - end
	}
}

func (f *feed) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.draw(len(f.raw))
	f.ended = true
	f.wake()
}

func (f *feed) resize(cols, rows int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.emulator.resize(cols, rows)
	f.wake()
}

// wake wakes all goroutines that wait for a change. The caller holds the lock.
func (f *feed) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// look returns the screen, whether the output has ended, and a channel that a change closes.
func (f *feed) look() (s Screen, ended bool, changed <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.emulator.screen(), f.ended, f.changed
}

// await waits until good returns true for the screen, the output ends, or the duration patience is
// over. It returns the last screen and the last result of good.
func (f *feed) await(good func(Screen) bool) (Screen, bool) {
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		s, ended, changed := f.look()
		if good(s) {
			return s, true
		}
		if ended {
			return s, false
		}
		select {
		case <-changed:
		case <-limit.C:
			s, _, _ = f.look()
			return s, good(s)
		}
	}
}

// The secrets of a shop under test, which are not real. At the end, each [Terminal] searches for
// them in the output, in the process list, and in the files of the program's own home folder. Only
// settings files may contain them.
const (
	AccessToken   = "TGP_planted_not_a_real_token"
	WebhookSecret = "whsec_planted_not_a_real_secret"
)

// Secrets returns the secrets of a shop under test by name, with the value of a static signature
// header.
func Secrets() map[string]string {
	return map[string]string{
		"token": AccessToken, "secret": WebhookSecret, "signature": gateway.Sign(gateway.Static, secret.New(WebhookSecret), nil),
	}
}

// SearchText fails the test if a text contains a secret, in upper or lower case.
func SearchText(t testing.TB, where string, text []byte) {
	t.Helper()
	text = bytes.ToLower(text)
	for name, planted := range Secrets() {
		if bytes.Contains(text, bytes.ToLower([]byte(planted))) {
			t.Errorf("the %s is in %s", name, where)
		}
	}
}

// SearchFolder fails the test if a file in a folder contains a secret. It ignores settings files.
func SearchFolder(t testing.TB, folder string) {
	t.Helper()
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Ext(path) == ".toml" {
			return nil //nolint:nilerr // The file is gone or unreadable.
		}
		text, _ := os.ReadFile(path)
		SearchText(t, path, text)
		return nil
	})
}

// searchProcesses fails the test if the command line of a program or its children contains a
// secret. It needs /proc.
func searchProcesses(t testing.TB, pid int) {
	t.Helper()
	family := []string{strconv.Itoa(pid)}
	lists, _ := filepath.Glob("/proc/" + family[0] + "/task/*/children")
	for _, list := range lists {
		children, _ := os.ReadFile(list)
		family = append(family, strings.Fields(string(children))...)
	}
	for _, member := range family {
		text, _ := os.ReadFile("/proc/" + member + "/cmdline") // The text is empty if the process has ended.
		SearchText(t, "the process list", text)
	}
}

// search searches the program's output and home folder for the secrets, after the program has ended.
// It does not search the home folder of the person who runs the tests.
func (t *Terminal) search() {
	t.t.Helper()
	written := ansi.Strip(t.Raw())
	SearchText(t.t, "the terminal", []byte(t.Raw()+written+strings.NewReplacer("\r", "", "\n", "").Replace(written)))
	home := ""
	for _, variable := range t.cmd.Env { // The last value of HOME counts.
		if value, is := strings.CutPrefix(variable, "HOME="); is {
			home = value
		}
	}
	if home != "" && home != os.Getenv("HOME") {
		SearchFolder(t.t, home)
	}
}
