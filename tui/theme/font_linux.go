package theme

import (
	"io"
	"os"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// hasHalfBlocks reports whether out is a virtual console of Linux whose font has the
// half blocks. The kernel says which characters the font has; other terminals do not
// answer.
func hasHalfBlocks(out io.Writer) bool {
	const fontMap = 0x4B66 // GIO_UNIMAP in linux/kd.h.
	file, is := out.(*os.File)
	if !is {
		return false
	}
	type glyph struct{ char, at uint16 }
	glyphs := make([]glyph, 1<<16-1)
	request := struct {
		count  uint16
		glyphs *glyph
	}{uint16(len(glyphs)), &glyphs[0]}
	_, _, failed := unix.Syscall(unix.SYS_IOCTL, file.Fd(), fontMap, uintptr(unsafe.Pointer(&request)))
	if failed != 0 {
		return false
	}
	has := func(char uint16) bool {
		return slices.ContainsFunc(glyphs[:request.count], func(g glyph) bool { return g.char == char })
	}
	return has('▀') && has('▄')
}
