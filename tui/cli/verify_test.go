package cli_test

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"checkout/till/tui/tuitest"
)

// script runs SQL on the database, and creates the database if necessary.
func (d *desk) script(statements string) {
	d.t.Helper()
	d.says("", 0, "", "order", "list")
	db, err := sql.Open("sqlite", d.env["XDG_DATA_HOME"]+"/till/till.db")
	tuitest.Must(d.t, err)
	_, err = db.ExecContext(d.t.Context(), statements)
	tuitest.Must(d.t, err)
	tuitest.Must(d.t, db.Close())
}

// tag replaces the random tag of the database by GT.
func (d *desk) tag() { d.script("UPDATE meta SET value = 26 * 6 + 19 WHERE key = 'tag'") }

func TestVerifyNamesTheRowThatDiffers(t *testing.T) {
	d := newDesk(t)
	const harm = `INSERT INTO events (sequence, id, order_reference, kind, kinds, reference, amount, currency,
		description, error, received_at, outcome, count, body, body_sha256, body_size)
		VALUES (1, zeroblob(32), 'REF_1', 'payment.success', x'0000000000', x'', x'', x'', x'', x'', 1, 'unmatched', 1,
		cast('{"event":"payment.success","data":{"order_reference":"REF_1"}}' AS BLOB), zeroblob(32), 62)`
	d.script(harm)
	d.says("", 1, "events 1 its body is not the one that was received\n", "verify")
	d.says("", 1, "events 1 its fields are not those of its body\n", "verify")
	d.says("", 1, "3 of the database's rows are not as they should be", "verify")
	d.says("", 1, `"orders":0,"cash_sales":0,"events":1,"found":3,"differences":[{"table":"events","row":"1","problem":"`, "verify", "--json")
}

// If an X report was printed or photographed, its seal proves that the records before it did not
// change.
func TestVerifyFindsTheSealOfAPaper(t *testing.T) {
	d := newDesk(t)
	d.says("", 0, "", "cash", "float", "50000")
	paper := d.output("cash", "out", "500", "bread")
	_, seal, _ := strings.Cut(strings.TrimSpace(paper), "Seal ")
	seal = strings.TrimSpace(seal)
	d.says("", 0, "", "cash", "in", "700", "change")
	d.says("", 0, "remark: transfers 2 it has the seal ", "verify", "--seal", seal)
	d.says("", 0, "remark: transfers 2 it has the seal ", "verify", "--seal", strings.ToUpper(strings.ReplaceAll(seal, " ", "")))
	d.says("", 1, "transfers  none has the seal 0123456789abcdef\n", "verify", "--seal", "0123 4567 89ab cdef")
	d.says("", 1, "First compare its 16 digits with the paper", "verify", "--seal", "0123 4567 89ab cdef")
	if strings.Contains(d.err.String(), "restore") {
		t.Errorf("a mistyped seal advises a restore, which loses sales: %s", d.err.String())
	}
	for _, wrong := range []string{"0123", "0123 4567 89ab cdeg"} {
		d.says("", 2, "type the 16 digits of the seal", "verify", "--seal", wrong)
	}
}

func TestVerifyPrintsRemarksAndSucceeds(t *testing.T) {
	d := newDesk(t)
	d.says("", 0, "", "cash", "float", "500")
	d.pass(-48 * time.Hour)
	d.says("", 0, "", "cash", "float", "500")
	d.pass(72 * time.Hour)
	d.says("", 0, "remark: transfers 2 its time is 2026-11-19", "verify")
	d.says("", 0, `"remarks":[{"table":"transfers","row":"2","problem":"its time is 2026-11-19`, "verify", "--json")
}
