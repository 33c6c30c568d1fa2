package sqlite

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
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

// networkOf returns the name of the network file system that a path lies on;
// nothing for a local one.
func networkOf(path string) (string, error) {
	var about unix.Statfs_t
	if err := unix.Statfs(path, &about); err != nil {
		return "", err
	}
	kind := uint32(about.Type) //nolint:gosec // The numbers are 32 bits; the field's type differs between machines.
	if kind != unix.FUSE_SUPER_MAGIC {
		return networkName(kind), nil
	}
	var file unix.Stat_t
	if err := unix.Stat(path, &file); err != nil {
		return "", err
	}
	mounts, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return "", err
	}
	defer func() { _ = mounts.Close() }()
	device := fmt.Sprintf("%d:%d", unix.Major(file.Dev), unix.Minor(file.Dev))
	return fuseName(typeOfMount(mounts, device)), nil
}

// networkName names the network file systems by the numbers that Linux gives
// them. File systems of clusters count as such: nobody tried a till on them.
func networkName(kind uint32) string {
	return map[uint32]string{
		unix.NFS_SUPER_MAGIC: "NFS", unix.V9FS_MAGIC: "9P",
		unix.SMB_SUPER_MAGIC: "SMB", unix.CIFS_SUPER_MAGIC: "SMB", unix.SMB2_SUPER_MAGIC: "SMB",
		unix.AFS_SUPER_MAGIC: "AFS", unix.AFS_FS_MAGIC: "AFS", unix.CODA_SUPER_MAGIC: "Coda",
		unix.CEPH_SUPER_MAGIC: "Ceph", unix.OCFS2_SUPER_MAGIC: "OCFS2", 0x01161970: "GFS2",
		0x564c: "NCP", 0x0bd00bd0: "Lustre", 0x47504653: "GPFS", 0x19830326: "BeeGFS",
		0x786f4256: "a shared folder of VirtualBox", 0xbacbacbc: "a shared folder of VMware",
		0x7c7c6673: "a shared folder of Parallels",
	}[kind]
}

// fuseName names a file system that a program provides. There are hundreds,
// most of them for other machines' files, so that only those count as local
// that are known to be.
func fuseName(kind string) string {
	switch strings.TrimPrefix(kind, "fuse.") {
	case "", "fuseblk", "ntfs-3g", "exfat", "fuse-overlayfs", "mergerfs", "bindfs", "gocryptfs", "encfs", "cryfs":
		return ""
	}
	return kind
}

// typeOfMount returns the type that the mount table gives for a device, as in
// fuse.sshfs. It is the last word of a line's second part but for two:
//
//	36 35 0:44 / /mnt rw,relatime - fuse.sshfs shop@host: rw
func typeOfMount(mounts io.Reader, device string) string {
	lines := bufio.NewScanner(mounts)
	for lines.Scan() {
		mount, system, found := strings.Cut(lines.Text(), " - ")
		fields := strings.Fields(mount)
		kind := strings.Fields(system)
		if found && len(fields) > 2 && len(kind) > 0 && fields[2] == device {
			return kind[0]
		}
	}
	return ""
}
