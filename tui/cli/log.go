package cli

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"gopkg.in/natefinch/lumberjack.v2"
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

// openLog opens the file into which the console logs, for the terminal is
// taken: at most 5 MiB, and one older file beside it. Without a place for it
// nothing is logged.
func (s *Shop) openLog(path string) error {
	if path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	const mebibytes = 5
	file := &lumberjack.Logger{Filename: path, MaxSize: mebibytes, MaxBackups: 1}
	_, err := file.Write(nil) // It is opened by the first write.
	if err == nil {
		s.Logger, s.closers = NewLogger(file), append(s.closers, file.Close)
	}
	return err
}
