package orders_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/live"
	"checkout/till/tui/orders"
	"checkout/till/tui/receipt"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// till is the orders screen under test, with a shop that the test controls.
type till struct {
	shoptest.Rig[orders.Model, *till]
	t *testing.T
}

// open starts the screen in English. It has the size that it has in a terminal of 80×24.
func open(t *testing.T) *till { return dressed(t, "en", theme.Plain()) }

func dressed(t *testing.T, language string, styles theme.Theme) *till {
	t.Helper()
	return standing(t, language, styles, false)
}

// standing starts the screen. shared says whether other tills use the same database.
func standing(t *testing.T, language string, styles theme.Theme, shared bool) *till {
	t.Helper()
	return printing(t, live.Console{
		Shared: shared, Theme: styles, Texts: i18n.Load(language), Receipts: receipt.Config{Columns: 32},
	})
}

// printing starts the screen with the receipts, the texts and the theme of a console.
func printing(t *testing.T, console live.Console) *till {
	t.Helper()
	s := &till{t: t}
	s.Counter = shoptest.Open(t)
	console.Cashier, console.Service, console.Run = new(string), s.Service, s.Run
	console.Till, console.Zone = shoptest.Till, shoptest.Zone()
	return s.Put(s, orders.New(console), 80, 21).Look()
}

// lose creates an order, but the payment service's answer to the order call is lost.
func (s *till) lose() payments.Order {
	s.Reply(shoptest.Silence())
	defer s.Reply(s.Accept)
	return s.Charge("S1")
}

// orphan receives a success event for an order from lose. orderReference is the payment service's
// reference of the order, which the shop does not know.
func (s *till) orphan(lost payments.Order, orderReference string) {
	event := shoptest.Event(lost, payments.PaymentSuccess, "")
	event.OrderReference = orderReference
	s.Hear(event)
}

// footer returns the enabled keys and their descriptions.
func (s *till) footer() string { return shoptest.Footer(s.Harness().Screen.ShortHelp()) }

func (s *till) offers(want string) {
	s.t.Helper()
	tuitest.Equal(s.t, s.footer(), want, "the keys")
}

func (s *till) hire() *till {
	s.Hire()
	return s
}

func (s *till) digits(pin string) *till { return s.Keys(strings.Split(pin, "")...) }

func (s *till) failed() *till {
	s.Fail(s.Charge("S1"), "")
	return s.Enter().Keys("enter")
}

func TestAShopWithCashiersAsksForANameAndAPIN(t *testing.T) {
	s := open(t).hire().failed()
	s.Keys("y", "enter").Sees("Who answers for this?", "› Hasina", "Soa", "PIN:   ")
	s.Keys("up").Sees("› Soa").Press("up")
	s.Sees("› Hasina").Press("1", "2", "down") // The digits are dropped with the name.
	s.digits(shoptest.SoasPIN+"8").Sees("› Soa", "PIN: ●●●●●●  ").Lacks("739")
	s.Keys("backspace").Sees("PIN: ●●●●●  ").Press("enter")
	s.Sees("MARKED PAID", "Soa").Lacks("Who answers")
	order, _, err := s.Order(t.Context(), "T1-20261121-GT-0001")
	if err != nil || order.Finding == nil || order.Finding.By != "Soa" || order.Finding.Kind != payments.FoundPaid {
		t.Errorf("%+v (%v)", order.Finding, err)
	}
}

func TestTheNextQuestionBeginsAtTheCashierWhoAnsweredLast(t *testing.T) {
	s := open(t).hire().failed()
	s.Keys("y", "enter").Sees("› Hasina").Press("s")
	s.digits("1111").Keys("enter").Sees("› Soa", "wrong").Press("esc")
	s.Keys("y", "enter").Sees("› Hasina").Press("up")
	s.digits(shoptest.SoasPIN).Keys("enter").Sees("MARKED PAID")
	s.Keys("u", "enter").Sees("› Soa").Press("h")
	s.Sees("› Hasina").Press("right")
	s.Sees("› Soa").Press("down")
	s.Sees("› Hasina")
}

func TestAWrongPINAndALockoutAreShown(t *testing.T) {
	s := open(t).hire().failed()
	s.Keys("u", "enter", "down")
	for range 4 {
		s.digits("1111").Keys("enter").Sees("The name or the PIN is wrong.", "PIN:   ")
	}
	s.digits(shoptest.SoasPIN).Lacks("wrong").Press("enter")
	s.Sees("Too many wrong PINs. Wait until 12:00:")
	s.Advance(31 * time.Second)
	s.digits(shoptest.SoasPIN).Keys("enter").Sees("MARKED UNPAID", "Soa")
}

func TestEscCancelsThePINQuestion(t *testing.T) {
	s := open(t).hire().failed()
	s.Keys("y", "enter", "1", "2", "esc").Lacks("Who answers").Sees("NOT PAID")
	s.Keys("y", "enter").Sees("PIN:   ")
	s.Keys("enter", "x").Sees("PIN:   ")
	s.digits("1234567890123").Sees("PIN: ●●●●●●●●●●●●  ")
	s.Keys("esc", "esc", "enter").Lacks("Who answers")
}

func TestAQuestionStaysWhileItsAnswerIsRecorded(t *testing.T) {
	s := open(t).hire().failed()
	s.Hold().Keys("y", "enter").Keys("esc").Sees("One moment")
	s.Release().Sees("Who answers").Press("esc", "enter")
	s.Keys("y", "enter").digits("1111")
	s.Hold().Keys("enter").Sees("One moment").Press("1", "enter", "esc")
	s.Release().Sees("The name or the PIN is wrong.").Press("esc")
	s.Lacks("Who answers", "wrong")
}
