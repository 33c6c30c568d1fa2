package tui_test

import (
	"bytes"
	"io"
	"os"
	"testing"

	"checkout/till/tui"
	"checkout/till/tui/tuitest"
)

func TestATerminalShowsAFrameAsAWhole(t *testing.T) {
	terminal, line, err := os.Pipe()
	tuitest.Must(t, err)
	size, err := tui.Synchronized(line).Write([]byte("frame"))
	tuitest.Must(t, err)
	tuitest.Must(t, line.Close())
	written, err := io.ReadAll(terminal)
	tuitest.Must(t, err)
	if string(written) != "\x1b[?2026hframe\x1b[?2026l" || size != len("frame") {
		t.Errorf("the terminal received %q, and the write reports %d bytes", written, size)
	}
	if buffer := new(bytes.Buffer); tui.Synchronized(buffer) != io.Writer(buffer) {
		t.Error("a buffer is taken for a terminal")
	}
}
