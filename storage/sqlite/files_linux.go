package sqlite

import (
	"fmt"
	"os"
	"regexp"

	"golang.org/x/sys/unix"
)

// writable returns an error if a file is not writable, also if the file system became read-only
// because its disk is damaged.
func writable(path string) error {
	err := unix.Access(path, unix.W_OK)
	switch err {
	case unix.EACCES, unix.EPERM, unix.EROFS:
		return err
	}
	return nil // Any other error is not about permissions. The callers detect a missing file themselves.
}

// networkOf returns the name of the network file system that a path is on, or "" for a local one.
func networkOf(path string) (string, error) {
	networks := map[uint32]string{
		unix.NFS_SUPER_MAGIC: "NFS", unix.SMB_SUPER_MAGIC: "SMB", unix.SMB2_SUPER_MAGIC: "SMB", unix.CIFS_SUPER_MAGIC: "SMB",
		unix.V9FS_MAGIC: "9p", unix.AFS_SUPER_MAGIC: "AFS", unix.CEPH_SUPER_MAGIC: "Ceph", unix.CODA_SUPER_MAGIC: "Coda",
		unix.NCP_SUPER_MAGIC: "NCP", unix.OCFS2_SUPER_MAGIC: "OCFS2",
	}
	var about unix.Statfs_t
	err := unix.Statfs(path, &about)
	if err == nil && about.Type == unix.FUSE_SUPER_MAGIC {
		return shareOf(path)
	}
	return networks[uint32(about.Type)], err //nolint:gosec // The type's size differs between machines, but its 32 bits do not.
}

// shareOf returns the type of a FUSE file system that several machines may share, such as
// fuse.sshfs. It returns "" for fuseblk, which is a local disk.
func shareOf(path string) (string, error) {
	var about unix.Stat_t
	if err := unix.Stat(path, &about); err != nil {
		return "", err
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", err
	}
	device := fmt.Sprintf("%d:%d", unix.Major(uint64(about.Dev)), unix.Minor(uint64(about.Dev))) //nolint:unconvert // The field's type differs between machines.
	kind := regexp.MustCompile(`(?m)^\d+ \d+ ` + device + ` .* - (fuse\S*) `).FindSubmatch(mounts)
	if len(kind) == 0 || string(kind[1]) == "fuseblk" {
		return "", nil
	}
	return string(kind[1]), nil
}
