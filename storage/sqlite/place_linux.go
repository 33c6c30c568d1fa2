package sqlite

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

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
	switch kind {
	case unix.NFS_SUPER_MAGIC:
		return "NFS"
	case unix.SMB_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC:
		return "SMB"
	case unix.V9FS_MAGIC:
		return "9P"
	case unix.AFS_SUPER_MAGIC, unix.AFS_FS_MAGIC:
		return "AFS"
	case unix.CODA_SUPER_MAGIC:
		return "Coda"
	case unix.CEPH_SUPER_MAGIC:
		return "Ceph"
	case unix.OCFS2_SUPER_MAGIC:
		return "OCFS2"
	case 0x01161970:
		return "GFS2"
	case 0x564c:
		return "NCP"
	case 0x0bd00bd0:
		return "Lustre"
	case 0x47504653:
		return "GPFS"
	case 0x19830326:
		return "BeeGFS"
	case 0x786f4256:
		return "a shared folder of VirtualBox"
	case 0xbacbacbc:
		return "a shared folder of VMware"
	case 0x7c7c6673:
		return "a shared folder of Parallels"
	}
	return ""
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
