// Package field is one line of text that a person types. It guarantees that
// what is typed or pasted is cleaned before it is drawn, that a paste never
// submits anything, and that it starts no program to read the clipboard.
package field

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/tui/theme"
)

// Field is a line of text. It is a value; the zero Field is empty.
type Field struct {
	input textinput.Model
	limit int
}

// New returns an empty field that takes up to limit characters.
func New(styles theme.Theme, prompt string, limit int) Field {
	input := textinput.New()
	input.Prompt, input.CharLimit = prompt, limit
	input.PromptStyle = styles.Accent
	input.TextStyle = styles.Strong
	input.Cursor.Style = styles.Cursor
	input.KeyMap.Paste.SetEnabled(false) // Terminals paste by themselves.
	return Field{input: input, limit: limit}
}

// Value is what was typed, without blanks around it.
func (f Field) Value() string { return strings.TrimSpace(f.input.Value()) }

// Text is what was typed, blanks and all.
func (f Field) Text() string { return f.input.Value() }

// Empty tells whether nothing was typed.
func (f Field) Empty() bool { return f.Text() == "" }

// With returns the field with another text, and the cursor at its end.
func (f Field) With(text string) Field {
	f.input.SetValue(f.tidy(text))
	f.input.CursorEnd()
	return f
}

// Focus returns the field with the cursor in it, or without.
func (f Field) Focus(on bool) Field {
	if on {
		f.input.Focus()
	} else {
		f.input.Blur()
	}
	return f
}

// SetPrompt puts another prompt before the text.
func (f Field) SetPrompt(prompt string) Field {
	f.input.Prompt = prompt
	return f
}

// SetWidth gives the field its room with the prompt, in columns.
func (f Field) SetWidth(width int) Field {
	f.input.Width = max(1, width-theme.Width(f.input.Prompt)-1)
	// The part that is in view is chosen anew only when the cursor leaves it.
	position := f.input.Position()
	f.input.CursorEnd()
	f.input.SetCursor(position)
	return f
}

// Type hands a key to the field. Keys with alt are no text.
func (f Field) Type(msg tea.KeyMsg) (_ Field, cmd tea.Cmd) {
	if msg.Type == tea.KeyRunes && msg.Alt {
		return f, nil
	}
	f.input, cmd = f.input.Update(msg)
	if value := f.Text(); f.tidy(value) != value {
		before := string([]rune(value)[:f.input.Position()])
		f.input.SetValue(f.tidy(value))
		f.input.SetCursor(utf8.RuneCountInString(f.tidy(before)))
	}
	return f, cmd
}

// View draws the field.
func (f Field) View() string { return f.input.View() }

// tidy cleans a text that is being typed; the blank at its end stays.
func (f Field) tidy(text string) string {
	clean := payments.Clean(text, 2*f.limit)
	if clean != "" && strings.TrimRightFunc(text, unicode.IsSpace) != text {
		clean += " "
	}
	return clean
}
