package cli

import (
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
)

// NewLogger returns a logger that writes lines of text.
func NewLogger(out io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(out, nil)) }

// The keys of the log.
const (
	LogFailure = "failure" // Its text.
	logAddress = "address"
	logEvents  = "events"
	logOldest  = "oldest"
	logFile    = "file"
)

// maxLog is the size, in bytes, above which a log is put aside when the
// console opens. One old log is kept.
const maxLog = 5 << 20

// OpenLog opens the file into which the console logs, for the terminal is
// taken. Without a place for it nothing is logged.
func OpenLog(path string) (io.WriteCloser, error) {
	if path == "" {
		return nowhere{}, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	about, err := os.Stat(path)
	if err == nil && about.Size() > maxLog {
		err = os.Rename(path, path+".1")
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
}

// nowhere takes what is written and drops it.
type nowhere struct{}

// Write drops the text.
func (nowhere) Write(text []byte) (int, error) { return len(text), nil }

// Close does nothing.
func (nowhere) Close() error { return nil }
