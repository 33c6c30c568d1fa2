package cli_test

import (
	"database/sql"
	"encoding/json"
	"strings"
	"testing"
)

func TestS9VerifyNamesTheRowThatDiffersAndFails(t *testing.T) {
	d := newDesk(t)
	if code := d.run(t.Context(), "order", "list"); code != 0 {
		t.Fatalf("exit code %d: %s", code, d.err)
	}
	path := d.env["XDG_DATA_HOME"] + "/till/till.db"
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	const harm = `INSERT INTO events (sequence, id, order_reference, kind, kinds, reference, amount, currency,
		description, error, received_at, outcome, count, body, body_sha256, body_size)
		VALUES (17, zeroblob(32), 'REF_1', 'payment.success', x'0000000000', x'', x'', x'', x'', x'', 1, 'unmatched', 1,
		cast('{"event":"payment.success","data":{"order_reference":"REF_1"}}' AS BLOB), zeroblob(32), 62)`
	if _, err := db.ExecContext(t.Context(), harm); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	if code := d.run(t.Context(), "verify"); code != 1 {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{
		"events 17 its body is not the one that was received\n", "events 17 its fields are not those of its body\n",
	} {
		if !strings.Contains(d.out.String(), want) {
			t.Errorf("it does not print %q but\n%s", want, d.out)
		}
	}
	if !strings.Contains(d.err.String(), "3 of the database's rows are not as they should be") {
		t.Errorf("the message is %s", d.err)
	}

	d.out = &buffer{}
	if code := d.run(t.Context(), "verify", "--json"); code != 1 {
		t.Errorf("exit code %d", code)
	}
	var found struct {
		OK          bool
		Found       int
		Error       string
		Differences []struct{ Table, Row, Problem string }
	}
	if err := json.Unmarshal([]byte(d.out.String()), &found); err != nil {
		t.Fatalf("%v\n%s", err, d.out)
	}
	if found.OK || found.Found != 3 || len(found.Differences) != 3 || found.Error == "" ||
		found.Differences[0].Table != "events" || found.Differences[0].Row != "17" {
		t.Errorf("found %+v", found)
	}
}
