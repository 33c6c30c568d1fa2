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

// Field is a line of text. It is a value: copies are cheap, and share an input
// that nobody changes.
type Field struct {
	input *textinput.Model
	limit int
}

// New returns an empty field that takes up to limit characters.
func New(styles theme.Theme, prompt string, limit int) Field {
	input := textinput.New()
	input.Prompt, input.CharLimit = prompt, limit
	input.PromptStyle, input.TextStyle, input.Cursor.Style = styles.Accent, styles.Strong, styles.Cursor
	input.PlaceholderStyle = styles.Muted
	input.KeyMap.Paste.SetEnabled(false) // Terminals paste by themselves.
	return Field{input: &input, limit: limit}
}

// model is the field's input; an empty one in a field that New did not make.
func (f Field) model() textinput.Model {
	if f.input == nil {
		return textinput.Model{}
	}
	return *f.input
}

func (f Field) changed(change func(input *textinput.Model)) Field {
	input := f.model()
	change(&input)
	f.input = &input
	return f
}

// Value is what was typed, without blanks around it.
func (f Field) Value() string { return strings.TrimSpace(f.model().Value()) }

// Text is what was typed, blanks and all.
func (f Field) Text() string { return f.model().Value() }

// Empty tells whether nothing was typed.
func (f Field) Empty() bool { return f.Text() == "" }

// With returns the field with another text, and the cursor at its end.
func (f Field) With(text string) Field {
	return f.Put(f.tidy(text), "")
}

// Around returns the text before the cursor and behind it.
func (f Field) Around() (before, behind string) {
	input := f.model()
	value := []rune(input.Value())
	return string(value[:input.Position()]), string(value[input.Position():])
}

// Put returns the field with another text around the cursor.
func (f Field) Put(before, behind string) Field {
	return f.changed(func(input *textinput.Model) {
		input.SetValue(before + behind)
		input.SetCursor(utf8.RuneCountInString(before))
	})
}

// Focus returns the field with the cursor in it, or without.
func (f Field) Focus(on bool) Field {
	return f.changed(func(input *textinput.Model) {
		if on {
			input.Focus()
		} else {
			input.Blur()
		}
	})
}

// SetPrompt puts another prompt before the text.
func (f Field) SetPrompt(prompt string) Field {
	return f.changed(func(input *textinput.Model) { input.Prompt = prompt })
}

// SetWidth gives the field its room with the prompt, in columns.
func (f Field) SetWidth(width int) Field {
	return f.changed(func(input *textinput.Model) {
		input.Width = max(1, width-theme.Width(input.Prompt)-1)
		// The part that is in view is chosen anew only when the cursor leaves it.
		position := input.Position()
		input.CursorEnd()
		input.SetCursor(position)
	})
}

// Type hands a key to the field. Keys with alt are no text.
func (f Field) Type(msg tea.KeyMsg) (Field, tea.Cmd) {
	if msg.Type == tea.KeyRunes && msg.Alt {
		return f, nil
	}
	var cmd tea.Cmd
	return f.changed(func(input *textinput.Model) {
		*input, cmd = input.Update(msg)
		if value := input.Value(); f.tidy(value) != value {
			before := f.tidy(string([]rune(value)[:input.Position()]))
			input.SetValue(f.tidy(value))
			input.SetCursor(utf8.RuneCountInString(before))
		}
	}), cmd
}

// View draws the field.
func (f Field) View() string { return f.model().View() }

// tidy cleans a text that is being typed; the blank at its end stays.
func (f Field) tidy(text string) string {
	clean := payments.Clean(text, 2*f.limit)
	if clean != "" && strings.TrimRightFunc(text, unicode.IsSpace) != text {
		clean += " "
	}
	return clean
}
