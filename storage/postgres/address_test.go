package postgres_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest/postgrestest"
)

// Whatever is wrong, nobody reads the password.
func TestNoErrorHoldsThePassword(t *testing.T) {
	const password = "not-a-real-pass%2Fword"
	folder, missing := t.TempDir(), filepath.Join(t.TempDir(), "missing.pem")
	garbage := filepath.Join(folder, "garbage.pem")
	must(t, os.WriteFile(garbage, []byte("no certificate"), 0o600))
	server := postgrestest.Database(t)
	for name, c := range map[string]struct {
		address string
		want    error
		says    string
	}{
		"nobody listens":          {"postgres://till:" + password + "@127.0.0.1:1/shop", postgres.ErrUnreachable, ""},
		"several, and nobody":     {"postgres://till:" + password + "@127.0.0.1:1,127.0.0.1:2/shop", postgres.ErrUnreachable, ""},
		"no such socket":          {"postgres://till:" + password + "@/shop?host=" + folder, postgres.ErrUnreachable, ""},
		"a wrong port":            {"postgres://till:" + password + "@127.0.0.1:x/shop", postgres.ErrAddress, ""},
		"a port out of range":     {"postgres://till:" + password + "@127.0.0.1:70000/shop", postgres.ErrAddress, ""},
		"a wrong escape":          {"postgres://till:%zz" + password + "@127.0.0.1/shop", postgres.ErrAddress, ""},
		"a slash in it":           {"postgres://till:/" + password + "@127.0.0.1/shop", postgres.ErrAddress, ""},
		"an at sign in it":        {"postgres://till:a@" + password + "@127.0.0.1:1/shop", postgres.ErrAddress, ""},
		"as a parameter":          {"postgres://127.0.0.1:1/shop?password=" + password, postgres.ErrUnreachable, ""},
		"with a wrong parameter":  {"postgres://till:" + password + "@127.0.0.1:1/shop?sslmode=perhaps", postgres.ErrAddress, ""},
		"a missing certificate":   {"postgres://till:" + password + "@127.0.0.1:1/shop?sslmode=verify-full&sslrootcert=" + missing, postgres.ErrAddress, ""},
		"no certificate":          {"postgres://till:" + password + "@127.0.0.1:1/shop?sslmode=verify-full&sslrootcert=" + garbage, postgres.ErrAddress, ""},
		"a wrong time":            {"postgres://till:" + password + "@127.0.0.1:1/shop?connect_timeout=" + password, postgres.ErrAddress, ""},
		"nobody the server knows": {strings.Replace(server, "till@", "nobody:"+password+"@", 1), postgres.ErrRefused, "nobody"},
		"no such database":        {strings.Replace(server, "till@", "till:"+password+"@", 1) + "&dbname=none", postgres.ErrRefused, "CREATE DATABASE"},
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
					t.Errorf("the password is told: %v", err)
				}
			}
		})
	}
}
