package cli_test

import (
	"testing"

	"golang.org/x/sys/unix"
)

// A stick may be write-protected: by its switch, or because the kernel has found faults on it.
func TestABackupToAProtectedDiskSaysSo(t *testing.T) {
	desk := newDesk(t)
	desk.says("", 0, "CASH", "cash", "sale", "--item", "Vary:3500:2")
	stick := t.TempDir()
	if err := unix.Mount("stick", stick, "tmpfs", unix.MS_RDONLY, ""); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = unix.Unmount(stick, unix.MNT_DETACH) })
	desk.says("", 1, "the disk cannot be read or written. Is it write-protected", "backup", stick)
}
