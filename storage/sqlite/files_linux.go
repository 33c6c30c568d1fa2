package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// freeSpace returns how much room there is for a file, in bytes.
func freeSpace(path string) (int64, error) {
	var about unix.Statfs_t
	if err := unix.Statfs(filepath.Dir(path), &about); err != nil {
		return 0, err
	}
	return int64(about.Bavail) * int64(about.Bsize), nil //nolint:gosec,unconvert // Their types differ between machines.
}

// writable returns why a file may not be written to. It asks the file system
// too, which makes itself read-only when its disk is damaged.
func writable(path string) error {
	err := unix.Access(path, unix.W_OK)
	switch err {
	case unix.EACCES, unix.EPERM, unix.EROFS:
		return err
	}
	return nil // Whatever else there is, others find it.
}

// networkOf returns the type of the network file system that a path lies on;
// nothing for a local one.
func networkOf(path string) (string, error) {
	var about unix.Stat_t
	if err := unix.Stat(path, &about); err != nil {
		return "", err
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	device := fmt.Sprintf("%d:%d", unix.Major(about.Dev), unix.Minor(about.Dev))
	return networkType(string(mounts), device), err
}

// networkType returns the type that the mount table gives for a device, as in
// fuse.sshfs, if it is a network's. It is the first word after the hyphen:
//
//	36 35 0:44 / /mnt rw,relatime - fuse.sshfs shop@host: rw
//
// File systems of clusters count as such: nobody tried a till on them. Of those
// that a program provides most are for other machines' files, so that only the
// ones count as local that are known to be.
func networkType(mounts, device string) string {
	network := []string{
		"nfs", "nfs4", "smb3", "smbfs", "cifs", "9p", "virtiofs", "afs", "coda", "ceph", "ocfs2", "gfs2", "ncpfs",
		"lustre", "gpfs", "beegfs", "vboxsf", "vmhgfs", "prl_fs",
	}
	local := []string{"ntfs-3g", "exfat", "fuse-overlayfs", "mergerfs", "bindfs", "gocryptfs", "encfs", "cryfs"}
	for line := range strings.Lines(mounts) {
		mount, system, _ := strings.Cut(line, " - ")
		fields, kind := strings.Fields(mount), strings.Fields(system)
		if len(fields) < 3 || len(kind) == 0 || fields[2] != device {
			continue
		}
		program, provided := strings.CutPrefix(kind[0], "fuse.")
		if slices.Contains(network, kind[0]) || provided && !slices.Contains(local, program) {
			return kind[0]
		}
		return ""
	}
	return ""
}
