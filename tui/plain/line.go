package plain

import (
	"bufio"
	"context"
	"io"
	"strings"
	"unicode"
)

// printer writes lines and prompts. It removes every character that is not printable, except line
// ends. A message always begins on a new line after a prompt, so that a screen reader reads the
// message as a whole. The output is written by Flush, which returns the first error. A printer is
// not safe for concurrent use.
type printer struct {
	*bufio.Writer
	encode func(text string) string // Replaces the characters that the terminal cannot draw.
	echoes bool                     // Whether the terminal echoes the typed text; otherwise the printer does.
	open   bool                     // Whether the last output is a prompt, without a line end.
}

// say writes a text as whole lines. After a prompt, it first ends the line of the prompt.
func (p *printer) say(text string) {
	p.endPrompt()
	p.put(text, "\n")
}

// ask writes a prompt, unless the last output is a prompt.
func (p *printer) ask(prompt string) {
	if !p.open {
		p.put(prompt, "")
		p.open = true
	}
}

// took ends the prompt after the cashier has typed a line. If the terminal does not echo, took
// writes the typed text and a line end.
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

// put writes a text without its control characters, followed by end.
func (p *printer) put(text, end string) {
	printable := strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(p.encode(text), "\ufffd"))
	_, _ = p.WriteString(printable + end)
}

// read returns a channel with the lines of an input, without their line ends. It reads one line
// ahead. It closes the channel when the input or ctx ends. If ctx ends during a read, the channel
// stays open until the read returns, because a read from a terminal cannot be interrupted.
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
