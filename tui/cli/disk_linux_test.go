package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"checkout/till/storage/storagetest/disk"
	"checkout/till/tui/tuitest"
)

func TestTheDoctorNamesAFullDisk(t *testing.T) {
	c, full := newClinic(t), disk.New(t, 96<<20)
	c.env["TILL_DATABASE"] = filepath.Join(full.Folder, "till.db")
	c.says("", 0, "CASH", "cash", "sale", "--item", "Vary:3500:2")
	full.Fill()
	c.finds(t, "database", "fail", "store_down", "the disk of "+c.env["TILL_DATABASE"]+" is full: make room on it")
	full.Free()
	c.finds(t, "database", "ok", "")
}

// A USB stick may be write-protected by its switch, or because the kernel has found faults on it. A
// database file that was copied to it without "till backup" is in a mode in which SQLite must write
// into the file's folder even for reading.
func TestAProtectedDiskIsNamed(t *testing.T) {
	desk := newDesk(t)
	desk.says("", 0, "CASH", "cash", "sale", "--item", "Vary:3500:2")
	raw, err := os.ReadFile(filepath.Join(desk.env["XDG_DATA_HOME"], "till", "till.db"))
	tuitest.Must(t, err)
	stick := t.TempDir()
	if err := unix.Mount("stick", stick, "tmpfs", 0, ""); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = unix.Unmount(stick, unix.MNT_DETACH) })
	tuitest.Must(t, os.WriteFile(filepath.Join(stick, "till.db"), raw, 0o600))
	tuitest.Must(t, unix.Mount("", stick, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	desk.says("", 1, "the disk cannot be read or written. Is it write-protected", "backup", stick)
	desk.says("", 1, "you may not read or write "+stick, "restore", filepath.Join(stick, "till.db"))
}
