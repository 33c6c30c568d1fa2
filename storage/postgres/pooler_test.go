package postgres_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/postgrestest"
)

// startPooler starts pgbouncer before a server, in the mode in which each
// transaction has another connection or in another one, and returns how an
// address becomes one through it.
func startPooler(t *testing.T, mode string) (through func(address string) string) {
	t.Helper()
	first := postgrestest.Database(t)
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer"
	}
	if _, err := os.Stat(program); err != nil {
		if os.Getenv("TILL_TEST_REQUIRE") != "" {
			t.Fatal("there is no pgbouncer: install Debian's package pgbouncer")
		}
		t.Skip("there is no pgbouncer")
	}
	folder, err := os.MkdirTemp("", "till-pool") //nolint:usetesting // The path of a socket may not be long.
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	host := os.Getenv("TILL_TEST_POSTGRES")
	settings := "[databases]\n* = host=" + host + " user=till\n[pgbouncer]\nunix_socket_dir = " + folder +
		"\nlisten_addr =\nlisten_port = 5432\nauth_type = any\npool_mode = " + mode +
		"\ndefault_pool_size = 20\nmax_client_conn = 100\nlogfile = " + filepath.Join(folder, "log") + "\n"
	file := filepath.Join(folder, "pgbouncer.ini")
	must(t, os.WriteFile(file, []byte(settings), 0o644))
	command := exec.Command(program, file)
	if command.SysProcAttr, err = postgrestest.OwnerOf(folder); err != nil {
		t.Fatal(err)
	}
	must(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	through = func(address string) string {
		return strings.Replace(address, strings.ReplaceAll(host, "/", "%2F"), strings.ReplaceAll(folder, "/", "%2F"), 1)
	}
	expectSoon(t, "the pooler answers", func() bool {
		plain, err := pgx.Connect(t.Context(), through(first))
		if err == nil {
			err = plain.Close(t.Context())
		}
		return err == nil
	})
	return through
}

func TestP6BehindAPoolerOfTransactionsItPollsAndSaysSo(t *testing.T) {
	for mode, polls := range map[string]bool{"transaction": true, "session": false} {
		t.Run(mode, func(t *testing.T) {
			through := startPooler(t, mode)(postgrestest.Database(t))
			mine, others := openAt(t, through), openAt(t, through)
			storagetest.Fill(t, others, 50)
			notices := mine.Watch(t.Context())
			expectNotice(t, notices) // Of the orders that are there.
			for n := range 50 {
				receive(t, others, n)
			}
			expectNotice(t, notices)
			if mine.Connection().Polls != polls {
				t.Errorf("it polls: %v, want %v", mine.Connection().Polls, polls)
			}
		})
	}
}

// P8: the suite is the same behind a pooler.
func TestContractBehindAPooler(t *testing.T) {
	if os.Getenv("TILL_TEST_LONG") == "" {
		t.Skip("the suite runs without a pooler")
	}
	contract(t, startPooler(t, "transaction"), postgres.Timed(20*time.Millisecond, 0))
}
