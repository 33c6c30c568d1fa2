package sqlstore

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/till/payments"
)

const (
	// Of several orders, each order's in the order in which they came.
	eventsOfOrders = selectEvent + `WHERE e.order_reference IN (
		SELECT order_reference FROM orders WHERE id >= $1 AND id <= $2) ORDER BY e.sequence`
	derivedFrom = `SELECT id, open, verdict, check_from, search FROM orders WHERE id >= $1 AND id <= $2`
	allTakings  = `SELECT slot, verdict, orders, amount FROM takings`
)

// view is what an order's row holds of the domain's view of it.
type view struct {
	id      int64
	open    bool
	verdict string
	from    sql.Null[int64]
	search  string
}

func scanView(scan scanFunc) (v view, err error) {
	err = scan(&v.id, &v.open, &v.verdict, &v.from, &v.search)
	return v, err
}

// orders examines each order with its items and its events.
func (a *auditor) orders() error {
	for last := int64(0); ; {
		rows, err := list(a.query, scanOrder, ordersFrom, last)
		if err != nil {
			return fmt.Errorf("read orders: %w", err)
		}
		if len(rows) == 0 {
			return nil
		}
		if err := a.chunk(rows); err != nil {
			return err
		}
		last = rows[len(rows)-1].id
	}
}

func (a *auditor) chunk(rows []orderRow) error {
	first, last := rows[0].id, rows[len(rows)-1].id
	if err := addItems(a.query, rows); err != nil {
		return err
	}
	records, err := list(a.query, scanAnyEvent, eventsOfOrders, first, last)
	if err != nil {
		return fmt.Errorf("read the orders' events: %w", err)
	}
	views, err := list(a.query, scanView, derivedFrom, first, last)
	if err != nil {
		return fmt.Errorf("read the orders' verdicts: %w", err)
	}
	events := map[string][]payments.Record{}
	for _, row := range records {
		if row.shape == nil { // The others were named before.
			events[row.record.Order] = append(events[row.record.Order], row.record)
		}
	}
	seen := map[int64]view{}
	for _, v := range views {
		seen[v.id] = v
	}
	for _, row := range rows {
		a.Orders++
		a.order(row.order, events[row.order.Reference], seen[row.id])
		a.takings.move(row.order.Amount, place{}, placeOf(row.order))
	}
	return nil
}

func (a *auditor) order(order payments.Order, events []payments.Record, seen view) {
	add := func(format string, arguments ...any) { a.Add("orders", order.Reference, format, arguments...) }
	total, err := payments.Total(order.Items)
	if err != nil || total != order.Amount || len(order.Items) == 0 {
		add("its amount is %v, and its items make %v", order.Amount, total)
	}
	for _, problem := range disagreements(order, events) {
		add("%s", problem)
	}
	verdict, checkFrom := derive(order)
	if a.derived && (seen.open != order.Open() || seen.verdict != verdict || nullable(seen.from) != checkFrom) {
		add("what is kept of its verdict (%q) does not follow from it (%q)", seen.verdict, verdict)
	}
	// The texts are kept twice, so that one that changed by itself shows.
	texts := []string{order.Reference, order.Description, order.OrderReference}
	for _, item := range order.Items {
		texts = append(texts, item.Label)
	}
	for _, text := range texts {
		if !strings.Contains(seen.search, fold(text)) {
			add("its text %q is not what it is searched by", text)
		}
	}
}

func nullable(value sql.Null[int64]) any {
	if !value.Valid {
		return nil
	}
	return value.V
}

// disagreements compares an order with what its events make of it by the
// domain's rules. What people did to it is not in its events and is left out.
func disagreements(order payments.Order, events []payments.Record) (problems []string) {
	again := order
	again.Status, again.Facts, again.Finding = payments.StatusPending, payments.Facts{}, nil
	for _, record := range events {
		again, _ = again.Apply(record.Event, nil, record.ReceivedAt)
	}
	differ := func(what string, stored, computed any) {
		problems = append(problems, fmt.Sprintf("its %s is %v, and by its events %v", what, stored, computed))
	}
	// An order of which no event said anything has one of the other states.
	if again.Status.Reported() && order.Status != again.Status || !again.Status.Reported() && order.Status.Reported() {
		differ("status", order.Status, again.Status)
	}
	stored, computed := order.Facts, again.Facts
	if !stored.PaidAt.Equal(computed.PaidAt) {
		differ("paid_at", spelt(stored.PaidAt), spelt(computed.PaidAt))
	}
	if stored.SuccessSeen != computed.SuccessSeen {
		differ("success_seen", stored.SuccessSeen, computed.SuccessSeen)
	}
	if stored.ExpiredSeen != computed.ExpiredSeen {
		differ("expired_seen", stored.ExpiredSeen, computed.ExpiredSeen)
	}
	if stored.ReportedAmount != computed.ReportedAmount || stored.ReportedUnit != computed.ReportedUnit {
		differ("reported amount", stored.ReportedAmount+" "+stored.ReportedUnit,
			computed.ReportedAmount+" "+computed.ReportedUnit)
	}
	for _, reason := range computed.Attention {
		if !slices.Contains(stored.Attention, reason) {
			differ("attention", stored.Attention, computed.Attention)
		}
	}
	return problems
}

// spelt is a time for people to read.
func spelt(at time.Time) string {
	if at.IsZero() {
		return "unset"
	}
	return at.UTC().Format(time.RFC3339Nano)
}

// sums compares the takings that are kept with those that the orders make.
func (a *auditor) sums() error {
	if !a.derived {
		return nil
	}
	stored, err := list(a.query, scanTaking, allTakings)
	if err != nil {
		return fmt.Errorf("read takings: %w", err)
	}
	for _, taking := range stored {
		at := place{slot: taking.At.UnixMilli(), verdict: taking.Verdict}
		want := a.takings[at]
		delete(a.takings, at)
		if taking.Count != want.Count || taking.Amount != want.Amount {
			a.Add("takings", name(at), "%d orders of %v are kept, and there are %d of %v",
				taking.Count, taking.Amount, want.Count, want.Amount)
		}
	}
	for at, want := range a.takings {
		if want != (payments.Sum{}) {
			a.Add("takings", name(at), "none are kept, and there are %d orders of %v", want.Count, want.Amount)
		}
	}
	return nil
}

func name(at place) string {
	return string(at.verdict) + " " + spelt(time.UnixMilli(at.slot))
}
