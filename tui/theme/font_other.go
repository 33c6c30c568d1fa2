//go:build !linux

package theme

import "io"

// hasHalfBlocks returns false: only Linux reports the characters of the console's font.
func hasHalfBlocks(io.Writer) bool { return false }
