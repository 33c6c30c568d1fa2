package sqlite_test

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/disk"
)

func TestAcknowledgedChangesSurviveKills(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "till.db")
	var acknowledged []string
	for round := range storagetest.Size(5, 200) {
		p := startReady(t, path)
		p.tell("write")
		acknowledged = append(acknowledged, p.stored(1+7*round%40)...)
		_ = p.Process.Kill()
		acknowledged = append(acknowledged, p.stored(math.MaxInt)...) // Include references that the process printed before it was killed.
		p.drain()
		expectWhole(t, path)
	}
	if lost := missing(t, path, acknowledged); len(lost) > 0 {
		t.Errorf("acknowledged orders are missing: %q", lost)
	}
	t.Logf("%d acknowledged, %d stored", len(acknowledged), count(t, path, "SELECT count(*) FROM orders"))
}

// missing returns the orders that the database does not contain. It fails the test if an order is
// stored incompletely.
func missing(t *testing.T, path string, references []string) (lost []string) {
	t.Helper()
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return references
	}
	expectWhole(t, path)
	store := openAt(t, path)
	for _, reference := range references {
		order, events, err := store.Order(t.Context(), reference)
		switch {
		case errors.Is(err, payments.ErrNotFound):
			lost = append(lost, reference)
		case err != nil || !order.Paid() || len(order.Items) != 2 || len(events) != 1 || events[0].BodySHA256 != sha256.Sum256([]byte(reference)):
			t.Errorf("order %s is stored in part: %+v, %d events (%v)", reference, order, len(events), err)
		}
	}
	must(t, store.Close())
	const halves = `SELECT count(*) FROM orders o FULL JOIN events e ON e.order_id = o.id WHERE o.paid_at IS NULL OR e.sequence IS NULL`
	if number := count(t, path, halves); number != 0 {
		t.Errorf("%d orders are stored in part", number)
	}
	return lost
}

func expectWhole(t *testing.T, path string) {
	t.Helper()
	if count(t, path, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'") != 0 {
		t.Error("the file is damaged")
	}
}

func TestAcknowledgedChangesSurvivePowerCuts(t *testing.T) {
	t.Parallel()
	cuts := storagetest.Size(5, 30)
	acknowledged, lost := cutPower(t, cuts)
	if len(lost) > 0 {
		t.Errorf("%d of %d acknowledged changes are missing: %q", len(lost), acknowledged, lost)
	}
	t.Logf("%d cuts, %d acknowledged", cuts, acknowledged)
}

// Without fsync at each commit, a power cut must lose changes. Otherwise
// TestAcknowledgedChangesSurvivePowerCuts could not fail.
func TestPowerCutsLoseChangesWithSynchronousNormal(t *testing.T) {
	t.Setenv(servedLax, "1")
	const cuts = 10
	for cut := range cuts {
		if acknowledged, lost := cutPower(t, 1); len(lost) > 0 {
			t.Logf("cut %d lost %d of %d acknowledged changes", cut+1, len(lost), acknowledged)
			return
		}
	}
	t.Errorf("%d cuts lost no change: they do not act as power cuts", cuts)
}

// cutPower cuts the power this many times while a process writes. It returns the
// number of acknowledged changes and the references of the lost orders.
func cutPower(t *testing.T, cuts int) (acknowledged int, lost []string) {
	t.Helper()
	disk := disk.New(t, 64<<20)
	path := filepath.Join(disk.Folder, "till.db")
	var references []string
	for cut := range cuts {
		p := startReady(t, path)
		p.tell("write")
		references = append(references, p.stored(40+23*cut%97)...)
		disk.Cut()
		// Ignore what the process prints after the cut: while the file system shuts down, some fsync calls
		// return success.
		p.drain()
		disk.Return()
		lost = append(lost, missing(t, path, references)...)
	}
	return len(references), lost
}

func TestAKillDuringCreationLeavesNoPartialDatabase(t *testing.T) {
	// The process is killed when a file with a name like this appears.
	for _, sign := range []string{"till.db.new-*", "*-journal", "*-wal", "*-shm", "till.db"} {
		t.Run(sign, func(t *testing.T) {
			for range storagetest.Size(1, 10) {
				path := filepath.Join(t.TempDir(), "till.db")
				p := start(t, path)
				for seen := false; !seen; {
					seen = slices.ContainsFunc(files(t, filepath.Dir(path)), func(name string) bool {
						matched, err := filepath.Match(sign, name)
						return matched || err != nil || name == "till.db"
					})
				}
				_ = p.Process.Kill()
				p.drain()
				if info, err := os.Stat(path); err == nil && info.Size() == 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("the killed process left a partial database: %v", err)
				}
				must(t, openAt(t, path).Probe(t.Context()))
				expectWhole(t, path)
			}
		})
	}
}
