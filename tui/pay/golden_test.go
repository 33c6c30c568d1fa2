package pay_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/counter"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func states() map[string]func(s *till) {
	all := map[string]func(s *till){
		"sending":         func(s *till) { s.Hold(); s.begin() },
		"code":            func(s *till) { s.charge() },
		"leaving":         func(s *till) { s.charge(); s.Press("esc") },
		"again":           func(s *till) { s.charge(); s.Press("n") },
		"link":            func(s *till) { s.charge(); s.Press("l") },
		"copied":          func(s *till) { s.charge(); s.Press("c") },
		"retrying":        func(s *till) { s.Fail(s.charge(), "Solde insuffisant") },
		"retrying-facing": func(s *till) { order := s.charge(); s.Press("f9"); s.Fail(order, "Solde insuffisant") },
		"once-more":       func(s *till) { s.Pay(s.charge()); s.charges(shoptest.Terms("S1")) },
		"assumed": func(s *till) {
			s.Reply(func(order payments.Order) (payments.Created, error) {
				created, err := s.Accept(order)
				created.Assumed = true
				return created, err
			})
			s.charge()
		},
		"receipt": func(s *till) {
			s.Pay(s.charge())
			s.Look().grace().Press("p")
		},
		"cash": func(s *till) {
			s.desk.Take(counter.ReadSales{Sales: []payments.Sale{cart.SaleOf(shoptest.Terms("S1"))}})
			s.desk.Charge()
			s.desk.Tender()
			s.desk.TakeCash(10_000)
			s.Settle()
			s.grace()
		},
		"time-over":   func(s *till) { s.charge(); s.After(10 * time.Minute) },
		"overdue":     func(s *till) { s.charge(); s.After(15 * time.Minute) },
		"soon-over":   func(s *till) { s.charge(); s.After(9 * time.Minute) },
		"last":        func(s *till) { s.charge(); s.After(9*time.Minute + 40*time.Second) },
		"facing":      func(s *till) { s.charge(); s.Press("f9") },
		"facing-paid": func(s *till) { order := s.charge(); s.Press("f9"); s.Pay(order) },
		"blind":       func(s *till) { s.charge(); s.Reach = payments.ReachNotListening },
		"unconfirmed": func(s *till) { s.charge(); s.Reach = payments.ReachUnconfirmed },
		"refused":     func(s *till) { s.Reply(shoptest.Refuse("Montant minimum 500 Ar")); s.charge() },
		"unknown":     func(s *till) { s.Reply(shoptest.Silence()); s.charge() },
		"not-sent":    func(s *till) { s.Reply(shoptest.Unreachable()); s.charge() },
		"no-room":     func(s *till) { s.Fill(); s.begin() },
		"unstored":    func(s *till) { s.Hold(); s.begin(); s.Break(); s.Release(); s.Mend() },
		"sibling": func(s *till) {
			first := s.charge()
			s.Press("n", "enter")
			s.Pay(first)
		},
		"found": func(s *till) {
			finding := payments.Finding{Kind: payments.FoundPaid, By: "Soa", Note: "seen in the merchant area"}
			s.Resolve(s.charge().Reference, finding)
		},
	}
	maps.Copy(all, outcomes())
	return all
}

// outcomes returns those states of the screen that are caused by an event, each with a function
// that brings the screen into the state.
func outcomes() map[string]func(s *till) {
	heard := func(kind payments.EventKind, reason string) func(s *till) {
		return func(s *till) { s.Hear(shoptest.Event(s.charge(), kind, reason)) }
	}
	return map[string]func(s *till){
		"paid":     heard(payments.PaymentSuccess, ""),
		"canceled": heard(payments.PaymentCanceled, "Annulé par le client"),
		"expired":  heard(payments.PaymentExpired, ""),
		"check-amount": func(s *till) {
			event := shoptest.Event(s.charge(), payments.PaymentSuccess, "")
			event.Amount = payments.AmountValue(8999)
			s.Hear(event)
		},
		"check-contradicted": func(s *till) { order := s.charge(); s.Pay(order); s.Fail(order, "Remboursé") },
	}
}

func TestTheScreenLooksAsItDid(t *testing.T) {
	all := states()
	all["demo-code"], all["demo-canceled"] = all["code"], all["canceled"]
	tuitest.Gallery{
		States: slices.Sorted(maps.Keys(all)), Wide: []string{"cash", "code", "facing", "paid", "receipt"},
		Data:   []string{"Montant minimum 500 Ar", "Annulé par le client"},
		Yields: []string{"printed.paid"}, // The sentence "Tsy nisy voaloa." contains the first word of this text.
		Show: func(t *testing.T, state, language string, styles theme.Theme) *tuitest.Driver {
			s := dressed(t, language, strings.HasPrefix(state, "demo-"), styles)
			all[state](s)
			s.Look().grace()
			return s.Driver
		},
	}.Test(t)
}
