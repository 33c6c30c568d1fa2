package tui

import (
	"io"
	"slices"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// synchronized returns an output that shows each write as a whole, so that no half-drawn frame is seen:
// Bubble Tea writes a frame with one call. A terminal that does not know the mode ignores its
// sequences. An output that is not a file, such as a buffer of a test, stays as it is.
func synchronized(output io.Writer) io.Writer {
	if file, is := output.(term.File); is {
		return frames{file}
	}
	return output
}

// frames is a terminal in whose output each write is one synchronized update.
type frames struct{ term.File }

func (f frames) Write(frame []byte) (int, error) {
	_, err := f.File.Write(slices.Concat([]byte(ansi.SetModeSynchronizedOutput), frame, []byte(ansi.ResetModeSynchronizedOutput)))
	if err != nil {
		return 0, err //nolint:wrapcheck // Bubble Tea reads the error of the terminal.
	}
	return len(frame), nil
}
