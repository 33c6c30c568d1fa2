//go:build unix

package keyboard

import (
	"io"

	"github.com/charmbracelet/x/term"
)

// Raw returns an input that lets Bubble Tea set a terminal to raw mode. It has no bytes:
// a [Reader] reads them.
func Raw(input io.Reader) io.Reader {
	if file, is := input.(term.File); is {
		return raw{file}
	}
	return io.LimitReader(input, 0)
}

// Reads reports whether a [Reader] reads the keys on this system.
const Reads = true

type raw struct{ term.File }

// Read implements [io.Reader].
func (raw) Read([]byte) (int, error) { return 0, io.EOF }
