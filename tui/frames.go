package tui

import (
	"io"
	"slices"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// synchronized returns an output that tells the terminal to show each write as a whole. So no
// half-drawn frame is seen, because Bubble Tea writes a frame with one call. A terminal without
// this mode ignores the sequences. An output that is not a file, such as a test's buffer, is
// returned unchanged. If writing a frame takes longer than slowFrame, the returned output sets
// slow.
func synchronized(output io.Writer, slow *atomic.Bool) io.Writer {
	if file, is := output.(term.File); is {
		return frames{file, slow}
	}
	return output
}

// slowFrame is the longest time that writing a frame takes on a fast line. If a frame takes longer,
// the line to the terminal counts as slow; it may be a serial line. On a slow line, PAID appears
// without an animation, because the frames of the animation would only delay PAID.
const slowFrame = 500 * time.Millisecond

// frames is a terminal that shows each write as a whole, as a synchronized update.
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
