package postgres_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest/postgrestest"
)

func TestTwoConsolesDoNotHaveOneName(t *testing.T) {
	address, other := postgrestest.Database(t), postgrestest.Database(t)
	take := func(address, name string) (*postgres.Claim, error) {
		claim, err := postgres.ClaimName(t.Context(), address, name)
		if err == nil {
			t.Cleanup(claim.Release)
		}
		return claim, err
	}
	first, err := take(address, "T1")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"T1", "t1"} {
		if _, err := take(address, name); !errors.Is(err, postgres.ErrNameTaken) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := take(address, "T2"); err != nil {
		t.Errorf("another name: %v", err)
	}
	if _, err := take(other, "T1"); err != nil {
		t.Errorf("another shop: %v", err)
	}
	first.Release()
	expectSoon(t, "the name is free again", func() bool {
		_, err := take(address, "T1")
		return err == nil
	})
}

func TestAConsoleBeginsWithoutAServerToAskForItsName(t *testing.T) {
	claim, err := postgres.ClaimName(t.Context(), "postgres://till@127.0.0.1:1/till", "T1")
	if err != nil {
		t.Fatal(err)
	}
	claim.Release()
}

// expectSoon waits for what must come.
func expectSoon(t *testing.T, what string, is func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for !is() {
		select {
		case <-deadline:
			t.Fatal(what + ": not within 20 s")
		case <-time.After(20 * time.Millisecond):
		}
	}
}
