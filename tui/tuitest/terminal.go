package tuitest

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// A Terminal is a pseudo-terminal in which a program runs, and the person in
// front of it. Its methods are for the test's goroutine.
type Terminal struct {
	t     testing.TB
	cmd   *exec.Cmd
	line  *line
	feed  *feed
	typed bool

	pressed   string // The last key.
	pressedAt time.Time

	// exited is closed when the program has ended; code and rawLeft are set
	// before, drained when its last output was shown.
	exited  chan struct{}
	drained chan struct{}
	code    int
	rawLeft bool
}

// patience is how long a terminal waits for what a test expects before the test fails.
const patience = time.Minute

// Environ is the environment of a program at a person's terminal: PATH and HOME
// as they are here, a terminal of 256 colours, UTF-8, and none of what test
// machines set, such as CI, which would turn off colours and questions. Extra
// entries have the form KEY=value and come last, so that they win.
func Environ(extra ...string) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + os.Getenv("HOME"),
		"TERM=xterm-256color",
		"LANG=C.UTF-8",
	}, extra...)
}

// Start runs cmd in a new pseudo-terminal of cols columns and rows rows; a cmd
// without an environment gets Environ. The program is killed when the test ends.
// On systems without pseudo-terminals the test is skipped.
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
	if err != nil {
		t.Fatal(err)
	}
	go term.pump()
	go term.reap()
	t.Cleanup(term.stop)
	return term
}

// pump shows what the program writes, until all that could write has ended.
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

// reap waits for the program's end.
func (t *Terminal) reap() {
	// The state says more than the error.
	_ = t.cmd.Wait()
	t.code = exitCode(t.cmd.ProcessState)
	t.rawLeft = t.line.raw()
	close(t.exited)
	// Now nothing more can be written, and pump comes to its end.
	_ = t.line.far.Close()
}

func (t *Terminal) stop() {
	t.t.Helper()
	searchProcesses(t.t, t.cmd.Process.Pid)
	// Killing what has ended does nothing.
	_ = t.cmd.Process.Kill()
	<-t.exited
	_ = t.line.near.Close()
	<-t.drained
	t.search()
}

// Sees waits until the screen says all of texts at once. A text is looked for
// within the screen's rows, the rows joined by newlines.
func (t *Terminal) Sees(texts ...string) *Terminal {
	t.t.Helper()
	s, ok := t.feed.await(func(s Screen) bool { return len(s.missing(texts)) == 0 })
	if !ok {
		t.t.Fatalf("the screen does not say %q%s\n%s", s.missing(texts), t.fate(), framed(s))
	}
	return t
}

// Shows waits until the program has shown each of texts, be it for a moment and
// long ago, in rows that it wrote whole. Colours may change within a text.
func (t *Terminal) Shows(texts ...string) *Terminal {
	t.t.Helper()
	unseen := slices.Clone(texts)
	s, ok := t.feed.await(func(Screen) bool {
		written := ansi.Strip(t.Raw())
		unseen = slices.DeleteFunc(unseen, func(text string) bool { return strings.Contains(written, text) })
		return len(unseen) == 0
	})
	if !ok {
		t.t.Fatalf("the screen never said %q%s\n%s", unseen, t.fate(), framed(s))
	}
	return t
}

// Gone waits until the screen says none of texts.
func (t *Terminal) Gone(texts ...string) *Terminal {
	t.t.Helper()
	s, ok := t.feed.await(func(s Screen) bool { return len(s.missing(texts)) == len(texts) })
	if !ok {
		t.t.Fatalf("the screen still says one of %q%s\n%s", texts, t.fate(), framed(s))
	}
	return t
}

// QR waits until a QR code on the screen can be read, and gives its text.
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

// Snapshot is the screen at this moment. The program may be in the middle of a
// change, so wait first for what the change brings.
func (t *Terminal) Snapshot() Screen {
	s, _, _ := t.feed.look()
	return s
}

// Screen is the text of the screen at this moment.
func (t *Terminal) Screen() string { return t.Snapshot().String() }

// PID is the number of the program's process.
func (t *Terminal) PID() int { return t.cmd.Process.Pid }

// Raw is what the program has written, escape sequences and all; of more than a
// mebibyte only the end.
func (t *Terminal) Raw() string {
	t.feed.mu.Lock()
	defer t.feed.mu.Unlock()
	return string(t.feed.raw)
}

// fate says in a failure that the program has ended.
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
