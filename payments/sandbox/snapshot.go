package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
)

// ErrData is returned for a file with other content than a sandbox's orders and deliveries.
var ErrData = errors.New("is not a data file of a sandbox: name another file")

// snapshotFormat is the version of the data file. A file of another version is refused.
const snapshotFormat = 1

// snapshot is the JSON of a data file. Of the faults, it contains only the event faults of single
// orders.
type snapshot struct {
	Format     int         `json:"till_sandbox"`
	Orders     []*Order    `json:"orders"`
	Deliveries []*Delivery `json:"deliveries"`
}

func (s *Sandbox) restore() error {
	if s.config.Data == "" {
		return nil
	}
	text, err := os.ReadFile(s.config.Data)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.MkdirAll(filepath.Dir(s.config.Data), 0o700)
	}
	if err != nil {
		return fmt.Errorf("open the data file: %w", err)
	}
	if len(text) > 0 { // An empty file is accepted, because it may have been created for the sandbox.
		var kept snapshot
		if err := json.Unmarshal(text, &kept, JSON()); err != nil || kept.Format != snapshotFormat {
			return fmt.Errorf("%s %w", s.config.Data, ErrData)
		}
		s.orders, s.deliveries = kept.Orders, kept.Deliveries
		for _, restored := range s.deliveries {
			s.lastID = restored.ID
			if restored.Stage == Waiting {
				s.queue = append(s.queue, restored)
			} else if restored.Stage == Sending {
				s.plan(restored, 0) // Send it again: the sandbox may have ended before the event arrived.
			}
		}
	}
	return s.save()
}

// save replaces the data file. The caller holds s.mu.
func (s *Sandbox) save() error {
	if s.config.Data == "" {
		return nil
	}
	text, err := json.Marshal(snapshot{snapshotFormat, s.orders, s.deliveries}, JSON())
	draft := s.config.Data + ".tmp"
	if err == nil {
		err = os.WriteFile(draft, text, 0o600)
	}
	if err == nil {
		err = os.Rename(draft, s.config.Data)
	}
	if err != nil {
		s.config.Logger.Error("data file not written", slog.String(logFailure, err.Error()))
		return fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	return nil
}
