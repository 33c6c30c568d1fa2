package keyboard

import (
	"io"
	"math"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Prepare returns a command that prepares a terminal for a [Reader], or nil if no Reader reads the
// terminal. The command turns off an input mode of Windows terminals that a crashed program may
// have left on. If colours is true, it also asks for the colours of text and background; see
// [Colours].
//
// Bubble Tea runs the command in raw mode, so the replies are not echoed. It writes each frame with
// one Write, so the request never lands inside a frame.
func Prepare(terminal io.Writer, colours bool) tea.Cmd {
	if !Reads {
		return nil
	}
	request := endWindowsMode
	if colours {
		// A terminal that does not know OSC would ring its bell for BEL, so the requests end with
		// ST.
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

// Colours is the terminal's reply to [Prepare]: the luminances of background and text by WCAG, from
// 0 (black) to 1 (white). Text is nil if it is unknown.
type Colours struct {
	Background float64
	Text       *float64
}

// luminance parses a reply such as "\x1b]11;rgb:1e1e/1e1e/1e1e\a", with one to four hexadecimal
// digits for each channel. asked is askText or askBackground.
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
