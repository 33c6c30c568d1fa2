package drawer_test

import (
	"errors"
	"testing"

	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

func (s *till) take(t *testing.T, sale string, tender drawer.Tender) drawer.CounterSale {
	t.Helper()
	taken, err := s.Take(t.Context(), terms(sale), drawer.Paying{Tender: tender})
	must(t, err)
	return taken
}

func TestASaleNeedsATenderOfTheCounter(t *testing.T) {
	s := open(t)
	for _, tender := range []drawer.Tender{drawer.TenderLink, "", "nut"} {
		if _, err := s.Take(t.Context(), terms("S"), drawer.Paying{Tender: tender}); !errors.Is(err, drawer.ErrNoTender) {
			t.Errorf("%q: got %v", tender, err)
		}
	}
}

func TestACardSaleComesIntoNoDrawer(t *testing.T) {
	s := open(t)
	s.take(t, "S1", drawer.TenderCard)
	card := s.take(t, "S2", drawer.TenderCard)
	if card.Given != card.Amount || card.Change() != 0 {
		t.Errorf("got %+v", card)
	}
	account := s.account(t, "T1")
	if want := (money.Sum{Count: 2, Amount: 14_000}); account.Expected() != 0 || account.Flows[drawer.TenderCard].Taken != want || account.Taken() != want {
		t.Errorf("got %+v", account)
	}
	t.Run("and is given back at the terminal or in cash", func(t *testing.T) {
		refund := func(inCash bool, amount, left money.Ariary) {
			given := drawer.Given{Ref: card.Number, InCash: inCash, Amount: amount, Net: left, Note: "broken"}
			must(t, s.Refund(t.Context(), "T1", given, staff.Identity{}))
		}
		refund(false, 1000, 7000)
		refund(true, 500, 6000)
		account := s.account(t, "T1")
		if account.Expected() != -500 || account.Flows[drawer.TenderCard].Returned.Amount != 1000 || account.Taken().Amount != 12_500 {
			t.Errorf("got %+v", account)
		}
	})
	t.Run("a void takes the rest from the terminal", func(t *testing.T) {
		s.void(t, "T1", card.Number)
		account := s.account(t, "T1")
		if taken := account.Flows[drawer.TenderCard].Taken; taken != (money.Sum{Count: 1, Amount: 8500}) || account.Expected() != -500 || account.Taken().Amount != 7000 {
			t.Errorf("got %+v", account)
		}
	})
	closing := s.close(t)
	day := s.day(t, money.Day(s.Now(), 0))
	if closing.Taken() != day.Taken() || day.Tendered[drawer.TenderCard] != (money.Sum{Count: 2, Amount: 14_000}) || day.Voided.Amount != 5500 {
		t.Errorf("the closing has %+v, the day %+v", closing.Taken(), day)
	}
}

func TestTheJournalAndTheReceiptNameTheTender(t *testing.T) {
	s := open(t)
	card := s.take(t, "S1", drawer.TenderCard)
	settled, err := s.IssueReceipt(t.Context(), card.Number)
	must(t, err)
	entries, err := s.Journal(t.Context(), money.Day(s.Now(), 0))
	must(t, err)
	if len(entries) != 1 || entries[0].Tender != drawer.TenderCard || entries[0].Outcome != "card" || settled.Receipt.Kind != "card" {
		t.Errorf("got %+v, %+v", entries, settled.Receipt)
	}
}
