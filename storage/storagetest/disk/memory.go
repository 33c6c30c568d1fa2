package disk

import (
	"os"
	"runtime/debug"
	"testing"
)

// Every test binary that imports the package collects garbage less often. It uses more memory and a
// quarter less time.
var _ = debug.SetGCPercent(400)

// enough is the free space, in bytes, with which a folder in memory is used. Docker gives a
// container 64 MiB by default.
const enough = 1 << 30

// Root returns the parent of the folders in memory: /dev/shm if it has enough free space, and
// otherwise the system's folder for temporary files.
func Root() string {
	const memory = "/dev/shm"
	if free(memory) < enough {
		return os.TempDir()
	}
	return memory
}

// Memory returns an empty folder in [Root], which is removed at the end of the test. A test about
// the disk itself, such as one of kills or of a full disk, uses t.TempDir instead.
func Memory(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp(Root(), "till-test-") //nolint:usetesting // t.TempDir is not in memory.
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(folder)) })
	return folder
}
