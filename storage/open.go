package storage

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
	"checkout/till/storage/sqlite"
)

// Store is an open database.
type Store interface {
	payments.Store
	// Probe writes and reads, durably. Its error says that events cannot be
	// stored now.
	Probe(ctx context.Context) error
	// Heard returns when the database answered last, by the machine's clock;
	// zero when it never did.
	Heard() time.Time
	// Close waits for the changes that were handed over, and closes the
	// database. The store is of no use afterwards.
	Close() error
}

type options struct {
	marks  string
	server Server
}

// Server is how a database at a server is opened.
type Server struct {
	Clock  payments.Clock // This machine's, with which the server's is compared; nil for the system's.
	Logger *slog.Logger   // Is told of what an operator should know; nil for nobody.
	Till   string         // Whose name the store holds, so that no other console of the shop has it; empty for nobody's.
	// Lazy is how long [Open] waits for the server. Then it returns a store of
	// which every call fails until the server is there. Zero is an error instead.
	Lazy time.Duration
}

// Option changes what [Open] does.
type Option func(*options)

// WithMarks names a folder in which it is noted that a database was made. One
// that was noted and is not there is [ErrGone], and is not made anew. The
// folder should lie elsewhere than the databases. Without one nothing is noted.
func WithMarks(folder string) Option { return func(o *options) { o.marks = folder } }

// WithServer sets how a database at a server is opened. A file has no use for it.
func WithServer(server Server) Option { return func(o *options) { o.server = server } }

// Open opens the database at an address: the path of an SQLite file, which is
// made if it is not there, or postgres://… for a PostgreSQL database, which must
// be there. See [sqlite.Open] and [postgres.Open] for the errors, which say what
// to do. ctx ends the opening, not the store.
func Open(ctx context.Context, address string, opts ...Option) (Store, error) {
	var chosen options
	for _, opt := range opts {
		opt(&chosen)
	}
	if Served(address) {
		return openServed(ctx, address, chosen.server)
	}
	return openFile(ctx, address, chosen.marks)
}

func openFile(ctx context.Context, address, marks string) (Store, error) {
	if err := checkFile(address); err != nil {
		return nil, err
	}
	mark, err := newMark(marks, address)
	if err != nil {
		return nil, err
	}
	if err := mark.check(); err != nil {
		return nil, err
	}
	store, err := sqlite.Open(ctx, address)
	if err != nil {
		return nil, err
	}
	mark.set()
	return store, nil
}

// SchemaVersion is the version of the schema that this program writes. Every
// open store has it, whatever keeps it.
const SchemaVersion = sqlstore.SchemaVersion

// checkFile refuses an address that is not a file's.
func checkFile(address string) error {
	switch {
	case address == "":
		return errors.New("no database is named in the settings")
	case Served(address):
		return ErrServed
	}
	_, err := CheckAddress(address)
	return err
}
