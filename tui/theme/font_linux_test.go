package theme_test

import (
	"fmt"
	"os"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

// ioctl numbers of linux/kd.h and linux/vt.h.
const (
	setMap   = 0x4B67 // PIO_UNIMAP
	clearMap = 0x4B68 // PIO_UNIMAPCLR
	findFree = 0x5600 // VT_OPENQRY
)

// virtualConsole opens a free virtual console of Linux. It needs root.
func virtualConsole(t *testing.T) *os.File {
	t.Helper()
	first, err := os.OpenFile("/dev/tty0", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no virtual consoles: ", err)
	}
	defer func() { _ = first.Close() }()
	free, err := unix.IoctlGetInt(int(first.Fd()), findFree)
	if err != nil {
		t.Skip("no virtual consoles: ", err)
	}
	console, err := os.OpenFile(fmt.Sprintf("/dev/tty%d", free), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no free virtual console: ", err)
	}
	t.Cleanup(func() { _ = console.Close() })
	return console
}

// load sets the characters of the console's font.
func load(t *testing.T, console *os.File, chars string) {
	t.Helper()
	type glyph struct{ char, at uint16 }
	var glyphs []glyph
	for at, char := range []rune(chars) {
		glyphs = append(glyphs, glyph{uint16(char), uint16(at)})
	}
	hints := [3]uint16{}
	font := struct {
		count  uint16
		glyphs *glyph
	}{uint16(len(glyphs)), &glyphs[0]}
	for call, with := range [...]struct {
		number uintptr
		value  unsafe.Pointer
	}{{clearMap, unsafe.Pointer(&hints)}, {setMap, unsafe.Pointer(&font)}} {
		if _, _, failed := unix.Syscall(unix.SYS_IOCTL, console.Fd(), with.number, uintptr(with.value)); failed != 0 {
			t.Skipf("call %d: %v", call, failed)
		}
	}
}

func TestTheLinuxConsolesFontDeterminesTheCharset(t *testing.T) {
	console := virtualConsole(t)
	linux := from("TERM=linux", "LANG=C.UTF-8")
	for chars, want := range map[string]theme.Charset{
		"ab█▀▄": theme.Console,
		"ab█":   theme.Lines, // Like Debian's default fonts.
		"ab█▀":  theme.Lines,
	} {
		load(t, console, chars)
		tuitest.Equal(t, theme.ForTerminal(console, linux, theme.Auto).Charset, want, "with %q", chars)
	}
}
