package tui_test

import (
	"net/http"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

// honest checks what must hold whatever went wrong: an order is paid when there
// is a success of the exact amount that was signed, and only then; what was paid
// stays so; what the service was told is true; and the console says what the
// store says.
func (l *lab) honest() {
	l.t.Helper()
	stored := map[payments.EventID]int64{}
	orders := l.orders()
	for _, order := range orders {
		_, records, err := l.shop.Order(l.t.Context(), order.Reference)
		l.must(err)
		for _, record := range records {
			stored[record.ID] = record.Count
		}
		proven, doubtful := story(order, records)
		verdict := l.verdict(order)
		switch {
		case order.Paid() != proven:
			l.t.Errorf("order %s is paid: %v, proven: %v", order.Reference, order.Paid(), proven)
		case verdict == payments.VerdictPaid && (!proven || doubtful):
			l.t.Errorf("order %s is %s, proven: %v, doubtful: %v", order.Reference, verdict, proven, doubtful)
		case proven && verdict != payments.VerdictPaid && verdict != payments.VerdictCheck && order.Finding == nil:
			l.t.Errorf("order %s was paid, and is %s", order.Reference, verdict)
		}
	}
	orphans, err := l.shop.Unmatched(l.t.Context(), payments.MaxUnmatched)
	l.must(err)
	for _, record := range orphans {
		stored[record.ID] = record.Count
	}
	l.answered(stored)
	l.shows(orders)
}

func (l *lab) orders() []payments.Order {
	l.t.Helper()
	orders, err := l.shop.Orders(l.t.Context(), payments.Query{Limit: 1000})
	l.must(err)
	return orders
}

// story tells whether an order's events prove that it was paid, and whether one
// of them is at odds with that: a success of something else, or an end without
// payment after the proof.
func story(order payments.Order, records []payments.Record) (proven, doubtful bool) {
	for _, record := range records {
		status, _ := record.Event.Kind.Status()
		switch {
		case proves(record.Event, order):
			proven = true
		case status == payments.StatusSuccess, proven && status.Unpaid():
			doubtful = true
		}
	}
	return proven, doubtful
}

// proves tells whether an event is proof that an order was paid.
func proves(event payments.Event, order payments.Order) bool {
	return event.Kind == payments.PaymentSuccess && event.Amount.Is(order.Amount) &&
		event.Currency == payments.TextValue(payments.Currency)
}

// answered checks what the service was told about its events: those that are
// taken or kept were signed, and are stored, as often as they came, and nothing
// else is; those whose signature was refused were not.
func (l *lab) answered(stored map[payments.EventID]int64) {
	l.t.Helper()
	for _, done := range l.wire.exchanges() {
		sound := len(done.signed) == 1 &&
			done.signed[0] == gateway.Sign(l.setup.scheme, payments.NewSecret(labSecret), done.body)
		switch done.status {
		case http.StatusOK, http.StatusNotFound:
			if !sound {
				l.t.Errorf("%d for an event whose signature is not right: %.200s", done.status, done.body)
			}
			event, err := gateway.DecodeEvent(done.body)
			l.must(err)
			stored[event.ID()]--
		case http.StatusUnauthorized:
			if sound {
				l.t.Errorf("a right signature was refused: %.200s", done.body)
			}
		case 0, http.StatusBadRequest, http.StatusRequestEntityTooLarge:
		default:
			l.t.Errorf("the service got %d for %.200s", done.status, done.body)
		}
	}
	for id, difference := range stored {
		if difference != 0 {
			l.t.Errorf("event %x was stored %d times more than it was answered for", id[:4], difference)
		}
	}
}

// shows checks that the console gives every order that it names the verdict of
// the store, and says PAID of none when none is, and that a code is shown only of an
// order that is waited for.
func (l *lab) shows(orders []payments.Order) {
	l.t.Helper()
	l.harmless()
	view := ansi.Strip(l.View())
	paid := false
	for _, order := range orders {
		paid = paid || l.verdict(order) == payments.VerdictPaid // The day's outcomes have no references.
		if !strings.Contains(view, order.Reference) {
			continue
		}
		if word := l.word(order); !strings.Contains(view, word) {
			l.t.Errorf("order %s is %q, and the console says\n%s", order.Reference, word, l.short())
		}
	}
	if strings.Contains(view, "✓ PAID") && !paid {
		l.t.Errorf("nothing on the screen is paid, and the console says\n%s", l.short())
	}
	code, err := l.Screen().Code()
	if err != nil {
		return
	}
	if !slices.ContainsFunc(orders, func(order payments.Order) bool {
		waits := l.verdict(order) == payments.VerdictWaiting || order.Retryable(l.clock.Now())
		return waits && order.Payable(l.clock.Now()) && codes(code, order.Link.URL)
	}) {
		l.t.Errorf("the code of no order that is waited for is shown\n%s", l.short())
	}
}
