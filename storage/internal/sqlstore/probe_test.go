package sqlstore_test

import (
	"errors"
	"strings"
	"testing"

	"checkout/till/storage/internal/sqlstore"
)

func TestAProbeFailsWhenTheDatabaseCannotBeWrittenOrRead(t *testing.T) {
	for statement, fails := range map[string]string{
		"UPDATE meta": "write to the database", "COMMIT": "write to the database",
		"SELECT value FROM meta WHERE key = 'probe'": "from the database",
	} {
		store, writer, reader := open(t, empty(t))
		fault := func(text string, _ func(string)) error {
			if strings.HasPrefix(text, statement) {
				return errDisk
			}
			return nil
		}
		reader.fail(fault)
		if fails == "write to the database" {
			writer.fail(fault)
		}
		if err := store.Probe(t.Context()); !errors.Is(err, errDisk) || !strings.Contains(err.Error(), fails) {
			t.Errorf("%s fails: error %v", statement, err)
		}
		reader.fail(nil)
		writer.fail(nil)
		if err := store.Probe(t.Context()); err != nil {
			t.Errorf("after %s failed: %v", statement, err)
		}
	}
}

func TestAProbeFailsWhenWhatIsWrittenIsNotWhatIsRead(t *testing.T) {
	writers, _ := pool(t, empty(t), 1)
	readers, _ := pool(t, empty(t), sqlstore.ReaderCount)
	store, err := sqlstore.New(t.Context(), sqlstore.Config{Writer: writers, Readers: readers, Dialect: dialect{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	if err := store.Probe(t.Context()); err == nil {
		t.Error("no error")
	}
}

func TestAStoreNeedsItsSchema(t *testing.T) {
	path := t.TempDir() + "/till.db"
	writers, _ := pool(t, path, 1)
	readers, _ := pool(t, path, sqlstore.ReaderCount)
	store, err := sqlstore.New(t.Context(), sqlstore.Config{Writer: writers, Readers: readers, Dialect: dialect{}})
	if err == nil {
		store.Close()
		t.Error("a store without tables was opened")
	}
}
