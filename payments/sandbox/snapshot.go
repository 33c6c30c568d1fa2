package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/go-json-experiment/json"

	"checkout/till/payments/sandbox/delivery"
)

// ErrData says that a file is no data file of a sandbox.
var ErrData = errors.New("is not a data file of a sandbox: name another file")

// ErrSnapshot says that a change could not be written to the data file. It has
// happened nevertheless, and is lost with the program.
var ErrSnapshot = errors.New("the sandbox cannot write to its data file")

// snapshotFormat is the version of the data file.
const snapshotFormat = 1

// snapshot is what outlives the program, as the JSON of a data file. The faults
// of all orders do not.
type snapshot struct {
	Format     int                 `json:"till_sandbox"`
	Orders     []Order             `json:"orders"`
	Deliveries []delivery.Delivery `json:"deliveries"`
}

// dataFile is the file that holds the snapshot.
type dataFile struct {
	path string

	mu      sync.Mutex // Held before the sandbox's.
	saved   uint64     // The version that the file holds.
	written fs.FileInfo
}

// restore takes over what a data file holds, if there is one, and owns the file
// from now on.
func (s *Sandbox) restore(path string) error {
	s.data = &dataFile{path: path}
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fmt.Errorf("make the folder of the data file: %w", err)
		}
		return s.save()
	case err != nil:
		return fmt.Errorf("open the data file: %w", err)
	}
	var kept snapshot
	if len(text) == 0 { // A file that was made for the sandbox.
		kept.Format, text = snapshotFormat, []byte("{}")
	}
	if err := json.Unmarshal(text, &kept, delivery.JSON()); err != nil || kept.Format != snapshotFormat {
		return fmt.Errorf("%s %w", path, ErrData)
	}
	s.queue.Restore(kept.Deliveries)
	for _, order := range slices.Backward(kept.Orders) {
		s.orders = append(s.orders, &order)
	}
	if s.data.written, err = os.Stat(path); err != nil {
		return fmt.Errorf("open the data file: %w", err)
	}
	s.version++
	return s.save() // The file is a new one then: another sandbox that has it notices.
}

// save returns once everything that changed before is in the data file. Changes
// that come meanwhile share the next write.
func (s *Sandbox) save() error {
	if s.data == nil {
		return nil
	}
	s.mu.Lock()
	wanted := s.version
	s.mu.Unlock()
	s.data.mu.Lock()
	defer s.data.mu.Unlock()
	if s.data.written != nil && s.data.saved >= wanted {
		return nil
	}
	s.mu.Lock() // An order changes together with its deliveries.
	version := s.version
	kept := snapshot{Format: snapshotFormat, Orders: s.list(), Deliveries: s.queue.List()}
	s.mu.Unlock()
	text, err := json.Marshal(kept, delivery.JSON())
	if err == nil {
		err = s.data.write(text)
	}
	if err != nil {
		s.config.Logger.Error("data file not written", slog.String(LogFailure, err.Error()))
		return fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	s.data.saved = version
	return nil
}

// write replaces the file atomically: it is the old one or the new one, whatever
// happens. The lock must be held.
func (f *dataFile) write(text []byte) error {
	found, err := os.Stat(f.path)
	if f.written != nil && (err != nil || !os.SameFile(found, f.written) || !found.ModTime().Equal(f.written.ModTime())) {
		return errors.New("another program has replaced or removed it")
	}
	folder := filepath.Dir(f.path)
	temporary, err := os.CreateTemp(folder, filepath.Base(f.path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temporary.Name()) }() // Gone already when it was renamed.
	_, err = temporary.Write(text)
	if err == nil {
		err = temporary.Sync()
	}
	if err := errors.Join(err, temporary.Close()); err != nil {
		return err
	}
	if err := os.Rename(temporary.Name(), f.path); err != nil {
		return err
	}
	if f.written, err = os.Stat(f.path); err != nil {
		return err
	}
	if opened, err := os.Open(folder); err == nil {
		_ = opened.Sync() // Windows syncs no folders.
		_ = opened.Close()
	}
	return nil
}
