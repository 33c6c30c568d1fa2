package display_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/display"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestTheCustomerSeesTheSaleGrow(t *testing.T) {
	s := open(t)
	s.Sees("Épicerie Soa", "Welcome").Lacks("Ar")
	enter(t, s.Counter, basket())
	s.look().Sees("Vary", "2 × 3 500", "7 000", "Coca", "2 000", "Koba  instead of 1 000 Ar", "800", "Total", "9 800 Ar").Lacks("1 ×")
	enter(t, s.Counter, payments.Sale{ID: "S9"})
	s.look().Sees("Welcome").Lacks("Vary")
}

func TestTheCustomerSeesOnlyTheCurrentSale(t *testing.T) {
	s := open(t)
	held := basket()
	held.Name = "Rado"
	enter(t, s.Counter, held)
	other := basket()
	other.ID, other.Items[0].Label = "S8", "Akoho"
	s.Counter.Advance(time.Second)
	other.Till = "T2"
	tuitest.Must(t, s.SaveSale(t.Context(), other))
	s.look().Sees("Welcome").Lacks("Vary", "Akoho", "Rado")
}

func TestTheCustomerPays(t *testing.T) {
	s := open(t)
	order := s.Charge("S1")
	s.look().scans(order)
	s.Sees("9 000 Ar", "Vary  2 × 3 500", "7 000", "Scan to pay", "Open your phone's camera.", "10:00").
		Lacks(order.Reference, order.OrderReference, shoptest.Till)
	s.after(-30 * time.Minute).Sees("10:00") // The clock was set back.
	s.after(30*time.Minute+9*time.Minute+15*time.Second).Sees("0:45", "soon over")
	s.Pay(order)
	s.look().Sees("✓ PAID", "9 000 Ar", "Thank you!").Lacks("Scan")
	s.after(19 * time.Second).Sees("✓ PAID")
	s.after(2 * time.Second).Sees("Welcome").Lacks("PAID")
}

func TestOnlyAProvenPaymentIsShownAsPaid(t *testing.T) {
	wrong := func(s *screen, order payments.Order) {
		event := shoptest.Event(order, payments.PaymentSuccess, "")
		event.Amount = payments.AmountValue(8999)
		s.Hear(event)
	}
	for name, tt := range map[string]struct {
		happens func(s *screen, order payments.Order)
		want    string
	}{
		"a success of another amount":         {wrong, "ask at the counter"},
		"a payment that is then contradicted": {func(s *screen, o payments.Order) { s.Pay(o); s.Fail(o, "Remboursé") }, "ask at the counter"},
		"a cancel by the customer": {func(s *screen, o payments.Order) {
			s.Hear(shoptest.Event(o, payments.PaymentCanceled, "Solde insuffisant"))
		}, "NOT PAID"},
		"an expired link": {func(s *screen, _ payments.Order) { s.after(10*time.Minute - 1).Advance(1) }, "ask at the counter"},
		"a finding of a person": {func(s *screen, o payments.Order) {
			s.Resolve(o.Reference, payments.Finding{Kind: payments.FoundPaid, By: "Soa"})
		}, "ask at the counter"},
		"a store that cannot be read": {func(s *screen, _ payments.Order) { s.Break() }, "ask at the counter"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			order := s.Charge("S1")
			s.look()
			tt.happens(s, order)
			s.look().Sees(tt.want).Lacks("✓", "Solde", "Remboursé", "Soa,")
		})
	}
}

func TestNoCodeIsShownWhileThePaymentWouldNotBeSeen(t *testing.T) {
	shop, reach := shoptest.Open(t), payments.ReachNoListener
	config := configOf(t, shop, "en")
	config.Reach = func() payments.Reach { return reach }
	s := show(t, shop, config, theme.Plain())
	order := s.Charge("S1")
	s.look().Sees("ask at the counter").Lacks("Scan")
	reach = payments.ReachListenerSilent
	s.look().scans(order)
}

// The sale has two orders. The older one is paid.
func TestNoCodeOfAPaidSaleIsShown(t *testing.T) {
	s := open(t)
	first, second := s.Charge("S1"), s.Charge("S1", shoptest.Coca())
	s.look().scans(second)
	s.Pay(first)
	s.look().Sees("✓ PAID", "9 000 Ar").Lacks("Scan", "2 000 Ar")
	acknowledge(t, s.Counter, first.Reference)
	s.look().Lacks("Scan")
}

// A clock that was ahead is set back between two customers.
func TestTheNewestOrderIsShownAfterTheClockWasSetBack(t *testing.T) {
	s := open(t)
	s.Advance(10 * time.Minute)
	s.Pay(s.Charge("S1"))
	s.look().Sees("✓ PAID")
	s.Advance(-10 * time.Minute)
	order := s.Charge("S2", shoptest.Coca())
	s.look().scans(order).Lacks("✓")
	s.Pay(order)
	s.look().Sees("✓ PAID", "2 000 Ar")
}

func TestARefusedCustomerStillSeesTheCode(t *testing.T) {
	s := open(t)
	order := s.Charge("S1")
	s.Fail(order, "Solde insuffisant")
	s.look().scans(order)
	s.Sees("The payment was refused. You can try again.", "10:00").Lacks("NOT PAID", "✓", "Solde")
	s.Pay(order)
	s.look().Sees("✓ PAID").Lacks("refused")
}

func TestAnOrderWithoutALinkSendsTheCustomerToTheCounter(t *testing.T) {
	s := open(t)
	for _, answer := range []shoptest.Answer{shoptest.Refuse("Token <invalid>"), shoptest.Lose("reset"), shoptest.Unreachable()} {
		s.Reply(answer)
		_, _ = s.Checkout(t.Context(), shoptest.Terms("S1"))
		s.look().Sees("ask at the counter").Lacks("Token", "reset", "Scan")
		s.after(21 * time.Second).Sees("Welcome")
		s.Advance(time.Second)
	}
}

func TestAtTheStartOnlyUnacknowledgedOutcomesAreShown(t *testing.T) {
	shop := shoptest.Open(t)
	paid := shop.Pay(shop.Charge("S1"))
	at(t, shop, "en", theme.Plain()).Sees("✓ PAID", "9 000 Ar")
	acknowledge(t, shop, paid.Reference)
	at(t, shop, "en", theme.Plain()).Sees("Welcome").Lacks("PAID")
	shop.Pay(shop.Charge("S3"))
	shop.Advance(time.Hour)
	at(t, shop, "en", theme.Plain()).Sees("Welcome").Lacks("PAID")
	order := shop.Charge("S2")
	at(t, shop, "en", theme.Plain()).scans(order)
}

func TestTheNextSaleReplacesACode(t *testing.T) {
	for name, set := range map[string]time.Duration{"": 0, "the clock was set back": -time.Hour} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			order := s.Charge("S1")
			s.look().QR()
			s.Advance(set)
			enter(t, s.Counter, basket())
			s.look().Sees("9 800 Ar").Lacks("Scan to pay")
			s.Pay(order)
			s.look().Sees("9 800 Ar").Lacks("PAID")
		})
	}
}

// The next customer pays at once in cash.
func TestTheOutcomeOfTheFormerCustomerDoesNotComeBack(t *testing.T) {
	s := open(t)
	s.Pay(s.Charge("S1"))
	s.look().Sees("✓ PAID", "9 000 Ar")
	enter(t, s.Counter, basket())
	s.look().Sees("9 800 Ar").Lacks("PAID")
	enter(t, s.Counter, payments.Sale{ID: "S9"})
	s.look().Sees("Welcome").Lacks("PAID")
}

// A customer leaves the counter before paying, and the next customer pays in cash.
func TestTheCodeOfTheFormerCustomerDoesNotComeBack(t *testing.T) {
	s := open(t)
	order := s.Charge("S1")
	s.look().QR()
	s.Advance(time.Second)
	enter(t, s.Counter, basket())
	s.look().Sees("9 800 Ar").Lacks("Scan to pay")
	s.sells(shoptest.Terms("S9", basket().Items...))
	s.look().Sees("Welcome").Lacks("Scan to pay", order.Link.URL)
	s.Pay(order)
	s.look().Sees("Welcome").Lacks("PAID")
	s.Advance(time.Second)
	s.Charge("S3", shoptest.Coca())
	s.look().Sees("2 000 Ar", "Scan to pay")
	s.Advance(time.Second)
	other := shoptest.Terms("S4", shoptest.Vary())
	other.Till = "T2"
	s.sells(other)
	s.look().Sees("2 000 Ar", "Scan to pay")
}

// The link ended long ago, the next customer paid in cash, and the service reports a payment now.
func TestALateOutcomeOfAFormerCustomerIsNotShown(t *testing.T) {
	s := open(t)
	order := s.Charge("S1")
	s.after(41 * time.Minute).Sees("Welcome")
	s.sells(shoptest.Terms("S9", basket().Items...))
	s.Pay(order)
	s.look().Sees("Welcome").Lacks("ask at the counter")
}

// The first payment of the sale was given back.
func TestTheCodeOfASaleThatIsChargedAgainIsShown(t *testing.T) {
	s := open(t)
	s.Refund(s.Pay(s.Charge("S1")).Reference, 0, false)
	again := s.Charge("S1")
	s.look().scans(again)
}

func TestACustomerWhoPaysInCashInsteadIsNotSentToTheCounter(t *testing.T) {
	s := open(t)
	s.Charge("S1")
	s.look().QR()
	terms := shoptest.Terms("S1", shoptest.Coca())
	terms.Despite = []payments.ObjectionKind{payments.SalePayable}
	s.sells(terms)
	s.look().Sees("Welcome").Lacks("ask at the counter")
}

func TestAPartThatIsPaidIsNotAskedForAgain(t *testing.T) {
	s := open(t)
	enter(t, s.Counter, basket())
	terms := shoptest.Terms("S9", basket().Items...)
	terms.Part.Amount = 3000
	s.sells(terms)
	s.look().Sees("Vary", "Rest of 9 800 Ar", "6 800 Ar").Lacks("Total")
	answer := httptest.NewRecorder()
	display.Handler(configOf(t, s.Counter, "en")).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "http://127.0.0.1/", nil))
	if page := answer.Body.String(); !strings.Contains(page, "Rest of 9 800 Ar") || strings.Contains(page, "Total") {
		t.Errorf("the page is\n%s", page)
	}
}

func TestTheScreenRecoversFromAStoreError(t *testing.T) {
	s := open(t)
	enter(t, s.Counter, basket())
	s.look().Sees("9 800 Ar")
	s.Break()
	s.look().Sees("ask at the counter").Lacks("9 800 Ar")
	s.Mend()
	s.after(time.Second).Sees("9 800 Ar")
}

func TestALongSaleKeepsItsTotalInView(t *testing.T) {
	s := open(t)
	enter(t, s.Counter, longSale())
	s.look().Sees("more lines above", "Article 60", "6 000 Ar").Lacks("Article 1 ")
	s.Resize(20, 5).Sees("6 000 Ar")
}

func TestTheScreenLooksAsItDid(t *testing.T) {
	states := map[string]func(s *screen){
		"idle":   func(*screen) {},
		"basket": func(s *screen) { enter(s.t, s.Counter, basket()) },
		"code":   func(s *screen) { s.Charge("S1") },
		"paid":   func(s *screen) { order := s.Charge("S1"); s.look(); s.Pay(order) },
		"retry":  func(s *screen) { order := s.Charge("S1"); s.look(); s.Fail(order, "Solde insuffisant") },
		"unpaid": func(s *screen) {
			order := s.Charge("S1")
			s.look()
			s.Hear(shoptest.Event(order, payments.PaymentCanceled, ""))
		},
		"ask": func(s *screen) { s.Break() },
	}
	tuitest.Gallery{
		Yields: []string{"customer.outcome"}, // Shown only if there is a free row.
		States: slices.Sorted(maps.Keys(states)),
		Wide:   []string{"code"},
		Show: func(t *testing.T, state, language string, styles theme.Theme) *tuitest.Driver {
			s := at(t, shoptest.Open(t), language, styles)
			states[state](s)
			s.look()
			return s.Driver
		},
	}.Test(t)
}

func TestTheDemosScreenShowsItsMark(t *testing.T) {
	shop := shoptest.Open(t)
	config := configOf(t, shop, "en")
	config.Demo = true
	s := show(t, shop, config, theme.Plain())
	s.look()
	s.Fits().Sees("DEMO: no real money", "Welcome")
	order := s.Charge("S1")
	s.look().scans(order).Fits()
	s.Sees("DEMO: no real money").Resize(18, 6).Fits().Sees("DEMO", "9 000 Ar").Lacks("no real money")
	s.Pay(order)
	s.Resize(80, 24)
	s.look()
	s.Fits().Sees("DEMO: no real money", "PAID")
	open(t).Lacks("DEMO")
}

func TestTheScreenAdaptsToTheTerminalsBackground(t *testing.T) {
	shop := shoptest.Open(t)
	styles := theme.Full(theme.Auto)
	styles.Colours = 1 << 24
	s := at(t, shop, "en", styles)
	s.Pay(s.Charge("S1"))
	s.look().Send(keyboard.Colours{Background: 0.01})
	green := theme.Full(theme.Dark).PaidBlock.GetBackground()
	tuitest.Equal(t, styles.PaidBlock.GetBackground(), green, "the colour of PAID")
}

func TestOnlyCtrlCHasAnEffect(t *testing.T) {
	s := open(t)
	s.Charge("S1")
	s.look()
	before := s.View()
	if s.Press("enter", "esc", "p", "n", "f3"); s.View() != before || s.Quit() {
		t.Error("a key changed the screen")
	}
	if s.Press("ctrl+c"); !s.Quit() {
		t.Error("ctrl+c does not leave")
	}
}
