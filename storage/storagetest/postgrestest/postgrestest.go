// Package postgrestest gives tests a PostgreSQL server with the default durability. It runs the
// installed programs in a temporary folder, listens on a socket there, and ends with the tests. The
// folder is in memory if possible. Tests that kill the server need no disk, because the operating
// system keeps all data that a killed program has written.
//
// The tests of a package share a server, which starts when the first of them asks for a database.
// The package's TestMain calls [Run], which ends the server. Without the programs the tests are
// skipped, or fail if TILL_TEST_REQUIRE is set.
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
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"checkout/till/storage/storagetest/disk"
)

// folderKey is the environment variable with the server's folder, for the tests and the programs
// that they start.
const folderKey = "TILL_TEST_POSTGRES"

const patience = 60 * time.Second

// owner is the user who owns all databases of the server and needs no password.
const owner = "till"

// Run runs the tests of the package, ends the server that they used, and returns the exit code. Call
// it in TestMain.
func Run(m *testing.M) int {
	inherited := os.Getenv(folderKey) != ""
	defer func() {
		if !inherited && os.Getenv(folderKey) != "" {
			server, _ := shared() // Cannot fail: the variable is set, so the server was started.
			server.Remove()
		}
	}()
	return m.Run()
}

// shared starts the server of this process, once. A child process of a test uses the server that
// its parent has started before.
var shared = sync.OnceValues(func() (*Server, error) {
	if folder := os.Getenv(folderKey); folder != "" {
		return &Server{Folder: folder}, nil
	}
	server, err := begin(nil, func(bin, data string) error {
		if err := initialize(bin, data); err != nil {
			return err
		}
		return os.CopyFS(emptyOf(filepath.Dir(data)), os.DirFS(data))
	})
	if err != nil {
		return nil, err
	}
	return server, os.Setenv(folderKey, server.Folder)
})

// emptyOf returns the folder, within the shared server's folder, with the files of an empty server.
func emptyOf(folder string) string { return filepath.Join(folder, "empty") }

// Database makes an empty database for a test and returns its address. The database is dropped at
// the end of the test.
func Database(t testing.TB) string {
	t.Helper()
	return Like(t, "template0")
}

// Like copies the named database for a test and returns the address of the copy. PostgreSQL refuses
// to copy a database that somebody is connected to, so close its stores first.
func Like(t testing.TB, template string) string {
	t.Helper()
	server, err := shared()
	skipWithout(t, err)
	name := "test_" + strings.ToLower(rand.Text())
	server.Script(t, "CREATE DATABASE "+name+" TEMPLATE "+template)
	t.Cleanup(func() { server.Script(t, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)") })
	return server.Address(name)
}

// Name returns the database name in an address, without the options.
func Name(address string) string {
	place, _, _ := strings.Cut(address, "?")
	return place[strings.LastIndex(place, "/")+1:]
}

// Server is a PostgreSQL server of the tests, in a folder of its own.
type Server struct {
	// Folder contains the server's socket, and its data in the subfolder data.
	Folder   string
	settings []string // Further settings, each in the form name=value.
	command  *exec.Cmd
	ended    chan struct{}
}

// New starts a server for a test. settings are further settings, such as fsync=off.
func New(t testing.TB, settings ...string) *Server {
	t.Helper()
	server, err := Start(settings...)
	return server.until(t, err)
}

// until removes the server at the end of a test. If err says that the server did not start, it
// calls skipWithout.
func (s *Server) until(t testing.TB, err error) *Server {
	t.Helper()
	skipWithout(t, err)
	t.Cleanup(s.Remove)
	return s
}

// skipWithout skips the test if err is not nil, or fails it if TILL_TEST_REQUIRE is also set.
func skipWithout(t testing.TB, err error) {
	t.Helper()
	switch {
	case err != nil && os.Getenv("TILL_TEST_REQUIRE") != "":
		t.Fatal(err)
	case err != nil:
		t.Skip("there is no PostgreSQL server: ", err)
	}
}

// Start makes and starts a server. settings are further settings, such as fsync=off. The caller
// must remove the server.
func Start(settings ...string) (*Server, error) {
	return begin(settings, func(bin, data string) error {
		shared := os.Getenv(folderKey)
		if shared == "" {
			return initialize(bin, data)
		}
		// A copy takes a tenth of the time of initdb.
		return errors.Join(os.CopyFS(data, os.DirFS(emptyOf(shared))), os.Chmod(data, 0o700))
	})
}

func begin(settings []string, fill func(bin, data string) error) (*Server, error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	// The path of a socket must be short, but the folder of a test has a long path.
	folder, err := os.MkdirTemp(disk.Root(), "till-pg")
	if err != nil {
		return nil, err
	}
	s := &Server{Folder: folder, settings: settings}
	if err = fill(bin, s.data()); err == nil {
		err = s.launch(bin)
	}
	if err != nil {
		_ = os.RemoveAll(folder)
		return nil, err
	}
	return s, nil
}

// programs returns the folder that contains the newest version of the server's programs.
func programs() (string, error) {
	folders, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if found, missing := exec.LookPath("postgres"); missing == nil {
		folders = append(folders, filepath.Dir(found))
	}
	if err != nil || len(folders) == 0 {
		return "", errors.Join(err, errors.New("postgres is nowhere: install Debian's package postgresql"))
	}
	version := func(folder string) int {
		number, _ := strconv.Atoi(filepath.Base(filepath.Dir(folder))) // For a folder that is not Debian's, this gives 0.
		return number
	}
	return slices.MaxFunc(folders, func(a, b string) int { return version(a) - version(b) }), nil
}

func (s *Server) data() string { return filepath.Join(s.Folder, "data") }

func (s *Server) launch(bin string) error {
	as, err := OwnerOf(s.Folder)
	if err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(s.Folder, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	args := []string{"-D", s.data(), "-k", s.Folder}
	// With mmap, the shared memory of a killed server is removed with its folder.
	usual := []string{"listen_addresses=", "max_connections=200", "shared_buffers=64MB", "max_wal_size=128MB", "dynamic_shared_memory_type=mmap"}
	for _, setting := range append(usual, s.settings...) {
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

// spawn starts the server's process. Linux ends the process when the thread that started it ends,
// so a goroutine keeps the thread until the process has ended.
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
			_ = command.Wait() // Ignore the error, because the server's log says how the process ended.
		}
		close(ended)
	}()
	return <-started
}

// Kill ends the server as in a crash: data in its memory is lost. On Linux it also ends the
// server's child processes, because they could complete a transaction.
func (s *Server) Kill() {
	process := s.command.Process
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%[1]d/task/%[1]d/children", process.Pid)) // Ignore the error: only Linux has the file.
	_ = process.Kill()                                                                      // This fails only if the process has already ended.
	for child := range strings.FieldsSeq(string(children)) {
		pid, _ := strconv.Atoi(child)
		if process, err := os.FindProcess(pid); err == nil && pid > 0 {
			_ = process.Kill()
		}
	}
	<-s.ended
}

// Restart starts an ended server on its files.
func (s *Server) Restart() error {
	bin, err := programs()
	if err != nil {
		return err
	}
	// Try again while processes of the killed server still run.
	err = s.launch(bin)
	for begun := time.Now(); err != nil && time.Since(begun) < patience; err = s.launch(bin) {
		<-time.After(100 * time.Millisecond)
	}
	return err
}

// Remove ends the server without a clean shutdown, and removes its files.
func (s *Server) Remove() {
	_ = s.command.Process.Signal(syscall.SIGQUIT) // SIGQUIT ends the server without a clean shutdown.
	select {
	case <-s.ended:
	case <-time.After(patience):
		s.Kill()
	}
	_ = os.RemoveAll(s.Folder)
}

// Address returns the postgres:// URL of a database, through the server's socket.
func (s *Server) Address(database string) string {
	return "postgres://" + owner + "@/" + database + "?host=" + url.QueryEscape(s.Folder)
}

// Script runs statements in the server's database postgres.
func (s *Server) Script(t testing.TB, statements ...string) {
	t.Helper()
	Script(t, s.Address("postgres"), statements...)
}

// Script runs statements in a database, each in a separate transaction.
func Script(t testing.TB, address string, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := Try(t, address, statement); err != nil {
			t.Fatalf("%s: %v", strings.TrimSpace(statement), err)
		}
	}
}

// Try runs statements on a separate connection, as psql does, and returns the
// first column of all returned rows.
func Try(t testing.TB, address, statements string) (texts []string, err error) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context()) // The test's context may have ended.
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
