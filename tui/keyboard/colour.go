package keyboard

import (
	"io"
	"math"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Prepare returns a command that prepares a terminal for a [Reader]. On a system where no Reader
// reads the terminal, Prepare returns nil. The command turns off the input mode of a Windows
// terminal that sends each key as numbers: a crashed program may have left that mode on. If colours
// is true, the command also asks for the colours of the text (OSC 10) and of the background (OSC
// 11).
//
// Bubble Tea runs the command after it has set the terminal to raw mode, so the replies are not
// echoed. The request never lands inside a frame, because Bubble Tea writes each frame with one
// call of Write.
func Prepare(terminal io.Writer, colours bool) tea.Cmd {
	if !Reads {
		return nil
	}
	request := endWindowsMode
	if colours {
		// The requests end with ST instead of BEL: a terminal that does not know OSC would ring its
		// bell for BEL.
		request += askText + "?\x1b\\" + askBackground + "?\x1b\\"
	}
	return func() tea.Msg {
		_, _ = io.WriteString(terminal, request)
		return nil
	}
}

const (
	endWindowsMode = "\x1b[?9001l"

	askText       = "\x1b]10;"
	askBackground = "\x1b]11;"
)

// Colours is the terminal's reply to [Prepare]: the luminances of its background and its text by
// the definition of WCAG, from 0 (black) to 1 (white). Text is nil if the terminal reported only
// the background.
type Colours struct {
	Background float64
	Text       *float64
}

// luminance parses the terminal's reply about a colour, such as "\x1b]11;rgb:1e1e/1e1e/1e1e\a".
// Each channel has one to four hexadecimal digits. asked is the beginning of the request: askText
// or askBackground. luminance returns false if the data is not a reply to that request.
func luminance(reply []byte, asked string) (sum float64, is bool) {
	colour, is := strings.CutPrefix(string(reply), asked+"rgb:")
	channels := strings.Split(strings.TrimRight(colour, "\a\x1b\\"), "/")
	weights := []float64{0.2126, 0.7152, 0.0722}
	if !is || len(channels) != len(weights) {
		return 0, false
	}
	for i, channel := range channels {
		value, err := strconv.ParseUint(channel, 16, 16)
		if err != nil {
			return 0, false
		}
		share := float64(value) / float64(uint64(1)<<(4*len(channel))-1)
		if share <= 0.04045 {
			sum += weights[i] * share / 12.92
		} else {
			sum += weights[i] * math.Pow((share+0.055)/1.055, 2.4)
		}
	}
	return sum, true
}
