package postgres_test

import (
	"os"
	"os/user"
	"strconv"
	"syscall"
	"testing"
)

// asNobody is as whom a program runs that refuses to be root, in a folder that
// becomes its own. It ends with the test, however that ends.
func asNobody(t *testing.T, folder string) *syscall.SysProcAttr {
	t.Helper()
	attributes := &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if os.Getuid() != 0 {
		return attributes
	}
	account, err := user.Lookup("nobody")
	if err != nil {
		t.Fatal(err)
	}
	uid, uidErr := strconv.Atoi(account.Uid)
	gid, gidErr := strconv.Atoi(account.Gid)
	if uidErr != nil || gidErr != nil {
		t.Fatal(uidErr, gidErr)
	}
	if err := os.Chown(folder, uid, gid); err != nil {
		t.Fatal(err)
	}
	attributes.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return attributes
}
