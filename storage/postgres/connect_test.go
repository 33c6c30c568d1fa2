package postgres_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/postgrestest"
)

// These settings can be set when the server starts, for a user or for a database, and they can
// change later. Open reads them, and an open store checks them again.
func TestAServerWithUnsafeSettingsIsRefused(t *testing.T) {
	t.Parallel()
	settings := []string{"fsync", "full_page_writes", "synchronous_commit"}
	for _, setting := range settings {
		t.Run("started with "+setting+" off", func(t *testing.T) {
			t.Parallel()
			server := postgrestest.New(t, setting+"=off")
			_, err := postgres.Open(t.Context(), server.Address("postgres"), postgres.Options{})
			expectUnsafe(t, err, setting)
		})
	}
	t.Run("synchronous_commit off for the database, or for the user", func(t *testing.T) {
		t.Parallel()
		address := postgrestest.Database(t)
		name := postgrestest.Name(address)
		postgrestest.Script(t, address, "CREATE ROLE u_"+name+" SUPERUSER LOGIN")
		address = as(t, address, "u_"+name)
		for _, place := range []string{"DATABASE " + name, "ROLE u_" + name, "ROLE u_" + name + " IN DATABASE " + name} {
			postgrestest.Script(t, address, "ALTER "+place+" SET synchronous_commit = off")
			_, err := postgres.Open(t.Context(), address, postgres.Options{})
			expectUnsafe(t, err, "synchronous_commit")
			postgrestest.Script(t, address, "ALTER "+place+" RESET synchronous_commit")
		}
		for _, safe := range []string{"local", "remote_write", "on", "remote_apply"} {
			postgrestest.Script(t, address, "ALTER DATABASE "+name+" SET synchronous_commit = "+safe)
			openAt(t, address)
		}
	})
	t.Run("switched off at the server while a till is open", func(t *testing.T) {
		t.Parallel()
		server := postgrestest.New(t)
		store := openAt(t, server.Address("postgres"))
		must(t, store.Update(t.Context(), storagetest.TakeNumber))
		const setting = "fsync"
		server.Script(t, "ALTER SYSTEM SET "+setting+" = off", "SELECT pg_reload_conf()")
		var err error
		expectSoon(t, "a change is refused", func() bool { err = store.Update(t.Context(), storagetest.TakeNumber); return err != nil })
		expectUnsafe(t, err, setting)
		if _, err := store.Orders(t.Context(), payments.Query{}); err == nil {
			t.Error("an unsafe server can still be read")
		}
		server.Script(t, "ALTER SYSTEM RESET "+setting, "SELECT pg_reload_conf()")
		expectSoon(t, "a change is taken again", func() bool { return store.Update(t.Context(), storagetest.TakeNumber) == nil })
	})
}

func expectUnsafe(t *testing.T, err error, setting string) {
	t.Helper()
	if !errors.Is(err, postgres.ErrUnsafe) || !strings.Contains(err.Error(), setting+" is off") {
		t.Errorf("error %v, want %v for %s", err, postgres.ErrUnsafe, setting)
	}
}

func TestAnUnusableDatabaseIsRefusedWithAdvice(t *testing.T) {
	t.Parallel()
	foreign, newer, old, latin, poor := postgrestest.Database(t), postgrestest.Database(t), postgrestest.Database(t), postgrestest.Database(t), postgrestest.Database(t)
	postgrestest.Script(t, foreign, "CREATE TABLE orders (id integer)")
	must(t, openAt(t, newer).Close())
	postgrestest.Script(t, newer, "UPDATE meta SET value = 99 WHERE key = 'schema'")
	must(t, openAt(t, old).Close())
	postgrestest.Script(t, old, "DELETE FROM meta WHERE key = 'schema'")
	postgrestest.Script(t, latin, "CREATE DATABASE "+postgrestest.Name(latin)+"_l ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
	user := "u_" + postgrestest.Name(poor)
	postgrestest.Script(t, poor, "CREATE USER "+user, "REVOKE ALL ON SCHEMA public FROM PUBLIC", "GRANT USAGE ON SCHEMA public TO PUBLIC")
	for address, want := range map[string]error{
		foreign: postgres.ErrForeign, newer: sqlstore.ErrNewerSchema, old: &sqlstore.OldSchemaError{Version: 1, Needed: sqlstore.SchemaVersion}, strings.Replace(latin, "?", "_l?", 1): postgres.ErrEncoding,
		as(t, poor, user): postgres.ErrOwner, // The user may not create the tables.
	} {
		if _, err := postgres.Open(t.Context(), address, postgres.Options{}); !errors.Is(err, want) {
			t.Errorf("error %v, want %v", err, want)
		}
	}
}

// A server error inside a transaction rolls the whole transaction back. The next transaction works.
func TestAServerErrorRollsBackTheWholeChange(t *testing.T) {
	t.Parallel()
	store := openAt(t, postgrestest.Database(t))
	number := func(tx payments.Tx) (int64, error) { return tx.NextNumber("series") }
	err := store.Update(t.Context(), func(tx payments.Tx) error {
		if _, err := number(tx); err != nil {
			return err
		}
		// PostgreSQL rejects this text. The change ignores the error. It does not prepare the next
		// statement, which the same round trip sends.
		_ = tx.DropSale("\x00")
		_ = tx.DropArticle("A1")
		_, _ = tx.Article("A1")
		return nil
	})
	if err == nil {
		t.Error("Update returned no error for a transaction that was rolled back")
	}
	must(t, store.Update(t.Context(), func(tx payments.Tx) error {
		if got, err := number(tx); err != nil || got != 1 {
			t.Errorf("number %d (%v), want 1", got, err)
		}
		return tx.DropArticle("A1")
	}))
}

func TestNoErrorHoldsThePassword(t *testing.T) {
	const password = "not-a-real-pass%2Fword"
	folder, missing := t.TempDir(), filepath.Join(t.TempDir(), "missing.pem")
	garbage := filepath.Join(folder, "garbage.pem")
	must(t, os.WriteFile(garbage, []byte("no certificate"), 0o600))
	server := postgrestest.Database(t)
	user := "crowded_" + postgrestest.Name(server)
	postgrestest.Script(t, server, "CREATE USER "+user+" CONNECTION LIMIT 0",
		"CREATE DATABASE closed_"+postgrestest.Name(server)+" ALLOW_CONNECTIONS false")
	for name, c := range map[string]struct {
		address string
		want    error
		says    string
	}{
		"a closed database":      {strings.Replace(server, "till@", "till:"+password+"@", 1) + "&dbname=closed_" + postgrestest.Name(server), postgres.ErrRefused, "its administrator has closed it"},
		"no server listens":      {"postgres://till:" + password + "@127.0.0.1:1/shop", postgres.ErrUnreachable, ""},
		"two hosts, no server":   {"postgres://till:" + password + "@127.0.0.1:1,127.0.0.1:2/shop", postgres.ErrUnreachable, ""},
		"no such socket":         {"postgres://till:" + password + "@/shop?host=" + folder, postgres.ErrUnreachable, ""},
		"no database's name":     {"postgres://till:" + password + "@127.0.0.1:1", postgres.ErrNoDatabase, "postgres://user@host/till"},
		"a wrong port":           {"postgres://till:" + password + "@127.0.0.1:x/shop", postgres.ErrAddress, ""},
		"a port out of range":    {"postgres://till:" + password + "@127.0.0.1:70000/shop", postgres.ErrAddress, ""},
		"a wrong escape":         {"postgres://till:%zz" + password + "@127.0.0.1/shop", postgres.ErrAddress, "%25 for %"},
		"an unknown parameter":   {server + "&keepalives_idle=10&password=" + password, postgres.ErrRefused, "leave this parameter out of the address"},
		"no free connection":     {as(t, server, user), postgres.ErrCrowded, "raise max_connections"},
		"a slash in it":          {"postgres://till:/" + password + "@127.0.0.1/shop", postgres.ErrAddress, ""},
		"an at sign in it":       {"postgres://till:a@" + password + "@127.0.0.1:1/shop", postgres.ErrAddress, ""},
		"as a parameter":         {"postgres://127.0.0.1:1/shop?password=" + password, postgres.ErrUnreachable, ""},
		"with a wrong parameter": {"postgres://till:" + password + "@127.0.0.1:1/shop?sslmode=perhaps", postgres.ErrAddress, ""},
		"a missing certificate":  {"postgres://till:" + password + "@127.0.0.1:1/shop?sslmode=verify-full&sslrootcert=" + missing, postgres.ErrAddress, ""},
		"no certificate":         {"postgres://till:" + password + "@127.0.0.1:1/shop?sslmode=verify-full&sslrootcert=" + garbage, postgres.ErrAddress, ""},
		"a wrong time":           {"postgres://till:" + password + "@127.0.0.1:1/shop?connect_timeout=" + password, postgres.ErrAddress, ""},
		"an unknown user":        {strings.Replace(server, "till@", "nobody:"+password+"@", 1), postgres.ErrRefused, "nobody"},
		"no such database":       {strings.Replace(server, "till@", "till:"+password+"@", 1) + "&dbname=none", postgres.ErrRefused, "CREATE DATABASE"},
	} {
		t.Run(name, func(t *testing.T) {
			store, err := postgres.Open(t.Context(), c.address, postgres.Options{})
			if err == nil {
				_ = store.Close()
				t.Fatal("opened")
			}
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want %v %s", err, c.want, c.says)
			}
			for _, secret := range []string{password, "not-a-real-pass", "/word"} {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("the error contains the password: %v", err)
				}
			}
		})
	}
}

// startPooler starts pgbouncer in transaction mode in front of a server. through converts a
// server's address to the pooler's address.
func startPooler(t *testing.T) (through func(address string) string) {
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
	folder, err := os.MkdirTemp("", "till-pool") //nolint:usetesting // Socket paths must be short.
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	host := os.Getenv("TILL_TEST_POSTGRES")
	settings := "[databases]\n* = host=" + host + " user=till\n[pgbouncer]\nunix_socket_dir = " + folder +
		"\nlisten_addr =\nlisten_port = 5432\nauth_type = any\npool_mode = transaction" +
		"\ndefault_pool_size = 20\nmax_client_conn = 100\nserver_login_retry = 1\nlogfile = " + filepath.Join(folder, "log") + "\n"
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
	expectSoon(t, "the pooler answers", func() bool { return answers(t, through(first)) })
	return through
}

func TestAStorePollsThroughATransactionPooler(t *testing.T) {
	t.Parallel()
	through := startPooler(t)(postgrestest.Database(t))
	mine, others := openAt(t, through), openAt(t, through)
	storagetest.Fill(t, others, 50)
	notices := mine.Watch(t.Context())
	expectNotice(t, notices) // Drop the notice about the inserted orders.
	for n := range 50 {
		receive(t, others, n)
	}
	expectNotice(t, notices)
	if !mine.Connection().Polls {
		t.Error("Connection().Polls is false")
	}
}

func TestContractThroughAPooler(t *testing.T) {
	t.Parallel()
	if os.Getenv("TILL_TEST_LONG") == "" {
		t.Skip("the suite runs without a pooler")
	}
	contract(t, startPooler(t))
}
