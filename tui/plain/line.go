package plain

import (
	"bufio"
	"context"
	"io"
	"strings"
	"unicode"
)

// printer writes lines and prompts as a teletype does. What leaves are printable
// characters and ends of lines, whatever it is told to say, and a line never begins
// within a prompt, so that what comes by itself is heard whole. It is for one
// goroutine. What was written is seen after Flush, which returns the first error.
type printer struct {
	*bufio.Writer
	encode func(text string) string // Writes a text with what the terminal can draw.
	echoes bool                     // The terminal shows what is typed; where it does not, the printer does.
	open   bool                     // A prompt stands there, and no end of line behind it.
}

// say writes a text on lines of its own.
func (p *printer) say(text string) {
	p.endPrompt()
	p.put(text, "\n")
}

// ask writes a prompt, unless nothing was said or taken since the last one.
func (p *printer) ask(prompt string) {
	if !p.open {
		p.put(prompt, "")
		p.open = true
	}
}

// took notes that a person ended a line behind the prompt.
func (p *printer) took(typed string) {
	if p.open = false; !p.echoes {
		p.put(typed, "\n")
	}
}

// endPrompt ends the line that a prompt began.
func (p *printer) endPrompt() {
	if p.open {
		p.put("", "\n")
		p.open = false
	}
}

// put writes a text without what a terminal would take for a command.
func (p *printer) put(text, end string) {
	printable := strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(p.encode(text), "\ufffd"))
	_, _ = p.WriteString(printable + end)
}

// read returns the lines of an input, without their ends, until the input or
// ctx ends; the channel is closed then. Lines are read ahead by one. While the
// input says nothing the reading goes on after ctx ended, until the input ends:
// a terminal cannot be left in the middle of a line.
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
				_, more, err = reader.ReadLine() // Beyond the reader's buffer a line is dropped.
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
