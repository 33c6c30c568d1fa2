package tuitest

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// Key returns the key with a name as in key bindings, such as "enter", "shift+tab", "f1", "alt+x",
// or a character. It also accepts "space" and "escape".
func Key(name string) (tea.KeyMsg, error) {
	bare, alt := strings.CutPrefix(name, "alt+")
	switch bare {
	case "space", " ":
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}, Alt: alt}, nil
	case "escape":
		bare = "esc"
	}
	if utf8.RuneCountInString(bare) == 1 {
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(bare), Alt: alt}, nil
	}
	for kind := tea.KeyCtrlQuestionMark; kind >= tea.KeyF20; kind-- {
		if kind != tea.KeyRunes && kind.String() == bare {
			return tea.KeyMsg{Type: kind, Alt: alt}, nil
		}
	}
	return tea.KeyMsg{}, fmt.Errorf("find key %q: no key is called that", name)
}

// sequences are xterm's key sequences without the escape character.
var sequences = map[tea.KeyType]string{
	tea.KeyUp: "[A", tea.KeyDown: "[B", tea.KeyRight: "[C", tea.KeyLeft: "[D", tea.KeyHome: "[H", tea.KeyEnd: "[F",
	tea.KeyShiftTab: "[Z", tea.KeyInsert: "[2~", tea.KeyDelete: "[3~", tea.KeyPgUp: "[5~", tea.KeyPgDown: "[6~",
	tea.KeyF1: "OP", tea.KeyF2: "OQ", tea.KeyF3: "OR", tea.KeyF4: "OS", tea.KeyF5: "[15~", tea.KeyF6: "[17~",
	tea.KeyF7: "[18~", tea.KeyF8: "[19~", tea.KeyF9: "[20~", tea.KeyF10: "[21~", tea.KeyF11: "[23~", tea.KeyF12: "[24~",
	tea.KeyCtrlUp: "[1;5A", tea.KeyCtrlDown: "[1;5B", tea.KeyCtrlRight: "[1;5C", tea.KeyCtrlLeft: "[1;5D",
	tea.KeyCtrlHome: "[1;5H", tea.KeyCtrlEnd: "[1;5F", tea.KeyCtrlPgUp: "[5;5~", tea.KeyCtrlPgDown: "[6;5~",
	tea.KeyShiftUp: "[1;2A", tea.KeyShiftDown: "[1;2B", tea.KeyShiftRight: "[1;2C", tea.KeyShiftLeft: "[1;2D",
}

func sequence(k tea.KeyMsg) (string, error) {
	prefix := ""
	if k.Alt {
		prefix = "\x1b"
	}
	switch tail, known := sequences[k.Type]; {
	case k.Type == tea.KeyRunes || k.Type == tea.KeySpace:
		return prefix + string(k.Runes), nil
	case k.Type >= 0:
		return prefix + string(rune(k.Type)), nil
	case known:
		return prefix + "\x1b" + tail, nil
	}
	return "", fmt.Errorf("send key %q: its sequence is not known here", k.String())
}
