package keyboard

import (
	"io"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// AskBackground returns a command that asks a terminal for its background colour (OSC 11), or nil
// if no [Reader] reads the reply. Bubble Tea runs the command when the terminal is in raw mode, so
// that the reply is not echoed. The request cannot land inside a frame, because Bubble Tea writes
// each frame with one call.
func AskBackground(terminal io.Writer) tea.Cmd {
	if !Reads {
		return nil
	}
	return func() tea.Msg {
		// The request ends with ST instead of BEL, because a terminal that does not know OSC would ring for BEL.
		_, _ = io.WriteString(terminal, "\x1b]11;?\x1b\\")
		return nil
	}
}

// Background is the terminal's reply to [AskBackground]: the luminance of its background
// colour, from 0, black, to 1, white.
type Background float64

// background parses a reply to [AskBackground] such as "\x1b]11;rgb:1e1e/1e1e/1e1e\a". Each channel
// has one to four hexadecimal digits. It returns false for any other data.
func background(reply []byte) (Background, bool) {
	colour, is := strings.CutPrefix(string(reply), "\x1b]11;rgb:")
	channels := strings.Split(strings.TrimRight(colour, "\a\x1b\\"), "/")
	weights := []float64{0.2126, 0.7152, 0.0722}
	if !is || len(channels) != len(weights) {
		return 0, false
	}
	luminance := 0.0
	for i, channel := range channels {
		value, err := strconv.ParseUint(channel, 16, 16)
		if err != nil {
			return 0, false
		}
		largest := uint64(1)<<(4*len(channel)) - 1
		luminance += weights[i] * float64(value) / float64(largest)
	}
	return Background(luminance), true
}
