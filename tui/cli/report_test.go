package cli_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/storage"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// store opens the desk's database until the end of the test.
func (d *desk) store() storage.Store {
	d.t.Helper()
	store, err := storage.Open(d.t.Context(), filepath.Join(d.env["HOME"], "till", "till.db"), storage.Options{})
	tuitest.Must(d.t, err)
	d.t.Cleanup(func() { tuitest.Must(d.t, store.Close()) })
	return store
}

// taken adds orders of two days to the desk's database. On the first day, one order is paid after a
// minute, and another one is paid after midnight. On the second day, there are a paid, a rejected,
// a marked-paid and a pending order.
func (d *desk) taken() {
	d.t.Helper()
	store := d.store()
	first := time.Date(2026, 11, 20, 10, 0, 0, 0, time.Local)
	made := func(reference string, at time.Time, label string, change func(order *payments.Order)) {
		d.t.Helper()
		order, err := payments.NewOrder(payments.Terms{
			Reference: reference, Till: "T1",
			Items: []payments.Item{{Label: label, UnitPrice: 3500, Quantity: 2}, {Label: "Coca", UnitPrice: 2000, Quantity: 1}},
		}, at)
		tuitest.Must(d.t, err)
		change(&order)
		err = store.Update(d.t.Context(), func(tx payments.Tx) error {
			err := tx.InsertOrder(order)
			if order.Finding != nil {
				err = errors.Join(err, tx.InsertFinding(reference, *order.Finding))
			}
			if order.Collected() > 0 {
				err = errors.Join(err, tx.Post(ledger.Transfer{
					At: order.CountedAt(), Booked: order.CountedAt(), Kind: ledger.Sale, From: ledger.Sales, To: ledger.Service,
					Amount: order.Amount, Till: "T1", Payment: ledger.Payment{Kind: ledger.ByOrder, Ref: reference},
				}))
			}
			return err
		})
		tuitest.Must(d.t, err)
	}
	paid := func(after time.Duration) func(order *payments.Order) {
		return func(order *payments.Order) {
			order.Status, order.Facts.SuccessSeen = payments.StatusSuccess, true
			order.Facts.PaidAt = order.CreatedAt.Add(after)
		}
	}
	made("A1", first, "Vary", paid(time.Minute))
	made("A2", first.Add(13*time.Hour+50*time.Minute), "Vary", paid(20*time.Minute))
	second := first.AddDate(0, 0, 1)
	made("B1", second, "=1+1", paid(time.Minute))
	made("B2", second, "Vary", func(order *payments.Order) { order.Status = payments.StatusRejected })
	made("B3", second, "Vary", func(order *payments.Order) {
		order.Finding = &payments.Finding{Kind: payments.FoundPaid, By: "Soa", At: second}
	})
	made("B4", second, "Vary", func(order *payments.Order) { order.Status = payments.StatusPending })
}

// takenWithoutOrder calls taken, and adds payments without an order: one on the first day, and two
// on the second.
func (d *desk) takenWithoutOrder() {
	d.t.Helper()
	d.taken()
	store := d.store()
	today := d.now().Add(-time.Hour)
	err := store.Update(d.t.Context(), func(tx payments.Tx) error {
		came := func(at time.Time, amount payments.Value) error {
			event := payments.Event{Kind: payments.PaymentSuccess, OrderReference: "REF_0", Amount: amount}
			return tx.InsertEvent(payments.Record{Event: event, ID: event.ID(), ReceivedAt: at, Effect: payments.Unmatched, Count: 1})
		}
		return errors.Join(came(today.AddDate(0, 0, -1), payments.AmountValue(1000)),
			came(today, payments.AmountValue(5000)), came(today, payments.TextValue("4000")))
	})
	tuitest.Must(d.t, err)
}

// output runs a command and returns its standard output. The command must succeed.
func (d *desk) output(args ...string) string {
	d.t.Helper()
	d.says("", 0, "", args...)
	return d.out.String()
}

func local(day int, hour int) string {
	return time.Date(2026, 11, day, hour, 0, 0, 0, time.Local).UTC().Format(time.RFC3339)
}

func TestTheReportJSONKeepsItsForm(t *testing.T) {
	desk := newDesk(t)
	desk.takenWithoutOrder()
	want := `{"from":"` + local(21, 0) + `","to":"` + local(22, 0) + `","orders":5,"verdicts":{` +
		`"check":{"count":0,"amount":0},"marked_paid":{"count":1,"amount":9000},"marked_unpaid":{"count":0,"amount":0},` +
		`"not_paid":{"count":0,"amount":0},"not_sent":{"count":0,"amount":0},"paid":{"count":2,"amount":18000},` +
		`"paid_otherwise":{"count":0,"amount":0},"refunded":{"count":0,"amount":0},"rejected":{"count":1,"amount":9000},` +
		`"time_over":{"count":0,"amount":0},"unknown":{"count":0,"amount":0},"waiting":{"count":1,"amount":9000}},` +
		`"hours":[{"hour":"` + local(21, 0) + `","count":1,"amount":9000},{"hour":"` + local(21, 10) + `","count":2,"amount":18000}],` +
		`"articles":[{"label":"Vary","quantity":4,"amount":14000,"thousandths":4000,"unit":""},{"label":"=1+1","quantity":2,"amount":7000,"thousandths":2000,"unit":""},` +
		`{"label":"Coca","quantity":3,"amount":6000,"thousandths":3000,"unit":""}],"received":{"count":3,"amount":27000},"refunded":{"count":0,"amount":0},` +
		`"cash":{"count":0,"amount":0},"voided":{"count":0,"amount":0},"taken":{"count":3,"amount":27000},"without_order":{"count":2,"amount":5000},"tenders":{`
	const zero = `{"count":0,"amount":0}`
	for _, args := range [][]string{{"report", "--json"}, {"report", "--json", "--date", "2026-11-21"}, {"report", "--json", "--from", "2026-11-21"}} {
		got := desk.output(args...)
		if tenders, found := strings.CutPrefix(got, want); !found || strings.Count(tenders, zero) != len(drawer.CounterTenders()) {
			t.Errorf("%v: got\n%swant\n%s and a zero for each tender", args, got, want)
		}
	}
	if none := desk.output("report", "--json", "--date", "2020-02-29"); !strings.Contains(none, `"hours":[],"articles":[]`) ||
		strings.Count(none, zero) != len(payments.Verdicts())+6+len(drawer.CounterTenders()) {
		t.Errorf("a day without orders gives %s", none)
	}
}

func TestTheListOfOrdersSaysThatPaymentsHaveNoOrder(t *testing.T) {
	desk := newDesk(t)
	desk.takenWithoutOrder()
	desk.says("", 0, "payments without an order: 3, 6 000 Ar. In the console, F3 shows them.", "order", "list", "--json", "--until", "2020-01-01")
	if desk.out.String() != "[]\n" {
		t.Errorf("standard output has %s", desk.out)
	}
}

func TestTheReportAsText(t *testing.T) {
	desk := newDesk(t)
	desk.takenWithoutOrder()
	text := desk.output("report", "--from", "2026-11-20", "--to", "2026-11-21")
	want := `
2026-11-20 to 2026-11-21 ORDERS AMOUNT
marked paid 1 9 000 Ar
paid 3 27 000 Ar
refused by the service 1 9 000 Ar
waiting 1 9 000 Ar
mobile money received 4 36 000 Ar
paid without an order 3 6 000 Ar

TAKEN BY THE HOUR ORDERS AMOUNT
2026-11-20 10:00 1 9 000 Ar
2026-11-21 00:00 1 9 000 Ar
2026-11-21 10:00 2 18 000 Ar

PAID ARTICLES QUANTITY AMOUNT
Vary 6 21 000 Ar
Coca 4 8 000 Ar
=1+1 2 7 000 Ar
`
	fields := func(text string) string {
		var lines []string
		for line := range strings.Lines(text) {
			lines = append(lines, strings.Join(strings.Fields(line), " "))
		}
		return strings.TrimSpace(strings.Join(lines, "\n"))
	}
	if fields(text) != fields(want) {
		t.Errorf("got\n%s", text)
	}
	if text := desk.output("report", "--date", "2026-11-20"); !strings.Contains(text, "\n10:00 ") {
		t.Errorf("got\n%s", text)
	}
}

// The rest of a sale is no second sale, so its count is zero. Its amount still has a row.
func TestTheReportNamesAVoidedAndALateRest(t *testing.T) {
	desk := newDesk(t)
	counter := shoptest.New(t, desk.store())
	counter.Advance(-24 * time.Hour)
	wrong := counter.TakeInParts("S1", drawer.TenderCard)
	reports := func(want ...string) {
		t.Helper()
		text := strings.Join(strings.Fields(desk.output("report", "--date", "2026-11-20")), " ")
		for _, row := range want {
			if !strings.Contains(text, row) {
				t.Errorf("%q is missing in\n%s", row, text)
			}
		}
	}
	reports("cash 1 5 000 Ar", "card 0 7 500 Ar", "takings, all tenders 1 12 500 Ar")
	counter.Void(wrong.Number)
	terms := shoptest.Terms("S1", payments.Item{Label: "Menaka", UnitPrice: 12_500, Quantity: 1})
	terms.Part = payments.Part{Amount: 7500, Taken: 5000, RestOf: wrong.RestOf, Label: "Rest of 12 500 Ar"}
	order, err := counter.Checkout(t.Context(), terms)
	tuitest.Must(t, err)
	came := counter.Now().Add(time.Minute)
	counter.Advance(24 * time.Hour)
	_, err = counter.ReceiveLate(t.Context(), shoptest.Event(order, payments.PaymentSuccess, ""), nil, came)
	tuitest.Must(t, err)
	reports("Came later 0 7 500 Ar", "voided 0 −7 500 Ar")
	desk.says("", 0, `"came_later":{"count":0,"amount":7500}`, "report", "--date", "2026-11-20", "--json")
}

func TestTheReportOnATerminal(t *testing.T) {
	desk := newDesk(t)
	desk.takenWithoutOrder()
	desk.env["CLICOLOR_FORCE"], desk.env["LC_ALL"] = "1", "C.UTF-8"
	text := ansi.Strip(desk.output("report", "--date", "2026-11-21"))
	const full, half = "━━━━━━━━━━━━━━━━", "━━━━━━━━────────"
	for _, want := range []string{
		"Saturday 21 November", "27 000 Ar   3 sales   9 000 a sale",
		"✓ PAID                 2  " + full + "  18 000    00:00  1  ━━━━────   9 000\n",
		"◆ MARKED PAID          1  " + half + "   9 000    10:00  2  ━━━━━━━━  18 000\n",
		"… WAITING              1  " + half + "   9 000\n\nMobile money received  3                    27 000\n",
		"Vary                   4  " + full + "  14 000\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	text = ansi.Strip(desk.output("report", "--from", "2026-11-20", "--to", "2026-11-21"))
	for _, want := range []string{"\n\nTAKEN BY THE HOUR\n2026-11-20 10:00       1  ━", "\n\nPAID ARTICLES\nVary                   6  ━"} {
		if theme.Width(text) > 80 || !strings.Contains(text, want) {
			t.Errorf("%q is missing, or a row is too wide, in\n%s", want, text)
		}
	}
	if strings.Contains(desk.output("report", "--json"), "\x1b") {
		t.Error("the JSON has colours")
	}
}

func TestTheReportAsCSVHasNoFormula(t *testing.T) {
	desk := newDesk(t)
	desk.takenWithoutOrder()
	rows, err := csv.NewReader(strings.NewReader(desk.output("report", "--csv"))).ReadAll()
	tuitest.Must(t, err)
	found := map[string]bool{}
	for _, row := range rows {
		found[strings.Join(row, " ")] = true
	}
	for _, want := range []string{
		"section name count amount day till by at quantity unit", "money taken 3 27000      ", "money without_order 2 5000      ", "verdict paid 2 18000      ", "verdict not_paid 0 0      ",
		"hour " + local(21, 10) + " 2 18000      ", "article Coca 3 6000     3 ", "article '=1+1 2 7000     2 ",
	} {
		if !found[want] {
			t.Errorf("got no row %q in %q", want, rows)
		}
	}
}

// A script can add up the takings only if it knows which refunds "received" lacks already.
func TestTheTakingsInJSONAddUpAfterRefunds(t *testing.T) {
	desk := newDesk(t)
	desk.tag()
	counter := shoptest.New(t, desk.store())
	paid := counter.Pay(counter.Charge("S1", shoptest.Coca()))
	desk.says("", 0, "", "refund", paid.Reference, "500", "broken", "--from", "merchant-area")
	desk.says("", 0, "", "cash", "sale", "--item", "Vary:3500:2")
	desk.says("", 0, "", "refund", "T1-GT-C-000001", "300", "broken")
	desk.says("", 0, "", "cash", "sale", "--item", "Vary:3500")
	desk.says("", 0, "", "cash", "void", "T1-GT-C-000002", "wrong")
	type sum struct{ Amount int64 }
	type sums struct {
		Received, Refunded, Voided, Taken sum
		AtCounter                         sum `json:"refunded_at_counter"`
		Tenders                           map[string]sum
	}
	check := func(name string, got sums) {
		t.Helper()
		added := got.Received.Amount - got.AtCounter.Amount - got.Voided.Amount
		for _, tender := range got.Tenders {
			added += tender.Amount
		}
		if added != got.Taken.Amount || got.Refunded.Amount != 800 || got.AtCounter.Amount != 300 {
			t.Errorf("%s: the sums add up to %d: %+v", name, added, got)
		}
	}
	var report sums
	tuitest.Must(t, json.Unmarshal([]byte(desk.output("report", "--json")), &report))
	check("report", report)
	var days []sums
	tuitest.Must(t, json.Unmarshal([]byte(desk.output("export", "--days", "--json")), &days))
	check("export --days", days[0])
	if table := desk.output("report", "--csv"); !strings.Contains(table, "money,refunded_at_counter,1,300,") {
		t.Errorf("the table has no refunds at the counter:\n%s", table)
	}
}
