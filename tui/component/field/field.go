// Package field is a one-line text input. Typed or pasted text is cleaned before it is drawn. A
// pasted line end does not submit the text. Only the terminal can paste: no program is started to
// read the clipboard.
package field

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments/clean"
	"checkout/till/tui/theme"
)

// Field is a line of text. The zero Field is empty.
type Field struct {
	input  textinput.Model
	only   string // Accepted characters; blank for all.
	styles theme.Theme
	log    []edit
}

// edit is a key press that typed characters, with the text and the cursor before it.
type edit struct {
	typed, text string
	cursor      int
}

// maxLog is how many key presses the log keeps before the newest one, for [Field.Untype]. The
// longest barcode has fewer characters.
const maxLog = 256

// New returns an empty field for up to limit characters.
func New(styles theme.Theme, prompt string, limit int) Field {
	input := textinput.New()
	input.Prompt, input.CharLimit = prompt, limit
	input.TextStyle = styles.Strong
	input.Cursor.Style = styles.Cursor
	// textinput's paste key starts a program to read the clipboard. The terminal's own paste still
	// works.
	input.KeyMap.Paste.SetEnabled(false)
	return Field{input: input, styles: styles}
}

// Only returns a field that accepts only the given characters.
func (f Field) Only(characters string) Field {
	f.only = characters
	return f
}

// Value returns the text without blanks at its beginning and end.
func (f Field) Value() string { return strings.TrimSpace(f.input.Value()) }

// Text returns the cleaned text. It may end with a blank.
func (f Field) Text() string { return f.input.Value() }

// Empty reports whether the field has no text.
func (f Field) Empty() bool { return f.Text() == "" }

// SetText replaces the text, and puts the cursor at its end.
func (f Field) SetText(text string) Field {
	f.input.SetValue(f.tidy(text))
	f.input.CursorEnd()
	f.log = nil
	return f
}

// Focus gives the field the cursor, or takes it away.
func (f Field) Focus(on bool) Field {
	if on {
		f.input.Focus()
	} else {
		f.input.Blur()
	}
	return f
}

// SetPrompt replaces the prompt. Call SetWidth afterwards, because the width includes the prompt.
func (f Field) SetPrompt(prompt string) Field {
	f.input.Prompt = prompt
	return f
}

// Masked returns the field with a dot in place of each character, for a PIN.
func (f Field) Masked() Field {
	f.input.EchoMode, f.input.EchoCharacter = textinput.EchoPassword, '●'
	return f
}

// SetWidth sets the width in columns, including the prompt.
func (f Field) SetWidth(width int) Field {
	f.input.Width = max(1, width-theme.Width(f.input.Prompt)-1)
	// textinput scrolls only when the cursor leaves the visible part, so move it to the end and
	// back.
	position := f.input.Position()
	f.input.CursorEnd()
	f.input.SetCursor(position)
	return f
}

// Type handles a key. It ignores characters typed with Alt, and text that the field does not
// accept.
func (f Field) Type(msg tea.KeyMsg) (_ Field, cmd tea.Cmd) {
	if msg.Type == tea.KeyRunes && msg.Alt {
		return f, nil
	}
	typed := string(msg.Runes)
	if typed == "" {
		f.log = nil
	} else {
		f.log = append(slices.Clip(f.log[max(0, len(f.log)-maxLog):]), edit{typed, f.Text(), f.input.Position()})
	}
	if f.only != "" && strings.Trim(typed, f.only) != "" {
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

// Untype removes text that was typed last, for example by a scanner. It stops at a key press that
// typed no text.
func (f Field) Untype(typed string) Field {
	for len(f.log) > 0 {
		last := f.log[len(f.log)-1]
		rest, is := strings.CutSuffix(typed, last.typed)
		if !is || typed == "" {
			break
		}
		typed, f.log = rest, f.log[:len(f.log)-1]
		f.input.SetValue(last.text)
		f.input.SetCursor(last.cursor)
	}
	return f
}

// View draws the prompt and the text in the width from SetWidth.
func (f Field) View() string {
	f.input.PromptStyle = f.styles.Accent // [theme.Theme.Adapt] may have changed the style.
	return f.input.View()
}

// Box draws the field in width columns, with a background.
func (f Field) Box(width int) string {
	prompt, edge := f.styles.Accent.Render(strings.TrimRight(f.input.Prompt, " ")), f.styles.Field.Render(" ")
	width -= theme.Width(prompt + edge + edge)
	f.input.Prompt = ""
	f.input.TextStyle, f.input.Cursor.TextStyle = f.styles.Field, f.styles.Field
	return prompt + edge + theme.AlignLeft(f.SetWidth(width).View(), width) + edge
}

// tidy cleans the text. It keeps one blank at the end, for text that follows.
func (f Field) tidy(text string) string {
	cleaned := clean.Text(text, 2*f.input.CharLimit)
	if cleaned != "" && strings.TrimRightFunc(text, unicode.IsSpace) != text {
		cleaned += " "
	}
	return cleaned
}
