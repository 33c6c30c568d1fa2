package theme

import (
	"io"
	"os"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// glyph is an entry in the kernel's table of the font's characters.
type glyph struct{ char, _ uint16 }

// hasHalfBlocks reports whether out is a virtual console whose font has half blocks. Only the
// kernel knows the characters of that font.
func hasHalfBlocks(out io.Writer) bool {
	const fontMap, most = 0x4B66, 1<<16 - 1 // GIO_UNIMAP of linux/kd.h, and its maximum number of entries.
	file, is := out.(*os.File)
	if !is {
		return false
	}
	glyphs := make([]glyph, most)
	request := struct {
		count  uint16
		glyphs *glyph
	}{most, &glyphs[0]}
	_, _, failed := unix.Syscall(unix.SYS_IOCTL, file.Fd(), fontMap, uintptr(unsafe.Pointer(&request))) //nolint:gosec // The kernel fills glyphs.
	if failed != 0 {
		return false
	}
	return has(glyphs[:request.count], '▀') && has(glyphs[:request.count], '▄')
}

func has(glyphs []glyph, char uint16) bool {
	return slices.ContainsFunc(glyphs, func(one glyph) bool { return one.char == char })
}
