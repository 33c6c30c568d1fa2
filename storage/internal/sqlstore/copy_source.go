package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
)

// Source is one moment of a database that is copied from. Nothing is written to
// it.
type Source struct {
	pool     *sql.DB
	session  *session
	query    queryFunc
	sequence int64 // Its change sequence.
}

// NewSource takes hold of a moment of a database whose schema must be of the
// newest version, until ctx ends or [Source.Close], which closes the pool too.
// [ErrPending], [ErrNewerSchema], [ErrUnfinished].
func NewSource(ctx context.Context, pool *sql.DB, dialect Dialect, newest int) (*Source, error) {
	s, err := newSession(ctx, pool)
	if err != nil {
		return nil, err
	}
	source := &Source{pool: pool, session: s, query: s.querying(ctx)}
	if err := source.begin(ctx, dialect, newest); err != nil {
		s.drop()
		return nil, err
	}
	return source, nil
}

func (s *Source) begin(ctx context.Context, dialect Dialect, newest int) error {
	version, err := schemaVersion(ctx, s.session.conn, dialect)
	switch {
	case err != nil:
		return err
	case version > newest:
		return ErrNewerSchema
	case version < newest:
		return ErrPending
	}
	if _, err := s.session.exec(ctx, dialect.BeginRead()); err != nil {
		return fmt.Errorf("begin to read: %w", err)
	}
	found, err := one(s.query, scanCondition, selectCondition(Grams{}))
	if err != nil {
		return fmt.Errorf("read the change sequence: %w", err)
	}
	switch {
	case found.copying != 0:
		return ErrUnfinished
	case found.derive != 0:
		return ErrPending
	}
	s.sequence = found.sequence
	return nil
}

// Close lets go of the moment.
func (s *Source) Close() {
	s.session.drop()
	_ = s.pool.Close() // Nothing was written.
}
