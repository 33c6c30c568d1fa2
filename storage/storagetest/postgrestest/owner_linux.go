package postgrestest

import (
	"os"
	"os/user"
	"runtime"
	"strconv"
	"syscall"
)

// OwnerOf returns as whom a server runs, and gives that user its folder: the
// server refuses to be root. It ends with the process that started it.
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
	uid, err := strconv.ParseUint(account.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(account.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	attributes.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	if err := os.Chmod(folder, 0o755); err != nil {
		return nil, err
	}
	return attributes, os.Chown(folder, int(uid), int(gid))
}

// spawn starts the server's process. The system ends it with the thread that
// started it, so that thread stays until then.
func (s *Server) spawn() error {
	ended, started := make(chan struct{}), make(chan error, 1)
	s.ended = ended
	command := s.command
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := command.Start()
		started <- err
		if err == nil {
			_ = command.Wait() // Its log tells how it ended.
		}
		close(ended)
	}()
	return <-started
}
