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
	for name, c := range map[string]struct {
		address string
		want    error
	}{
		"nobody listens":         {"postgres://till:" + password + "@127.0.0.1:1/shop", postgres.ErrUnreachable},
		"several, and nobody":    {"postgres://till:" + password + "@127.0.0.1:1,127.0.0.1:2/shop", postgres.ErrUnreachable},
		"no such socket":         {"postgres://till:" + password + "@/shop?host=" + folder, postgres.ErrUnreachable},
		"a wrong port":           {"postgres://till:" + password + "@127.0.0.1:x/shop", postgres.ErrAddress},
		"a port out of range":    {"postgres://till:" + password + "@127.0.0.1:70000/shop", postgres.ErrAddress},
		"a wrong escape":         {"postgres://till:%zz" + password + "@127.0.0.1/shop", postgres.ErrAddress},
		"a slash in it":          {"postgres://till:/" + password + "@127.0.0.1/shop", postgres.ErrAddress},
		"an at sign in it":       {"postgres://till:a@" + password + "@127.0.0.1:1/shop", postgres.ErrAddress},
		"as a parameter":         {"postgres://127.0.0.1:1/shop?password=" + password, postgres.ErrUnreachable},
		"with a wrong parameter": {"postgres://till:" + password + "@127.0.0.1:1/shop?sslmode=perhaps", postgres.ErrAddress},
		"a missing certificate":  {"postgres://till:" + password + "@127.0.0.1:1/shop?sslmode=verify-full&sslrootcert=" + missing, postgres.ErrAddress},
		"no certificate":         {"postgres://till:" + password + "@127.0.0.1:1/shop?sslmode=verify-full&sslrootcert=" + garbage, postgres.ErrAddress},
		"a wrong time":           {"postgres://till:" + password + "@127.0.0.1:1/shop?connect_timeout=" + password, postgres.ErrAddress},
	} {
		t.Run(name, func(t *testing.T) {
			store, err := postgres.Open(t.Context(), c.address, postgres.Options{})
			if err == nil {
				_ = store.Close()
				t.Fatal("opened")
			}
			if c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("error %v, want %v", err, c.want)
			}
			for _, secret := range []string{password, "not-a-real-pass", "/word"} {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("the password is told: %v", err)
				}
			}
		})
	}
}

func TestAServerThatRefusesTheUserIsNamedWithoutThePassword(t *testing.T) {
	address := postgrestest.Database(t)
	wrong := strings.Replace(address, "till@", "nobody:not-a-real-password@", 1)
	_, err := postgres.Open(t.Context(), wrong, postgres.Options{})
	if err == nil || strings.Contains(err.Error(), "not-a-real-password") || !strings.Contains(err.Error(), "nobody") {
		t.Errorf("error %v", err)
	}
	_, err = postgres.Open(t.Context(), strings.Replace(address, "/test_", "/none_", 1), postgres.Options{})
	if err == nil || !strings.Contains(err.Error(), "CREATE DATABASE") {
		t.Errorf("error %v", err)
	}
}
