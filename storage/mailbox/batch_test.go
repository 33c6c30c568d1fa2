package mailbox_test

import (
	"database/sql"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"checkout/till/payments/relay"
	"checkout/till/storage/mailbox"
)

// Letters that arrive together share a commit. In each case, a statement of their common
// transaction fails.
func TestAFailedBatchIsAcknowledgedToNoneOfItsSenders(t *testing.T) {
	const senders = 20
	for name, script := range map[string]struct{ harm, mend string }{
		"COMMIT fails, by a constraint that is checked only then": {
			`CREATE TABLE allowed (id INTEGER PRIMARY KEY);
			ALTER TABLE letters ADD COLUMN checked INTEGER DEFAULT 1 REFERENCES allowed (id) DEFERRABLE INITIALLY DEFERRED`,
			`INSERT INTO allowed VALUES (1)`,
		},
		"the limits cannot be read": {
			`DROP INDEX letters_waiting`,
			`CREATE INDEX letters_waiting ON letters (box, key, seq, sender, length(sealed)) WHERE acked IS NULL`,
		},
		"a letter cannot be inserted": {
			`CREATE TRIGGER fails BEFORE INSERT ON letters BEGIN SELECT RAISE(ABORT, 'refused'); END`, `DROP TRIGGER fails`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			mail, err := mailbox.Open(t.Context(), folder, mailbox.DefaultRoom, time.Now)
			must(t, err)
			defer func() { must(t, mail.Close()) }()
			id, err := mail.Add(t.Context(), "A", nil)
			must(t, err)
			other, err := sql.Open("sqlite", "file:"+filepath.Join(folder, "relay.db"))
			must(t, err)
			defer func() { must(t, other.Close()) }()
			other.SetMaxOpenConns(1)
			run := func(statement string) {
				t.Helper()
				_, err := other.ExecContext(t.Context(), statement)
				must(t, err)
			}
			keepAll := func() (stored int) {
				t.Helper()
				var mu sync.Mutex
				var group sync.WaitGroup
				run("BEGIN IMMEDIATE") // The writer waits for this lock, and the senders wait for the writer.
				for range senders {
					group.Go(func() {
						err := mail.Keep(t.Context(), relay.Box{ID: id, Key: []byte("key")}, phone, []byte("a"))
						mu.Lock()
						defer mu.Unlock()
						if err == nil {
							stored++
						}
					})
				}
				for range 10 * senders {
					runtime.Gosched()
				}
				run("COMMIT")
				group.Wait()
				return stored
			}
			run(script.harm)
			if stored := keepAll(); stored != 0 {
				t.Errorf("%d letters were acknowledged", stored)
			}
			run(script.mend)
			stored := keepAll()
			boxes, err := mail.List(t.Context())
			if must(t, err); stored != senders || boxes[0].Waiting != senders {
				t.Errorf("afterwards %d letters were acknowledged, %d wait", stored, boxes[0].Waiting)
			}
		})
	}
}

// A request can outlive the server that has stopped.
func TestALetterForAClosedMailboxIsRefused(t *testing.T) {
	mail, err := mailbox.Open(t.Context(), t.TempDir(), mailbox.DefaultRoom, time.Now)
	must(t, err)
	id, err := mail.Add(t.Context(), "shop", []byte("hash"))
	must(t, err)
	must(t, mail.Close())
	if err := mail.Keep(t.Context(), relay.Box{ID: id}, "203.0.113.9", []byte("sealed")); err == nil {
		t.Error("the letter counts as stored")
	}
}
