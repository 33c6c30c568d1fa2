package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"checkout/till/storage/internal/sqlstore"
)

// keyNames is a key in the custom data of a connection. The value maps the text of each prepared
// statement to the name of the statement. Only a write connection without a pooler has this key: a
// pooler would lose prepared statements.
const keyNames = "names"

// send is a [sqlstore.SendFunc] that sends all statements in one round trip. database/sql would use
// one round trip for each statement.
func send(ctx context.Context, conn *sql.Conn, statements []*sqlstore.Statement) error {
	return conn.Raw(func(driverConn any) error {
		plain := driverConn.(*stdlib.Conn).Conn() //nolint:forcetypeassert // All connections are of package stdlib.
		names, _ := plain.PgConn().CustomData()[keyNames].(map[string]string)
		pipeline := plain.PgConn().StartPipeline(ctx)
		for _, s := range statements {
			sendOne(pipeline, names, s)
		}
		err := pipeline.Sync()
		for i := 0; i < len(statements) && err == nil; i++ {
			err = receive(pipeline, plain, statements[i])
		}
		if closed := pipeline.Close(); err == nil {
			err = closed
		}
		if err != nil {
			clear(names) // Prepare all statements again: some may not have been prepared.
		}
		if strings.HasPrefix(statements[0].Text, "BEGIN") && broken(err) && !errors.Is(err, os.ErrDeadlineExceeded) {
			return fmt.Errorf("%w: %w", sqlstore.ErrStale, err)
		}
		return err
	})
}

// sendOne adds a statement to the pipeline, with its arguments as text. If names is not nil (see
// keyNames), it prepares a statement with arguments only once for the connection, because planning
// takes longer than running it.
func sendOne(pipeline *pgconn.Pipeline, names map[string]string, s *sqlstore.Statement) {
	name, prepared := names[s.Text]
	if names != nil && !prepared && len(s.Args) > 0 {
		name = fmt.Sprintf("till_%d", len(names))
		names[s.Text] = name
		pipeline.SendDeallocate(name)
	}
	if !prepared {
		pipeline.SendPrepare(name, s.Text, nil)
	}
	values := make([][]byte, len(s.Args))
	for i, arg := range s.Args {
		switch arg := arg.(type) {
		case nil: // Leave values[i] nil, which means NULL.
		case []byte:
			values[i] = fmt.Appendf(nil, `\x%x`, arg)
		default:
			values[i] = []byte(fmt.Sprint(arg))
		}
	}
	pipeline.SendQueryPrepared(name, values, nil, nil)
}

func receive(pipeline *pgconn.Pipeline, plain *pgx.Conn, s *sqlstore.Statement) (err error) {
	var reader *pgconn.ResultReader
	for reader == nil && err == nil { // Skip the answer to a preparation, which comes first.
		var result any
		result, err = pipeline.GetResults()
		reader, _ = result.(*pgconn.ResultReader)
	}
	scan := func(places ...any) (err error) {
		for i, field := range reader.FieldDescriptions() {
			err = errors.Join(err, plain.TypeMap().Scan(field.DataTypeOID, field.Format, reader.Values()[i], places[i]))
		}
		return err
	}
	for more := s.Row != nil; more && err == nil && reader.NextRow(); {
		more, err = s.Row(scan)
	}
	if err == nil {
		var tag pgconn.CommandTag
		tag, err = reader.Close()
		s.Written = tag.RowsAffected()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.What, err)
	}
	return nil
}
