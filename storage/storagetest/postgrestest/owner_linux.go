package postgrestest

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// OwnerOf returns the attributes for the server's process. PostgreSQL refuses to run as root. So if
// root runs the tests, the server runs as another user, who gets folder and everything in it. The
// server ends with the process that started it.
func OwnerOf(folder string) (*syscall.SysProcAttr, error) {
	attributes := &syscall.SysProcAttr{Pdeathsig: syscall.SIGQUIT}
	if os.Getuid() != 0 {
		return attributes, nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		if account, err = user.Lookup("nobody"); err != nil {
			return nil, err
		}
	}
	uid, badUser := strconv.ParseUint(account.Uid, 10, 32)
	gid, badGroup := strconv.ParseUint(account.Gid, 10, 32)
	attributes.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	given := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		return cmp.Or(err, os.Lchown(path, int(uid), int(gid)))
	})
	return attributes, errors.Join(badUser, badGroup, os.Chmod(folder, 0o755), given)
}
