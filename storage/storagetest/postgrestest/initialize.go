package postgrestest

import (
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// initialize makes the files of an empty server.
func initialize(bin, data string) error {
	// --no-sync applies only to initdb; the running server syncs.
	return run(bin, data, "initdb", "--username", owner, "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync", "--no-instructions")
}

// run runs a program that makes a server's files in the folder data. The program runs as the
// server's user.
func run(bin, data, program string, args ...string) error {
	folder := filepath.Dir(data)
	as, err := OwnerOf(folder)
	if err != nil {
		return err
	}
	command := exec.Command(filepath.Join(bin, program), append(args, "--pgdata", data)...)
	command.SysProcAttr, command.Dir = as, folder
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("run %s: %w: %s", program, err, output)
	}
	return nil
}

// Standby starts a server that is an asynchronous replica of this one.
func (s *Server) Standby(t testing.TB) *Server {
	t.Helper()
	standby, err := begin(s.settings, func(bin, data string) error {
		return run(bin, data, "pg_basebackup", "--host", s.Folder, "--username", owner,
			"--checkpoint", "fast", "--wal-method", "stream", "--write-recovery-conf", "--no-sync")
	})
	return standby.until(t, err)
}

// Detach waits until the standby has everything that the primary has committed, and then stops the
// replication.
func (s *Server) Detach(t testing.TB, primary *Server) {
	t.Helper()
	reached, err := Try(t, primary.Address("postgres"), "SELECT pg_current_wal_flush_lsn()")
	if err != nil {
		t.Fatal(err)
	}
	s.await(t, "SELECT pg_last_wal_replay_lsn() >= '"+reached[0]+"'")
	s.Script(t, "ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()")
	s.await(t, "SELECT count(*) = 0 FROM pg_stat_wal_receiver")
}

// Promote makes a standby a primary, and waits until the server confirms it.
func (s *Server) Promote(t testing.TB) {
	t.Helper()
	s.await(t, "SELECT pg_promote()")
}

// Either returns the address of a database on one of two servers. A client connects to the server
// that accepts writes.
func Either(one, other *Server, database string) string {
	return "postgres://" + owner + "@/" + database + "?target_session_attrs=read-write&host=" +
		url.QueryEscape(strings.Join([]string{one.Folder, other.Folder}, ","))
}

func (s *Server) await(t testing.TB, question string) {
	t.Helper()
	for begun := time.Now(); time.Since(begun) < patience; <-time.After(20 * time.Millisecond) {
		if answer, err := Try(t, s.Address("postgres"), question); err == nil && slices.Equal(answer, []string{"t"}) {
			return
		}
	}
	t.Fatalf("%s: not within %s", question, patience)
}
