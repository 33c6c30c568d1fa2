package sqlite_test

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"checkout/till/storage/sqlite"
)

// protect makes a file read-only for whoever runs the tests, until release.
func protect(t *testing.T, path string) (release func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		must(t, os.Chmod(path, 0o400))
		return func() { must(t, os.Chmod(path, 0o600)) }
	}
	// Modes do not hold root back; this does, where the file system has it.
	const immutable = 0x10
	set := func(flags int) {
		file, err := os.Open(path)
		must(t, err)
		defer func() { _ = file.Close() }()
		if err := unix.IoctlSetPointerInt(int(file.Fd()), unix.FS_IOC_SETFLAGS, flags); err != nil {
			t.Skipf("the file system cannot protect a file from root: %v", err)
		}
	}
	file, err := os.Open(path)
	must(t, err)
	flags, err := unix.IoctlGetInt(int(file.Fd()), unix.FS_IOC_GETFLAGS)
	must(t, err, file.Close())
	set(flags | immutable)
	released := false
	release = func() {
		if !released {
			set(flags &^ immutable)
		}
		released = true
	}
	t.Cleanup(release)
	return release
}

func TestS3AReadOnlyDatabaseIsNoticedBeforeAnythingIsWritten(t *testing.T) {
	inBubble(t, func(t *testing.T, h *harmed) {
		h.settle()
		release := protect(t, h.path)
		h.expectNotice("the fault")
		h.expectFault(sqlite.ErrReadOnly)
		release()
		h.expectNotice("its end")
		h.expectSound()
	})
}
