// Package line talks with a person line by line, as a teletype does. It
// guarantees that what leaves are printable characters, ends of lines and the
// bell and nothing else, whatever it is told to say; that a line never begins
// within a prompt, so that what comes by itself is heard whole; and that what
// is typed stays with the terminal, which edits it.
package line

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"unicode"
)

// maxLine is how many bytes of a line are read; the rest is dropped.
const maxLine = 4096

// Printer writes lines and prompts. It is for one goroutine.
type Printer struct {
	out    io.Writer
	encode func(string) string
	echoes bool
	open   bool // A prompt stands there, and no end of line behind it.
	text   strings.Builder
	err    error
}

// NewPrinter returns a printer. encode writes a text with what the terminal can
// draw. echoes says that the terminal shows what is typed by itself; where it does
// not, the printer does.
func NewPrinter(out io.Writer, encode func(string) string, echoes bool) *Printer {
	return &Printer{out: out, encode: encode, echoes: echoes}
}

// Say writes a text on lines of its own. It is seen after Ask or Flush.
func (p *Printer) Say(text string) {
	if p.open {
		p.text.WriteByte('\n')
		p.open = false
	}
	p.text.WriteString(printable(p.encode(text)))
	p.text.WriteByte('\n')
}

// Ask writes a prompt, unless nothing was said or taken since the last one.
func (p *Printer) Ask(prompt string) {
	if !p.open {
		p.text.WriteString(printable(p.encode(prompt)))
		p.open = true
	}
	p.Flush()
}

// Took notes that a person ended a line behind the prompt.
func (p *Printer) Took(typed string) {
	if !p.echoes {
		p.text.WriteString(printable(p.encode(typed)))
		p.text.WriteByte('\n')
	}
	p.open = false
}

// Close ends the line that a prompt began.
func (p *Printer) Close() {
	if p.open {
		p.text.WriteByte('\n')
		p.open = false
	}
	p.Flush()
}

// Flush writes what was said.
func (p *Printer) Flush() {
	if p.text.Len() == 0 {
		return
	}
	_, err := io.WriteString(p.out, p.text.String())
	p.text.Reset()
	p.err = errors.Join(p.err, err)
}

// Err returns why something could not be written, nil while all was.
func (p *Printer) Err() error { return p.err }

// printable is a text without what a terminal would take for a command.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(text, "\ufffd"))
}

// Read returns the lines of an input, without their ends, until the input or
// ctx ends; the channel is closed then. Lines are read ahead by one. While the
// input says nothing the reading goes on after ctx ended, until the input ends:
// a terminal cannot be left in the middle of a line.
func Read(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		reader := bufio.NewReaderSize(in, maxLine)
		for {
			text, rest, err := reader.ReadLine()
			if err != nil {
				return
			}
			typed := string(text)
			for rest && err == nil {
				_, rest, err = reader.ReadLine()
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
