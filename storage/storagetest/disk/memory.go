package disk

import (
	"os"
	"runtime/debug"
	"testing"
)

// Test binaries that import the package collect garbage less often. This costs memory and saves
// time.
var _ = debug.SetGCPercent(400)

// enough is the minimum free space for using a folder in memory, in bytes. By default, Docker gives
// a container only 64 MiB.
const enough = 1 << 30

// Root returns the folder that contains the folders of [Memory]: /dev/shm if it has enough free
// space, otherwise the system's folder for temporary files.
func Root() string {
	const memory = "/dev/shm"
	if free(memory) < enough {
		return os.TempDir()
	}
	return memory
}

// Memory returns an empty folder in [Root], which is removed at the end of the test. A test about
// the disk itself, for example with kills or a full disk, uses t.TempDir instead.
func Memory(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp(Root(), "till-test-") //nolint:usetesting // t.TempDir is not in memory.
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(folder)) })
	return folder
}
