package plain

import (
	"bufio"
	"context"
	"io"
)

// Printer exports the printer of the line mode, so that tests can check each byte.
type Printer struct{ *printer }

// NewPrinter returns a printer that writes to out. The other parameters are the fields of the same
// names.
func NewPrinter(out io.Writer, encode func(string) string, echoes bool) Printer {
	return Printer{&printer{Writer: bufio.NewWriter(out), encode: encode, echoes: echoes}}
}

// Say writes a text on new lines.
func (p Printer) Say(text string) { p.say(text) }

// Ask writes a prompt.
func (p Printer) Ask(prompt string) { p.ask(prompt) }

// Took handles a typed line that was ended with Enter.
func (p Printer) Took(typed string) { p.took(typed) }

// Close ends the line of a prompt and flushes the output.
func (p Printer) Close() error {
	p.endPrompt()
	return p.Flush()
}

// Read returns a channel with the lines of an input; see read.
func Read(ctx context.Context, in io.Reader) <-chan string { return read(ctx, in) }
