package plain

import (
	"bufio"
	"context"
	"io"
	"strings"
	"unicode"
)

// printer writes lines and prompts. It removes every character that is not printable, except line
// ends. A message begins on a new line, so that a screen reader reads it as a whole.
type printer struct {
	*bufio.Writer
	encode func(text string) string // Replaces the characters that the terminal cannot draw.
	echoes bool                     // Whether the terminal echoes the typed text; otherwise the printer does.
	open   bool                     // Whether the last output is a prompt, without a line end.
}

func (p *printer) say(text string) {
	p.endPrompt()
	p.put(text, "\n")
}

func (p *printer) ask(prompt string) {
	if !p.open {
		p.put(prompt, "")
		p.open = true
	}
}

// took ends the prompt after a line was typed, and writes that line if the terminal does not echo.
func (p *printer) took(typed string) {
	if p.open = false; !p.echoes {
		p.put(typed, "\n")
	}
}

func (p *printer) endPrompt() {
	if p.open {
		p.put("", "\n")
		p.open = false
	}
}

func (p *printer) put(text, end string) {
	printable := strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(p.encode(text), "\ufffd"))
	_, _ = p.WriteString(printable + end)
}

// read returns a channel with the lines of an input, without line ends. The channel is closed when
// the input or ctx ends. A read from a terminal cannot be interrupted, so the channel may be closed
// late.
func read(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		reader := bufio.NewReader(in)
		for {
			text, more, err := reader.ReadLine()
			if err != nil {
				return
			}
			typed := string(text)
			for more && err == nil {
				_, more, err = reader.ReadLine() // Drop the rest of a line that is longer than the buffer.
			}
			select {
			case lines <- typed:
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}
