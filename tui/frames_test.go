package tui_test

import (
	"bytes"
	"io"
	"os"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/term"

	"checkout/till/tui"
	"checkout/till/tui/tuitest"
)

func TestATerminalShowsAFrameAsAWhole(t *testing.T) {
	terminal, line, err := os.Pipe()
	tuitest.Must(t, err)
	var slow atomic.Bool
	size, err := tui.Synchronized(line, &slow).Write([]byte("frame"))
	tuitest.Must(t, err)
	tuitest.Must(t, line.Close())
	written, err := io.ReadAll(terminal)
	tuitest.Must(t, err)
	if string(written) != "\x1b[?2026hframe\x1b[?2026l" || size != len("frame") {
		t.Errorf("the terminal received %q, and the write reports %d bytes", written, size)
	}
	if buffer := new(bytes.Buffer); tui.Synchronized(buffer, &slow) != io.Writer(buffer) {
		t.Error("a buffer is taken for a terminal")
	}
}

// serial is a terminal with a slow connection. The field is the time that the connection needs for
// a frame.
type serial struct {
	term.File
	takes time.Duration
}

func (s serial) Write(frame []byte) (int, error) {
	time.Sleep(s.takes)
	return len(frame), nil
}

func TestASlowLineIsNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for takes, want := range map[time.Duration]bool{100 * time.Millisecond: false, time.Second: true} {
			var slow atomic.Bool
			_, err := tui.Synchronized(serial{takes: takes}, &slow).Write([]byte("frame"))
			tuitest.Must(t, err)
			tuitest.Equal(t, slow.Load(), want, "after a frame of %v, slow", takes)
		}
	})
}
