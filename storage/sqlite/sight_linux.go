package sqlite

import (
	"time"

	"golang.org/x/sys/unix"
)

// sight is what the system says of a name: which file it is, and how that is.
type sight struct {
	device, inode uint64
	size          int64
	modified      time.Time // The zero time when it was not asked for.
}

// lookAt returns what a name stands for. The time of the last writing is asked
// for apart: Linux lets the next writing to a file whose time was seen have a
// time of its own, which costs the log's next commit a journal entry.
func lookAt(path string, timed bool) (sight, error) {
	mask := unix.STATX_INO | unix.STATX_SIZE
	if timed {
		mask |= unix.STATX_MTIME
	}
	var about unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, path, unix.AT_STATX_SYNC_AS_STAT, mask, &about)
	if err == unix.ENOSYS || err == unix.EPERM { // Before Linux 4.11, or in a cage.
		return lookAtAll(path)
	}
	if err != nil {
		return sight{}, err
	}
	return sight{
		device: unix.Mkdev(about.Dev_major, about.Dev_minor), inode: about.Ino,
		size:     int64(about.Size), //nolint:gosec // No file is larger.
		modified: time.Unix(about.Mtime.Sec, int64(about.Mtime.Nsec)),
	}, nil
}

// lookAtAll is lookAt where the system cannot be asked for a part.
func lookAtAll(path string) (sight, error) {
	var about unix.Stat_t
	if err := unix.Stat(path, &about); err != nil {
		return sight{}, err
	}
	return sight{
		device: about.Dev, inode: about.Ino, size: about.Size,
		modified: time.Unix(about.Mtim.Unix()),
	}, nil
}

// is tells whether two sights are of one file.
func (s sight) is(other sight) bool { return s.device == other.device && s.inode == other.inode }
