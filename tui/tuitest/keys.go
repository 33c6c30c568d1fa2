package tuitest

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// Key finds the key that is called name, as key bindings call it: "enter",
// "shift+tab", "ctrl+c", "f1", "alt+x", or a character. "space" and "escape"
// are understood, too.
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

// sequence is what a terminal sends for k.
func sequence(k tea.KeyMsg) (string, error) {
	prefix := ""
	if k.Alt {
		prefix = "\x1b"
	}
	switch {
	case k.Type == tea.KeyRunes || k.Type == tea.KeySpace:
		return prefix + string(k.Runes), nil
	case k.Type >= 0:
		return prefix + string(rune(k.Type)), nil
	}
	tail := special(k.Type)
	if tail == "" {
		return "", fmt.Errorf("send key %q: its sequence is not known here", k.String())
	}
	return prefix + "\x1b" + tail, nil
}

// special is what follows the escape character in a key's sequence, as xterm
// sends it.
func special(kind tea.KeyType) string {
	switch kind {
	case tea.KeyUp:
		return "[A"
	case tea.KeyDown:
		return "[B"
	case tea.KeyRight:
		return "[C"
	case tea.KeyLeft:
		return "[D"
	case tea.KeyHome:
		return "[H"
	case tea.KeyEnd:
		return "[F"
	case tea.KeyShiftTab:
		return "[Z"
	case tea.KeyInsert:
		return "[2~"
	case tea.KeyDelete:
		return "[3~"
	case tea.KeyPgUp:
		return "[5~"
	case tea.KeyPgDown:
		return "[6~"
	default:
		return modified(kind)
	}
}

// modified goes on where special ends: function keys, and those held together
// with another.
func modified(kind tea.KeyType) string {
	switch kind {
	case tea.KeyF1, tea.KeyF2, tea.KeyF3, tea.KeyF4:
		return "O" + string(rune('P'+int(tea.KeyF1-kind)))
	case tea.KeyF5:
		return "[15~"
	case tea.KeyF6, tea.KeyF7, tea.KeyF8, tea.KeyF9, tea.KeyF10:
		return fmt.Sprintf("[%d~", 17+int(tea.KeyF6-kind))
	case tea.KeyF11, tea.KeyF12:
		return fmt.Sprintf("[%d~", 23+int(tea.KeyF11-kind))
	case tea.KeyCtrlUp, tea.KeyCtrlDown, tea.KeyCtrlRight, tea.KeyCtrlLeft:
		return "[1;5" + string(rune('A'+int(tea.KeyCtrlUp-kind)))
	case tea.KeyShiftUp, tea.KeyShiftDown, tea.KeyShiftRight, tea.KeyShiftLeft:
		return "[1;2" + string(rune('A'+int(tea.KeyShiftUp-kind)))
	case tea.KeyCtrlHome:
		return "[1;5H"
	case tea.KeyCtrlEnd:
		return "[1;5F"
	case tea.KeyCtrlPgUp:
		return "[5;5~"
	case tea.KeyCtrlPgDown:
		return "[6;5~"
	default:
		return ""
	}
}
