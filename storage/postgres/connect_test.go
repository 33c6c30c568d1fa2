package postgres_test

import (
	"errors"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest/postgrestest"
)

func TestAServerThatWouldLosePaymentsIsRefused(t *testing.T) {
	for _, setting := range []string{"synchronous_commit"} {
		address := postgrestest.Database(t)
		postgrestest.Script(t, address, "ALTER DATABASE "+postgrestest.Name(address)+" SET "+setting+" = off")
		_, err := postgres.Open(t.Context(), address)
		if !errors.Is(err, postgres.ErrUnsafe) || !strings.Contains(err.Error(), setting) {
			t.Errorf("error %v, want %v", err, postgres.ErrUnsafe)
		}
		postgrestest.Script(t, address, "ALTER DATABASE "+postgrestest.Name(address)+" SET "+setting+" = on")
		openAt(t, address)
	}
}

func TestADatabaseThatIsNotTillsIsRefused(t *testing.T) {
	address := postgrestest.Database(t)
	postgrestest.Script(t, address, "CREATE TABLE orders (id integer)")
	if _, err := postgres.Open(t.Context(), address); !errors.Is(err, postgres.ErrForeign) {
		t.Errorf("error %v, want %v", err, postgres.ErrForeign)
	}
	newer := postgrestest.Database(t)
	if err := openAt(t, newer).Close(); err != nil {
		t.Fatal(err)
	}
	postgrestest.Script(t, newer, "UPDATE till_schema SET version = version + 1")
	if _, err := postgres.Open(t.Context(), newer); err == nil || !strings.Contains(err.Error(), "update till") {
		t.Errorf("error %v", err)
	}
	latin := postgrestest.Database(t)
	postgrestest.Script(t, latin, "CREATE DATABASE "+postgrestest.Name(latin)+"_l ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
	_, err := postgres.Open(t.Context(), strings.Replace(latin, "?", "_l?", 1))
	if !errors.Is(err, postgres.ErrEncoding) {
		t.Errorf("error %v, want %v", err, postgres.ErrEncoding)
	}
}

// An error of the server in the middle of a change takes all of it back, and
// the change after it works.
func TestAChangeAfterAnErrorOfTheServerIsNotHalfWritten(t *testing.T) {
	store := openAt(t, postgrestest.Database(t))
	number := func(tx payments.Tx) (int64, error) { return tx.Desk().NextNumber("series") }
	err := store.Update(t.Context(), func(tx payments.Tx) error {
		if _, err := number(tx); err != nil {
			return err
		}
		// The server takes no such text; the error is passed over.
		_ = tx.Desk().DropSale("\x00")
		return nil
	})
	if err == nil {
		t.Error("a transaction that the server took back was acknowledged")
	}
	err = store.Update(t.Context(), func(tx payments.Tx) error {
		if got, err := number(tx); err != nil || got != 1 {
			t.Errorf("number %d (%v), want 1", got, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
