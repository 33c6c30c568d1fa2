package tui

import (
	"io"
	"slices"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// synchronized returns an output that shows each write as a whole, so that no half-drawn frame is seen:
// Bubble Tea writes a frame with one call. A terminal that does not know the mode ignores its
// sequences. An output that is not a file, such as a buffer of a test, stays as it is. If a frame takes
// long, synchronized sets slow.
func synchronized(output io.Writer, slow *atomic.Bool) io.Writer {
	if file, is := output.(term.File); is {
		return frames{file, slow}
	}
	return output
}

// slowFrame is the time after which a frame was written to a slow line, such as a serial one. There,
// the frames of an animation only delay the last one.
const slowFrame = 500 * time.Millisecond

// frames is a terminal that shows each write at once, as a synchronized update.
type frames struct {
	term.File
	slow *atomic.Bool
}

func (f frames) Write(frame []byte) (int, error) {
	began := time.Now()
	defer func() {
		if time.Since(began) > slowFrame {
			f.slow.Store(true)
		}
	}()
	_, err := f.File.Write(slices.Concat([]byte(ansi.SetModeSynchronizedOutput), frame, []byte(ansi.ResetModeSynchronizedOutput)))
	if err != nil {
		return 0, err //nolint:wrapcheck // Bubble Tea reads the error of the terminal.
	}
	return len(frame), nil
}
