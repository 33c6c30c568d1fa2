//go:build !unix

package keyboard

import "io"

// Raw returns the input unchanged, because Bubble Tea reads the keys of a Windows console.
func Raw(input io.Reader) io.Reader { return input }

// Reads reports whether a [Reader] reads the keys on this system.
const Reads = false
