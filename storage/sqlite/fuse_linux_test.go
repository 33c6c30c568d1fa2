package sqlite_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"checkout/till/storage/sqlite"
)

// mountFUSE mounts an empty FUSE file system of a type. source is its device.
func mountFUSE(t *testing.T, source, kind, options string) (folder string) {
	t.Helper()
	device, err := unix.Open("/dev/fuse", unix.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = unix.Close(device) })
	folder = t.TempDir()
	options = fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0%s", device, options)
	if err := unix.Mount(source, folder, kind, unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		t.Skip(kind, err)
	}
	t.Cleanup(func() { _ = unix.Unmount(folder, unix.MNT_DETACH) })
	go serveFUSE(device)
	return folder
}

// serveFUSE answers the kernel's requests to a file system that has only an empty root folder.
func serveFUSE(device int) {
	request := make([]byte, 1<<17)
	for {
		length, err := unix.Read(device, request)
		if err != nil || length < 40 {
			return
		}
		var answer []byte
		fault := unix.Errno(0)
		switch binary.NativeEndian.Uint32(request[4:]) {
		case 26: // INIT
			answer = make([]byte, 64)
			binary.NativeEndian.PutUint32(answer, 7)
			binary.NativeEndian.PutUint32(answer[4:], 31)
			binary.NativeEndian.PutUint32(answer[20:], 4096) // Largest write.
		case 3: // GETATTR
			answer = make([]byte, 104)
			answer[16] = 1                                                    // Inode.
			binary.NativeEndian.PutUint32(answer[16+60:], unix.S_IFDIR|0o700) // Mode.
			answer[16+64] = 1                                                 // Links.
		case 17: // STATFS
			answer = make([]byte, 80)
		case 1: // LOOKUP
			fault = unix.ENOENT
		case 2, 36, 42: // FORGET and INTERRUPT have no answer.
			continue
		default:
			fault = unix.ENOSYS
		}
		reply := make([]byte, 16, 16+len(answer))
		binary.NativeEndian.PutUint32(reply, uint32(16+len(answer)))
		binary.NativeEndian.PutUint32(reply[4:], uint32(-int32(fault)))
		copy(reply[8:16], request[8:16])
		_, _ = unix.Write(device, append(reply, answer...))
	}
}

func TestADatabaseOnAFUSEShareIsRefused(t *testing.T) {
	folder := mountFUSE(t, "madeup", "fuse.madeup", "")
	_, err := sqlite.Open(t.Context(), filepath.Join(folder, "shop", "till.db"))
	if !errors.Is(err, sqlite.ErrUnsafe) || !strings.Contains(err.Error(), "fuse.madeup") {
		t.Errorf("error %v", err)
	}
}

// NTFS and exFAT disks may be FUSE file systems and still local.
func TestALocalDiskMayBeAFUSEFileSystem(t *testing.T) {
	image := filepath.Join(t.TempDir(), "image")
	must(t, os.WriteFile(image, make([]byte, 1<<20), 0o600))
	device, err := exec.CommandContext(t.Context(), "losetup", "--find", "--show", image).Output()
	if err != nil {
		t.Skip(err)
	}
	loop := strings.TrimSpace(string(device))
	t.Cleanup(func() { _ = exec.Command("losetup", "--detach", loop).Run() })
	folder := mountFUSE(t, loop, "fuseblk", ",blksize=512")
	if name, err := sqlite.NetworkOf(folder); name != "" || err != nil {
		t.Errorf("got %q, %v", name, err)
	}
}
