//go:build !linux

package theme

import "io"

// hasHalfBlocks returns false, because only Linux reports the console's font.
func hasHalfBlocks(io.Writer) bool { return false }
