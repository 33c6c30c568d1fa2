package cli_test

import (
	"database/sql"
	"testing"

	"checkout/till/tui/tuitest"
)

func TestVerifyNamesTheRowThatDiffers(t *testing.T) {
	d := newDesk(t)
	d.says("", 0, "", "order", "list")
	path := d.env["XDG_DATA_HOME"] + "/till/till.db"
	db, err := sql.Open("sqlite", path)
	tuitest.Must(t, err)
	const harm = `INSERT INTO events (sequence, id, order_reference, kind, kinds, reference, amount, currency,
		description, error, received_at, outcome, count, body, body_sha256, body_size)
		VALUES (1, zeroblob(32), 'REF_1', 'payment.success', x'0000000000', x'', x'', x'', x'', x'', 1, 'unmatched', 1,
		cast('{"event":"payment.success","data":{"order_reference":"REF_1"}}' AS BLOB), zeroblob(32), 62)`
	if _, err := db.ExecContext(t.Context(), harm); err != nil {
		t.Fatal(err)
	}
	tuitest.Must(t, db.Close())

	d.says("", 1, "events 1 its body is not the one that was received\n", "verify")
	d.says("", 1, "events 1 its fields are not those of its body\n", "verify")
	d.says("", 1, "3 of the database's rows are not as they should be", "verify")
	d.says("", 1, `"orders":0,"cash_sales":0,"events":1,"found":3,"differences":[{"table":"events","row":"1","problem":"`, "verify", "--json")
}
