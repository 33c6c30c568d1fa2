//go:build !linux

package postgrestest

import "syscall"

// OwnerOf lets the server run as whoever runs the tests, who must not be an
// administrator.
func OwnerOf(string) (*syscall.SysProcAttr, error) { return &syscall.SysProcAttr{}, nil }

// spawn starts the server's process.
func (s *Server) spawn() error {
	ended := make(chan struct{})
	s.ended = ended
	command := s.command
	if err := command.Start(); err != nil {
		return err
	}
	go func() {
		_ = command.Wait() // Its log tells how it ended.
		close(ended)
	}()
	return nil
}
