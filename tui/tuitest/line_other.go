//go:build !unix

package tuitest

import (
	"errors"
	"os"
	"os/exec"
)

// line does nothing on systems without pseudo-terminals.
type line struct {
	near, far *os.File
}

func openLine(*exec.Cmd, int, int) (*line, error) {
	return nil, errors.ErrUnsupported
}

func (l *line) resize(int, int) error { return errors.ErrUnsupported }

func (l *line) pending() bool { return false }

func (l *line) raw() bool { return false }

func exitCode(state *os.ProcessState) int { return state.ExitCode() }
