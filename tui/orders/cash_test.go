package orders_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/tui/live"
	"checkout/till/tui/receipt"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func menaka(sale string, price money.Ariary) payments.Terms {
	return shoptest.Terms(sale, payments.Item{Label: "Menaka", UnitPrice: price, Quantity: 1})
}

func (s *till) cash(sale string, price, given money.Ariary) *till {
	s.t.Helper()
	s.Sell(menaka(sale, price), drawer.Paying{Tender: drawer.TenderCash, Given: given})
	return s
}

func TestACashSaleOpensLikeAnOrder(t *testing.T) {
	s := open(t).cash("S1", 12_500, 20_000)
	s.Enter().Keys("tab").Sees("Counter", " 000001 ", "Enter open").Lacks("Given")
	s.Keys("enter").Sees("─ T1-GT-C-000001 ─", "12 500", "by T1").Lacks("Enter open")
	s.Keys("esc").Sees("Enter open").Press("esc")
	s.Left(1)
}

func TestTabOpensTheCashSalesAlsoBeforeTheFirstRead(t *testing.T) {
	entered, _ := open(t).cash("S1", 12_500, 20_000).Model().Update(live.Entered{})
	switched, _ := entered.Update(tea.KeyMsg{Type: tea.KeyTab})
	if !strings.Contains(switched.View(), "Counter ·") {
		t.Errorf("Tab opened another list\n%s", switched.View())
	}
}

func TestAVoidedCashSaleSaysWhatToGiveBack(t *testing.T) {
	const asks, says = "Why is sale", "T1-GT-C-000001 is voided: give back 12 500 Ar."
	for name, c := range map[string]struct {
		width, height int
		opens         []string
	}{
		"in the list":                 {80, 21, nil},
		"in the details":              {80, 21, []string{"enter"}},
		"in the list next to details": {120, 33, nil},
		"in the details next to it":   {120, 33, []string{"enter"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t).cash("S1", 12_500, 20_000)
			s.Resize(c.width, c.height)
			s.Enter().Keys("tab").Keys(c.opens...).Keys("b", "2").Type("mistake")
			if view := s.View(); strings.Count(view, asks) != 1 || strings.Count(view, "› mistake") != 1 {
				t.Errorf("the question is not drawn exactly once\n%s", view)
			}
			s.cash("S2", 500, 0).Keys("enter").Sees(says)
			tuitest.Equal(t, strings.Count(s.View(), "is voided:"), 1, "messages about the void")
			s.Keys("down").Lacks(says)
		})
	}
}

func TestAVoidOfAPartSaysThatTheOtherPaymentsStay(t *testing.T) {
	const says = "Only this part of the sale is void."
	s := open(t).cash("S1", 500, 0)
	s.TakeInParts("S2", drawer.TenderCash)
	s.Enter().Keys("tab", "enter", "b").Sees("2  cancel this part").Lacks("whole sale").Press("2").Sees(says).Press("esc", "esc", "end", "enter")
	s.Keys("b").Sees("2  cancel the whole sale").Press("2").Sees("Why is sale").Lacks(says)
}

func TestOnlyAVoidOfCashOpensTheDrawer(t *testing.T) {
	for tender, void := range map[drawer.Tender]string{drawer.TenderCash: "2", drawer.TenderCard: "3"} {
		t.Run(string(tender), func(t *testing.T) {
			printer := filepath.Join(t.TempDir(), "printer")
			tuitest.Must(t, os.WriteFile(printer, nil, 0o600))
			s := printing(t, live.Console{
				Theme: theme.Plain(), Texts: i18n.Load("en"),
				Receipts: receipt.Config{Columns: 32, DrawerPin: 2, Printer: receipt.Printer{Address: printer, NoStatus: true}},
			})
			s.Sell(menaka("S1", 12_500), drawer.Paying{Tender: tender})
			s.Enter().Keys("tab", "b", void).Type("mistake").Press("enter").Sees("is voided")
			printed, err := os.ReadFile(printer)
			tuitest.Must(t, err)
			tuitest.Equal(t, len(printed) > 0, tender == drawer.TenderCash, "the drawer opened")
		})
	}
}

func TestTheListsSayWhichMoneyTheyCount(t *testing.T) {
	t.Run("cash only", func(t *testing.T) {
		s := open(t).cash("S1", 12_500, 20_000).cash("S2", 500, 0)
		s.Enter().Sees("No mobile money so far. Sales at the counter today: 2 sales, 13 000 Ar. Tab").Press("tab")
		s.Sees("Today 2 sales · 13 000 Ar")
	})
	t.Run("the clock was ahead at the time of a sale", func(t *testing.T) {
		s := open(t)
		s.Advance(48 * time.Hour)
		s.cash("S1", 12_500, 0)
		s.Advance(-48 * time.Hour)
		s.Enter().Keys("tab").Sees("12 500")
	})
	t.Run("a sale that was paid in two parts counts once", func(t *testing.T) {
		s := open(t)
		s.TakeInParts("S1", drawer.TenderCash)
		s.Enter().Sees("today: 1 sale, 12 500 Ar").Press("tab").Sees("Today 1 sale · 12 500 Ar")
	})
	t.Run("the rest of a sale of yesterday is paid in cash", func(t *testing.T) {
		s := open(t)
		rest := s.SellPart(shoptest.Terms("S1"), 2000)
		s.Advance(24 * time.Hour)
		s.Sell(rest, shoptest.Cash())
		s.Enter().Sees("Sales at the counter today: 0 sales, 7 000 Ar.")
	})
	t.Run("the rest of a sale is paid by link", func(t *testing.T) {
		s := open(t)
		rest, err := s.Checkout(t.Context(), s.SellPart(shoptest.Terms("S1"), 2000))
		tuitest.Must(t, err)
		s.Pay(rest)
		s.Enter().Sees("Today mobile money: 0 sales · 7 000 Ar")
	})
	t.Run("a debt that is paid is no sale", func(t *testing.T) {
		s := open(t).cash("S1", 12_500, 20_000)
		s.payDebt(s.Lend("Rabe", 7000))
		s.Enter().Sees("Sales at the counter today: 2 sales, 19 500 Ar.").Press("tab")
		s.Sees("Today 2 sales · 19 500 Ar")
	})
	t.Run("cash of yesterday, and a voided sale", func(t *testing.T) {
		s := open(t).cash("S1", 12_500, 20_000)
		s.Advance(24 * time.Hour)
		s.Enter().Sees("No order yet.").Lacks("Only cash")
		s.cash("S2", 500, 0).cash("S3", 700, 0).Enter().Keys("tab").Sees("Today 2 sales · 1 200 Ar", "Yesterday 1 sale · 12 500 Ar")
		s.Keys("b", "2").Type("mistake").Press("enter").Sees("Today 1 sale · 500 Ar", "Yesterday 1 sale · 12 500 Ar")
	})
	t.Run("mobile money and cash", func(t *testing.T) {
		s := open(t).cash("S1", 12_500, 20_000)
		s.Pay(s.Charge("S2"))
		s.Enter().Sees("Today mobile money: 1 sale · 9 000 Ar").Press("tab").Sees("Today 1 sale · 12 500 Ar")
	})
}

func TestAReceiptOnTheScreenShowsItsKeys(t *testing.T) {
	for _, width := range []int{80, 120} {
		s := open(t).cash("S1", 12_500, 20_000)
		s.Resize(width, 21)
		s.Enter().Keys("tab").Lacks("print").Press("p").Sees("Ticket T1-GT-000001", "p print", "Esc close")
		s.Press("p").Sees("No printer").Press("enter", "p").Sees("Ticket T1-GT-000001").Press("p").Sees("No printer").Press("esc", "esc")
		s.Lacks("Ticket", "Esc close").Sees("p receipt")
		s.Left(0)
	}
}

func TestAPartOfACashSaleIsGivenBack(t *testing.T) {
	s := open(t).cash("S1", 2000, 0)
	s.Enter().Keys("tab", "b", "1").Sees("T1-GT-C-000001 (2 000 Ar): how much is given back", "Type why, and 2 000 Ar is given back.").Fits()
	s.Type("3000 broken").Press("enter").Sees("Type an amount of at most 2 000 Ar").Press("ctrl+u")
	s.Type("2 cups").Press("enter").Sees("A number below 50 counts things. For the amount, type 2 Ar.").Press("ctrl+u")
	s.Type("500").Press("enter").Sees("Add the reason after the amount.").Lacks("at most").Type(" broken")
	s.Keys("enter").Lacks("how much is given back").Sees("T1-GT-C-000001: 500 Ar given back, 500 Ar so far", "−500 Ar")
	s.Resize(120, 34).Sees("Refunded −500", "Refunded −500 Ar #2 by T1", "Reason: broken").Lacks("is voided")
	stored, err := s.CounterSale(t.Context(), "T1-GT-C-000001")
	tuitest.Must(t, err)
	tuitest.Equal(t, stored.Refunded, 500, "the refund")
	s.Keys("b", "1").Sees("Given back so far: 500 Ar.").Type("#2 a mistake")
	s.Keys("enter").Sees("Refunds taken back +500 Ar #3 by T1", "Reason: a mistake").Lacks("REFUNDED")
	s.Keys("b", "1").Lacks("Given back so far").Type("spoilt").Press("enter").Sees("¤ REFUNDED", "Refunded −2 000")
	s.Keys("b").Sees("how much is given back").Lacks("whole sale") // A refund can be taken back, and nothing is left to void.
}

func TestOneKeyAsksHowMoneyIsGivenBack(t *testing.T) {
	s := open(t)
	s.Pay(s.Charge("S1"))
	s.Enter().Keys("enter", "b").Sees("Money back: how?", "1  cash from the drawer", "2  in the merchant area", "Esc").Lacks("whole sale").Fits()
	s.Keys("3").Sees("Money back: how?").Press("esc").Lacks("Money back: how?").Sees("b money back")
	s.Keys("b", "1").Type("4000 broken").Press("enter").Sees("4 000 Ar given back").Lacks("Money back: how?")
	s.Keys("1", "2", "3").Lacks("how much is given back") // These keys have a meaning only while the question is open.
}

// payDebt records that a customer pays for a sale on account in cash.
func (s *till) payDebt(sold drawer.CounterSale) {
	terms := shoptest.Terms("", payments.Item{Label: "Vary", UnitPrice: sold.Amount, Quantity: 1})
	terms.Debt = sold.Account
	s.Sell(terms, shoptest.Cash())
}

func TestASaleOnAccountNamesItsCustomer(t *testing.T) {
	s := open(t)
	sold := s.Lend("Rabe", 7000)
	s.Enter().Keys("tab", "enter").Sees("ON ACCOUNT", "Customer", "Rabe")
	s.Keys("b").Sees("1  off the debt", "2  cancel the whole sale").Lacks("from the drawer").Press("2").Sees("The customer owes it no longer.").Lacks("given back now")
	s.Keys("esc", "esc")
	s.payDebt(sold)
	s.Enter().Keys("tab", "enter").Sees("Change", "Customer", "Rabe")
	s.cash("S3", 500, 0).Enter().Keys("tab", "enter").Lacks("Customer")
}

func TestTheExampleOfARefundIsAccepted(t *testing.T) {
	s := open(t).cash("S1", 80, 0)
	s.Enter().Keys("tab", "b", "1").Sees("begin with the amount: 40 Ar broken").Type("90 Ar broken")
	s.Keys("enter").Press("ctrl+u").Type("40 Ar broken")
	s.Keys("enter").Sees("40 Ar given back")
}

func TestARefundAtAnotherTillClosesTheQuestionAboutACashSale(t *testing.T) {
	s := open(t).cash("S1", 12_500, 0).Enter()
	s.Keys("tab", "b", "2").Sees("Why is sale T1-GT-C-000001 (12 500 Ar)")
	tuitest.Must(t, s.Service.Refund(t.Context(), "T2", drawer.Given{
		Ref: "T1-GT-C-000001", InCash: true, Amount: 2500, Net: 12_500, Note: "broken",
	}, staff.Identity{}))
	s.Look().Lacks("Why is sale")
	s.Keys("b", "2").Sees("Why is sale T1-GT-C-000001 (10 000 Ar)")
}
