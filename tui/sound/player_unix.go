//go:build !windows

package sound

import (
	"bytes"
	"context"
	"os/exec"
	"time"
)

// newPlayer returns a player that runs the first audio program that is installed, or nil. find
// returns the path of a program.
func newPlayer(find func(program string) (string, error)) player {
	for _, candidate := range [][]string{{"pw-play", "-"}, {"paplay", "/dev/stdin"}, {"aplay", "-q", "-"}} {
		path, err := find(candidate[0])
		if err != nil {
			continue
		}
		return func(ctx context.Context, file []byte) error {
			command := exec.CommandContext(ctx, path, candidate[1:]...) //nolint:gosec // One of the programs above.
			command.Stdin = bytes.NewReader(file)
			command.WaitDelay = time.Second
			return command.Run()
		}
	}
	return nil
}
