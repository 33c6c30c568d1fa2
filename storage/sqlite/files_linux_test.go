package sqlite_test

import (
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"checkout/till/storage/sqlite"
)

func TestS1NetworkFileSystemsAreKnownByTheirNumbers(t *testing.T) {
	for kind, want := range map[uint32]string{
		0x6969: "NFS", 0x517b: "SMB", 0xff534d42: "SMB", 0xfe534d42: "SMB", 0x01021997: "9P", 0x00c36400: "Ceph",
		0x0bd00bd0: "Lustre", 0x786f4256: "a shared folder of VirtualBox",
		unix.EXT4_SUPER_MAGIC: "", unix.XFS_SUPER_MAGIC: "", unix.BTRFS_SUPER_MAGIC: "", unix.TMPFS_MAGIC: "",
		unix.OVERLAYFS_SUPER_MAGIC: "", 0x2fc12fc1: "", unix.MSDOS_SUPER_MAGIC: "",
	} {
		if got := sqlite.NetworkName(kind); got != want {
			t.Errorf("%#x: %q, want %q", kind, got, want)
		}
	}
}

func TestS1AFileSystemThatAProgramProvidesIsLocalOnlyWhenItIsKnownToBe(t *testing.T) {
	const mounts = `22 28 0:21 / /proc rw,nosuid - proc proc rw
28 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
36 28 0:44 / /mnt/a\040b rw,relatime - fuse.sshfs shop@host:/data rw,user_id=0
37 28 0:45 / /mnt/s rw,relatime shared:2 master:1 - virtiofs share rw
38 28 8:17 / /mnt/u rw,relatime - fuseblk /dev/sdb1 rw
39 28 0:46 / /mnt/g rw,relatime - fuse.gocryptfs /home/x rw
half a line
`
	for device, want := range map[string]string{
		"0:44": "fuse.sshfs", "0:45": "virtiofs", "8:17": "", "0:46": "", "9:9": "", "254:0": "ext4",
	} {
		if got := sqlite.FuseName(sqlite.TypeOfMount(strings.NewReader(mounts), device)); got != want {
			t.Errorf("device %s: %q, want %q", device, got, want)
		}
	}
}

func TestTheFileSystemsOfThisMachineAreLocal(t *testing.T) {
	for _, path := range []string{t.TempDir(), "/proc", "/"} {
		if name, err := sqlite.NetworkOf(path); name != "" || err != nil {
			t.Errorf("%s: %q (%v)", path, name, err)
		}
	}
	if _, err := sqlite.NetworkOf(t.TempDir() + "/nothing"); err == nil {
		t.Error("what is not there has a file system")
	}
}
