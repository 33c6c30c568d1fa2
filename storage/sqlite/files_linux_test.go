package sqlite_test

import (
	"testing"

	"checkout/till/storage/sqlite"
)

func TestS1ANetworkFileSystemIsKnownByTheMountTable(t *testing.T) {
	const mounts = `22 28 0:21 / /proc rw,nosuid - proc proc rw
28 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 28 0:40 / /mnt/n rw - nfs4 shop:/data rw
31 28 0:41 / /mnt/c rw - cifs //shop/data rw
36 28 0:44 / /mnt/a\040b rw,relatime - fuse.sshfs shop@host:/data rw,user_id=0
37 28 0:45 / /mnt/s rw,relatime shared:2 master:1 - virtiofs share rw
38 28 8:17 / /mnt/u rw,relatime - fuseblk /dev/sdb1 rw
39 28 0:46 / /mnt/g rw,relatime - fuse.gocryptfs /home/x rw
half a line
`
	for device, want := range map[string]string{
		"0:40": "nfs4", "0:41": "cifs", "0:44": "fuse.sshfs", "0:45": "virtiofs", "8:17": "", "0:46": "", "9:9": "", "254:0": "",
	} {
		if got := sqlite.NetworkType(mounts, device); got != want {
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
