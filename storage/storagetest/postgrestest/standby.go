package postgrestest

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Standby makes a server that follows this one, asynchronously, and starts it.
// Who starts it removes it.
func (s *Server) Standby() (*Server, error) {
	return begin(s.settings, func(standby *Server, bin string, as *syscall.SysProcAttr) error {
		return standby.run(as, filepath.Join(bin, "pg_basebackup"), "--pgdata", standby.data(), "--host", s.Folder,
			"--username", owner, "--checkpoint", "fast", "--wal-method", "stream", "--write-recovery-conf", "--no-sync")
	})
}

// Detach lets a standby hear no more of the server that it follows, once it has
// all that is committed there now.
func (s *Server) Detach(primary *Server) error {
	var reached string
	if err := primary.ask("SELECT pg_current_wal_flush_lsn()::text", &reached); err != nil {
		return err
	}
	if err := s.await("SELECT pg_last_wal_replay_lsn() >= '" + reached + "'"); err != nil {
		return err
	}
	for _, statement := range []string{"ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()"} {
		if err := s.ask(statement); err != nil {
			return err
		}
	}
	return s.await("SELECT count(*) = 0 FROM pg_stat_wal_receiver")
}

// Promote lets a standby take over.
func (s *Server) Promote() error { return s.await("SELECT pg_promote()") }

// Either returns the address of a database at whichever of two servers takes
// writes.
func Either(one, other *Server, database string) string {
	return "postgres://" + owner + "@/" + database + "?target_session_attrs=read-write&host=" +
		url.QueryEscape(strings.Join([]string{one.Folder, other.Folder}, ","))
}

// await asks until the answer is yes.
func (s *Server) await(question string) error {
	for begun := time.Now(); ; <-time.After(20 * time.Millisecond) {
		var yes bool
		switch err := s.ask(question, &yes); {
		case err != nil:
			return err
		case yes:
			return nil
		case time.Since(begun) > patience:
			return fmt.Errorf("%s: not within %s", question, patience)
		}
	}
}

// ask runs a statement in the server's first database, and reads its only row.
func (s *Server) ask(statement string, into ...any) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	plain, err := pgx.Connect(ctx, s.Address("postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = plain.Close(ctx) }()
	if len(into) == 0 {
		_, err = plain.Exec(ctx, statement)
		return err
	}
	return plain.QueryRow(ctx, statement).Scan(into...)
}
