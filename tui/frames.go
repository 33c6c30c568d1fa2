package tui

import (
	"io"
	"slices"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// synchronized returns an output that tells the terminal to show each write as a whole, so that no
// half-drawn frame is seen. A write that takes longer than patience sets slow.
func synchronized(output io.Writer, slow *atomic.Bool) io.Writer {
	if file, is := output.(term.File); is {
		return frames{file, slow}
	}
	return output
}

// patience is the longest time that a fast line takes to accept a frame, or to bring the terminal's
// reply to a request. A slower line shows no animations: their frames would delay PAID by seconds.
// A serial line is slow to accept a frame. SSH accepts every frame at once, so only the reply shows
// that its line is slow.
const patience = 500 * time.Millisecond

type frames struct {
	term.File
	slow *atomic.Bool
}

func (f frames) Write(frame []byte) (int, error) {
	began := time.Now()
	defer func() {
		if time.Since(began) > patience {
			f.slow.Store(true)
		}
	}()
	_, err := f.File.Write(slices.Concat([]byte(ansi.SetModeSynchronizedOutput), frame, []byte(ansi.ResetModeSynchronizedOutput)))
	if err != nil {
		return 0, err //nolint:wrapcheck // A writer that wraps another one returns its error unchanged.
	}
	return len(frame), nil
}
