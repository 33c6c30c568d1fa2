package cli_test

import (
	"net/http"
	"regexp"
	"testing"
)

func TestTheDrawerFromTheCommandLine(t *testing.T) {
	t.Parallel()
	desk := newDesk(t)
	desk.tag()
	const at = `"at":"2026-11-21T09:00:00Z"`
	desk.says("", 0, `{"till":"T1","kind":"float","amount":50000,"by":"T1",`+at+`,"note":""}`+"\n", "cash", "float", "50 000", "--json")
	sold := `{"cash":"T1-GT-C-000001","amount":9000,"given":10000,"change":1000,"items":[{"label":"Vary","unit_price":3500,"quantity":2},` +
		`{"label":"Coca","unit_price":2000,"quantity":1}],"tender":"cash","by":"Soa",` + at + `,"voided":false}` + "\n"
	desk.says("", 0, sold, "cash", "sale", "--item", "Vary:3500:2", "--item", "Coca:2000", "--given", "10000", "--by", "Soa", "--json")
	desk.says("", 0, "CASH: 2 000 Ar, given 2 000 Ar, change 0 Ar. T1-GT-C-000002", "cash", "sale", "--item", "Coca:2000")
	desk.says("", 1, "500 Ar are missing", "cash", "sale", "--item", "Coca:2000", "--given", "1500")
	desk.says("", 1, "Il manque 500 Ar", "cash", "sale", "--item", "Coca:2000", "--given", "1500", "--lang", "fr")
	desk.says("", 2, "say what is sold", "cash", "sale")
	desk.says("", 2, "say why with --reason", "cash", "void", "T1-GT-C-000002")
	desk.says("", 1, "il n'y a pas de vente en espèces de ce numéro", "cash", "void", "T1-GT-C-000009", "--reason", "x", "--lang", "fr")
	desk.says("", 0, "T1-GT-C-000002 is voided: give back 2 000 Ar", "cash", "void", "T1-GT-C-000002", "wrong", "article")
	desk.says("", 1, "voided before", "cash", "void", "T1-GT-C-000002", "--reason", "again")
	desk.says("", 2, "lazao amin'ny --reason ny antony", "cash", "out", "5000", "--lang", "mg")
	desk.says("", 2, "Begin with an amount", "cash", "out", "much", "--reason", "bread")
	desk.says("", 2, "Begin with an amount", "cash", "out", "5", "00", "bread")
	desk.says("", 2, "Begin with an amount", "cash", "float", "0")
	desk.says("", 0, "Paid out                            −5 000", "cash", "out", "5000", "--reason", "bread")
	desk.says("", 0, `"amount":1000,"by":"T1",`+at+`,"note":"change for Soa"`, "cash", "in", "1", "000", "change", "for", "Soa", "--json")
	desk.says("", 0, "Difference                          −5 000", "cash", "count", "50000")
	desk.says("", 0, `"expected":55000,"difference":-5000,`, "close", "--yes", "--json")
	desk.says("", 0, `"cash":{"count":2,"amount":11000},"voided":{"count":1,"amount":2000},"taken":{"count":1,"amount":9000}`, "report", "--json")
	desk.says("", 0, "takings, all tenders", "report")
	desk.says("", 0, "closing,difference,1,-5000,2026-11-21,T1,", "report", "--csv")
	desk.says("", 0, "T1-GT-C-000001: 500 Ar given back, 500 Ar so far", "cash", "refund", "T1-GT-C-000001", "500", "200 g missing")
	desk.says("", 2, "say how much: an amount, --all", "cash", "refund", "T1-GT-C-000001", "500", "broken", "--all")
	desk.says("", 0, `"refunded":9000`, "cash", "refund", "T1-GT-C-000001", "--all", "--reason", "all broken", "--json")
	desk.says("", 2, "say why with --reason", "cash", "refund", "T1-GT-C-000001", "500")
	desk.says("", 2, "all money of this sale was given back already", "cash", "refund", "T1-GT-C-000001", "1", "--reason", "too much")
	desk.says("", 1, "all money of this sale was given back already", "cash", "void", "T1-GT-C-000001", "wrong")
	rows := desk.output("export", "--transfers")
	refunds := regexp.MustCompile(`(?m)^(\d+),.*,refund,`).FindAllStringSubmatch(rows, -1)
	for _, refund := range refunds {
		desk.says("", 0, "Refunds taken back: #"+refund[1], "cash", "refund", "T1-GT-C-000001", "--take-back", refund[1], "a", "mistake")
	}
	desk.says("", 1, "no refund of this sale with this number", "cash", "refund", "T1-GT-C-000001", "--take-back", "99", "a", "mistake")
	desk.says("", 2, "say how much", "cash", "refund", "T1-GT-C-000001", "much", "--reason", "broken")
	desk.says("", 1, "there is no order and no cash sale T1-GT-C-000009: till order list has the orders, and till export the cash sales of a day", "cash", "refund", "T1-GT-C-000009", "500", "--reason", "broken")
	desk.says("", 0, "500 Ar given back", "cash", "refund", "T1-GT-C-000001", "500", "--reason", "only one")
	desk.says("47118\n", 0, "Hasina is a new owner", "cashier", "add", "Hasina")
	desk.says("", 2, "say with --by who you are", "cash", "count", "0")
	desk.says("47119\n", 1, "The name or the PIN is wrong.", "cash", "count", "0", "--by", "Hasina")
	desk.says("47118\n", 0, `"by":"Hasina"`, "cash", "count", "0", "--by", "Hasina", "--json")
}

// If a refund with the same ID is repeated, the command prints the stored refund. This also holds
// if the repeated command names the amount that was left before the refund.
func TestARepeatedRefundIsNotOutdated(t *testing.T) {
	desk := newDesk(t)
	desk.tag()
	desk.says("", 0, "T1-GT-C-000001", "cash", "sale", "--item", "Coca:2000")
	const number = "T1-GT-C-000001"
	for range 2 {
		desk.says("", 0, number+": 500 Ar given back, 500 Ar so far", "cash", "refund", number, "500", "broken", "--seen", "2000", "--id", "a")
	}
	desk.says("", 1, "look at it again", "cash", "refund", number, "500", "broken", "--seen", "2000", "--id", "b")
	for range 2 {
		desk.says("", 0, number+": 1 500 Ar given back, 2 000 Ar so far", "cash", "refund", number, "--all", "broken", "--seen", "1500", "--id", "c")
	}
}

// A script would repeat a command that failed, and the money would be recorded twice.
func TestAMoveIsNoFailureIfOnlyTheAccountCannotBeRead(t *testing.T) {
	desk := newDesk(t)
	desk.script("ALTER TABLE customers RENAME TO unreadable")
	desk.says("", 0, `"kind":"float","amount":50000`, "cash", "float", "50000", "--json")
	desk.says("", 0, "no such table", "cash", "float", "50000")
	desk.says("", 0, "CASH: 2 000 Ar", "cash", "sale", "--item", "Coca:2000")
	if rows := desk.output("export", "--transfers"); len(regexp.MustCompile(`(?m),float,`).FindAllString(rows, -1)) != 2 {
		t.Errorf("the transfers are\n%s", rows)
	}
}

// After each change, another program makes what it changed unreadable.
func TestAChangeIsNoFailureIfOnlyItsResultCannotBeRead(t *testing.T) {
	desk := newDesk(t)
	desk.tag()
	desk.env["TILL_TENDERS"] = "link,cash,account"
	desk.service(http.StatusOK, sound, func() {})
	desk.says("", 0, "REF_700001", "order", "create", "--item", "Vary:3500", "--reference", "A1")
	desk.says("", 0, "", "order", "resolve", "A1", "--paid")
	for _, name := range []string{"Rabe", "Soa"} {
		desk.says("", 0, "", "cash", "sale", "--item", "Coca:2000", "--tender", "account", "--customer", name, "--new")
	}
	desk.says("", 0, "T1-GT-C-000003", "cash", "sale", "--item", "Coca:2000")
	desk.script(`CREATE TRIGGER hidden AFTER INSERT ON transfers BEGIN
		UPDATE cash_sales SET number = 'x' WHERE number = NEW.ref;
		UPDATE orders SET reference = 'x' WHERE reference = NEW.ref;
		UPDATE customers SET name = code, key = code WHERE 'customer/' || code IN (NEW.from_account, NEW.to_account); END`)
	for want, command := range map[string][]string{
		`{"cash":"T1-GT-C-000003"}`: {"refund", "T1-GT-C-000003", "500", "broken"},
		`{"reference":"A1"}`:        {"refund", "A1", "500", "broken", "--from", "drawer"},
		`{"name":"Rabe"}`:           {"account", "writeoff", "Rabe", "500", "moved"},
		`{"name":"Noro"}`:           {"account", "rename", "Soa", "Noro"},
	} {
		desk.says("", 0, want, append(command, "--json")...)
		if desk.err.String() == "" {
			t.Errorf("%v does not say why", command)
		}
	}
}
