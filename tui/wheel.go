package tui

import (
	"io"
	"os"
)

// The switches between a terminal's two screens, as Bubble Tea writes them, and
// what keeps, sets and gives back how the wheel is told to programs (xterm's
// alternate scroll).
const (
	otherScreen = "\x1b[?1049h"
	firstScreen = "\x1b[?1049l"
	wheelOn     = "\x1b[?1007s\x1b[?1007h"
	wheelOff    = "\x1b[?1007r"
)

// wheeled is a terminal whose wheel sends Up and Down as long as its other
// screen is open, however that is opened and closed: at the start and the end,
// around a suspension, and when the program breaks. The mouse stays the
// terminal's, so that text can be selected. A terminal that knows none of it,
// and draws something, does so on the screen that goes.
type wheeled struct{ *os.File }

func wheel(out io.Writer) io.Writer {
	if terminal, is := out.(*os.File); is {
		return wheeled{terminal}
	}
	return out
}

// Write writes p. Bubble Tea writes a switch between the screens by itself.
func (w wheeled) Write(p []byte) (int, error) {
	var whole string
	switch string(p) {
	case otherScreen:
		whole = otherScreen + wheelOn
	case firstScreen:
		whole = wheelOff + firstScreen
	default:
		return w.File.Write(p)
	}
	if _, err := w.File.WriteString(whole); err != nil {
		return 0, err
	}
	return len(p), nil
}

// WriteString is Write, which the file's own would pass by.
func (w wheeled) WriteString(s string) (int, error) { return w.Write([]byte(s)) }
