package postgrestest

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// initialize makes the files of an empty server. It copies the files that initdb made at the first
// run on this machine, because initdb is slow.
func initialize(bin, data string) error {
	// --no-sync applies only to initdb; the running server syncs.
	args := []string{"--username", owner, "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync", "--no-instructions"}
	kept, err := keptFor(filepath.Join(bin, "initdb"), args)
	if err != nil { // There is no cache.
		return run(bin, data, "initdb", args...)
	}
	if err := copyTo(data, kept); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := run(bin, data, "initdb", args...); err != nil {
		return err
	}
	return keep(data, kept)
}

// keptFor returns the folder in the user's cache for the files that a program makes with these
// arguments. Each version of the program has its own folder.
func keptFor(program string, args []string) (string, error) {
	about, err := os.Stat(program)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	name := fnv.New64a()
	_, _ = fmt.Fprint(name, program, about.Size(), about.ModTime().UnixNano(), args) // Writing to a hash never fails.
	return filepath.Join(cache, "till-test", fmt.Sprintf("postgres-%x", name.Sum64())), nil
}

// copyTo copies a server's files. The server refuses a folder that other users may read.
func copyTo(data, from string) error {
	if _, err := os.Stat(from); err != nil {
		return err
	}
	return errors.Join(os.CopyFS(data, os.DirFS(from)), os.Chmod(data, 0o700))
}

// keep copies a server's files to the folder kept, unless another process has already done so.
func keep(data, kept string) error {
	if err := os.MkdirAll(filepath.Dir(kept), 0o700); err != nil {
		return err
	}
	part, err := os.MkdirTemp(filepath.Dir(kept), "part-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(part) }()
	whole := filepath.Join(part, "data")
	if err := copyTo(whole, data); err != nil {
		return err
	}
	if err := os.Rename(whole, kept); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
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

// Promote makes a standby the primary.
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
