//go:build unix

package keyboard

import (
	"io"

	"github.com/charmbracelet/x/term"
)

// Raw returns an input that Bubble Tea can set to raw mode but cannot read, because a [Reader]
// reads the bytes.
func Raw(input io.Reader) io.Reader {
	if file, is := input.(term.File); is {
		return raw{file}
	}
	return io.LimitReader(input, 0)
}

// Reads reports whether a [Reader] reads the keys on this system.
const Reads = true

type raw struct{ term.File }

func (raw) Read([]byte) (int, error) { return 0, io.EOF }
