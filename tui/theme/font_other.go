//go:build !linux

package theme

import "io"

// hasHalfBlocks is false: only Linux says what the font of its console has.
func hasHalfBlocks(io.Writer) bool { return false }
