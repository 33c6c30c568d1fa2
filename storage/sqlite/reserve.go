package sqlite

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"

	"checkout/till/payments"
)

// reserveSize is how much of the disk is kept for the outcomes of orders, in
// bytes: thousands of events, and the checkpoint that follows them.
const reserveSize = 8 << 20

// reserve is a file beside the database that takes room on the disk, so that
// there is some to give up when the disk is full. New orders are refused then,
// and the outcomes of those that there are still fit. All programs that use the
// database see the same file; who finds it gone knows the same.
type reserve struct {
	path string
	size int64
}

// low is how much room there is at least while orders are made, in bytes,
// beside the reserve.
func (r reserve) low() int64 { return r.size / 2 }

// ample is how much room there must be before the reserve is made.
func (r reserve) ample() int64 { return 2 * r.size }

// spend gives the reserve up when there is next to no room.
func (r reserve) spend() {
	if free, err := freeSpace(r.path); err == nil && free < r.low() {
		r.release()
	}
}

// release gives the reserve up.
func (r reserve) release() { _ = os.Remove(r.path) }

// room returns [payments.ErrNoRoom] when the reserve was given up, or is about to be.
// Where the system does not tell how much room there is, there is some.
func (r reserve) room() error {
	free, err := freeSpace(r.path)
	if err != nil {
		return nil //nolint:nilerr // Not knowing is no reason to refuse.
	}
	enough := r.low()
	if _, err := os.Stat(r.path); errors.Is(err, fs.ErrNotExist) {
		enough = r.ample()
	}
	if free < enough {
		return payments.ErrNoRoom
	}
	return nil
}

// fill makes the reserve when it is not there and there is ample room. What
// goes wrong is no fault of the database; the next call tries again.
func (r reserve) fill() {
	if file, err := os.Stat(r.path); err == nil && file.Size() == r.size {
		return
	}
	free, err := freeSpace(r.path)
	if err == nil && free < r.ample() {
		return
	}
	file, err := os.OpenFile(r.path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	if err := errors.Join(r.occupy(file), file.Close()); err != nil {
		r.release()
	}
}

// occupy takes the room. Where the system cannot be asked for blocks they are
// filled, with what no file system can make smaller.
func (r reserve) occupy(file *os.File) error {
	if err := allocate(file, r.size); err == nil {
		return nil
	}
	noise := rand.NewChaCha8([32]byte{})
	block := make([]byte, 64<<10)
	for left := r.size; left > 0; left -= int64(len(block)) {
		_, _ = noise.Read(block) // It never fails.
		if _, err := file.Write(block[:min(left, int64(len(block)))]); err != nil {
			return err
		}
	}
	return errors.Join(file.Truncate(r.size), file.Sync())
}
