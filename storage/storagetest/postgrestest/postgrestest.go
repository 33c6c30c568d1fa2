// Package postgrestest gives tests a PostgreSQL server of their own: made from
// the programs that are installed, in a temporary folder, on a socket there that
// nobody else uses, with its durability as it comes, and gone with the test.
//
// A test package starts it in its TestMain and asks for a database in each
// test. Without the programs the tests are skipped, or fail when
// TILL_TEST_REQUIRE is set.
package postgrestest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// folderKey names the server's folder to the tests, and to programs that they
// start.
const folderKey = "TILL_TEST_POSTGRES"

// patience bounds how long the server may take to start.
const patience = 60 * time.Second

// owner owns everything in the server, who needs no password.
const owner = "till"

// Run starts a server for the tests of a package, if it can, runs them, ends
// the server and returns the exit code. It is what TestMain does. A test that
// another one started uses the server of that one.
func Run(m *testing.M) int {
	if os.Getenv(folderKey) != "" {
		return m.Run()
	}
	server, err := Start()
	if err == nil {
		defer server.Remove()
		err = os.Setenv(folderKey, server.Folder)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "no PostgreSQL for these tests:", err)
	}
	return m.Run()
}

// Database makes an empty database for a test and returns its address. It goes
// with the server: to drop a database costs more than to make one.
func Database(t testing.TB) string {
	t.Helper()
	return Like(t, "template0")
}

// Like makes a database for a test that is the same as the one of a name, which
// nobody uses, and returns its address.
func Like(t testing.TB, template string) string {
	t.Helper()
	folder := os.Getenv(folderKey)
	switch {
	case folder == "" && os.Getenv("TILL_TEST_REQUIRE") != "":
		t.Fatal("there is no PostgreSQL server: install Debian's package postgresql")
	case folder == "":
		t.Skip("there is no PostgreSQL server")
	}
	server := Server{Folder: folder}
	name := "test_" + strings.ToLower(rand.Text())
	server.Script(t, "CREATE DATABASE "+name+" TEMPLATE "+template)
	return server.Address(name)
}

// Name returns the name of the database at an address.
func Name(address string) string {
	place, _, _ := strings.Cut(address, "?")
	return place[strings.LastIndex(place, "/")+1:]
}

// Server is a running server.
type Server struct {
	// Folder holds the server's data in the folder data, and its socket.
	Folder   string
	settings []string // Beside the usual ones, each as name=value.
	command  *exec.Cmd
	ended    chan struct{}
}

// New starts a server for a test, with settings like fsync=off beside the usual
// ones.
func New(t testing.TB, settings ...string) *Server {
	t.Helper()
	server, err := Start(settings...)
	return server.until(t, err)
}

// until removes the server at the end of a test, which is skipped, or fails, when
// the server could not be started.
func (s *Server) until(t testing.TB, err error) *Server {
	t.Helper()
	if err != nil && os.Getenv("TILL_TEST_REQUIRE") == "" {
		t.Skip("there is no PostgreSQL server: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Remove)
	return s
}

// Start makes a server and starts it, with settings like fsync=off beside the
// usual ones. Who starts it removes it.
func Start(settings ...string) (*Server, error) {
	// What the tests rely on is that the running server syncs.
	return begin(settings, "initdb", "--username", owner, "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync", "--no-instructions")
}

// begin makes a server's files in a folder of its own by a program, and starts it
// on them.
func begin(settings []string, program string, args ...string) (*Server, error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	// The path of a socket may not be long, and that of a test's folder is.
	folder, err := os.MkdirTemp("", "till-pg")
	if err != nil {
		return nil, err
	}
	s := &Server{Folder: folder, settings: settings}
	as, err := OwnerOf(folder)
	if err == nil {
		command := exec.Command(filepath.Join(bin, program), append(args, "--pgdata", s.data())...)
		command.SysProcAttr, command.Dir = as, folder
		var output []byte
		if output, err = command.CombinedOutput(); err != nil {
			err = fmt.Errorf("run %s: %w: %s", program, err, output)
		}
	}
	if err == nil {
		err = s.launch(bin, as)
	}
	if err != nil {
		_ = os.RemoveAll(folder)
		return nil, err
	}
	return s, nil
}

// programs returns the folder with the newest version of the server's programs.
func programs() (string, error) {
	folders, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if found, missing := exec.LookPath("postgres"); missing == nil {
		folders = append(folders, filepath.Dir(found))
	}
	if err != nil || len(folders) == 0 {
		return "", errors.Join(err, errors.New("postgres is nowhere: install Debian's package postgresql"))
	}
	version := func(folder string) int {
		number, _ := strconv.Atoi(filepath.Base(filepath.Dir(folder))) // 0 for a folder that is not Debian's.
		return number
	}
	return slices.MaxFunc(folders, func(a, b string) int { return version(a) - version(b) }), nil
}

func (s *Server) data() string { return filepath.Join(s.Folder, "data") }

// launch starts the server on what it has and waits until it answers.
func (s *Server) launch(bin string, as *syscall.SysProcAttr) error {
	log, err := os.OpenFile(filepath.Join(s.Folder, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	args := []string{"-D", s.data(), "-k", s.Folder}
	for _, setting := range append([]string{"listen_addresses=", "max_connections=200", "shared_buffers=64MB"}, s.settings...) {
		args = append(args, "-c", setting)
	}
	s.command = exec.Command(filepath.Join(bin, "postgres"), args...)
	s.command.SysProcAttr, s.command.Dir = as, s.Folder
	s.command.Stdout, s.command.Stderr = log, log
	if err := s.spawn(); err != nil {
		return fmt.Errorf("start the database server: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		plain, err := pgx.Connect(ctx, s.Address("postgres"))
		if err == nil {
			return plain.Close(ctx)
		}
		select {
		case <-s.ended:
			said, _ := os.ReadFile(log.Name())
			return fmt.Errorf("the database server ended: %s", said)
		case <-ctx.Done():
			return fmt.Errorf("the database server does not answer: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// spawn starts the server's process. Linux ends it with the thread that started
// it, so that thread stays until then.
func (s *Server) spawn() error {
	ended, started := make(chan struct{}), make(chan error, 1)
	s.ended = ended
	command := s.command
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := command.Start()
		started <- err
		if err == nil {
			_ = command.Wait() // Its log tells how it ended.
		}
		close(ended)
	}()
	return <-started
}

// Kill ends the server as a power cut would: what it had not written is gone.
func (s *Server) Kill() {
	_ = s.command.Process.Signal(syscall.SIGKILL) // It has ended, or it will.
	<-s.ended
}

// Restart starts a server that has ended on what it has.
func (s *Server) Restart() error {
	bin, err := programs()
	if err != nil {
		return err
	}
	as, err := OwnerOf(s.Folder)
	if err != nil {
		return err
	}
	// Processes of a server that was killed notice it a moment later.
	err = s.launch(bin, as)
	for begun := time.Now(); err != nil && time.Since(begun) < patience; err = s.launch(bin, as) {
		<-time.After(100 * time.Millisecond)
	}
	return err
}

// Remove ends the server and removes its files.
func (s *Server) Remove() {
	_ = s.command.Process.Signal(syscall.SIGQUIT) // It leaves everything as it is.
	select {
	case <-s.ended:
	case <-time.After(patience):
		s.Kill()
	}
	_ = os.RemoveAll(s.Folder)
}

// Address returns the address of one of the server's databases.
func (s *Server) Address(database string) string {
	return "postgres://" + owner + "@/" + database + "?host=" + url.QueryEscape(s.Folder)
}

// Script runs statements in the server's first database.
func (s *Server) Script(t testing.TB, statements ...string) {
	t.Helper()
	Script(t, s.Address("postgres"), statements...)
}

// Script runs statements in a database, each for itself.
func Script(t testing.TB, address string, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := Try(t, address, statement); err != nil {
			t.Fatalf("%s: %v", strings.TrimSpace(statement), err)
		}
	}
}

// Try runs statements as psql does, on a connection of their own, and returns
// the first column of all rows that they return.
func Try(t testing.TB, address, statements string) (texts []string, err error) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context()) // It may be over.
	plain, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = plain.Close(ctx) }()
	results, err := plain.PgConn().Exec(ctx, statements).ReadAll()
	for _, result := range results {
		for _, row := range result.Rows {
			texts = append(texts, string(row[0]))
		}
	}
	return texts, err
}
