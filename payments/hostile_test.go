package payments_test

import (
	"errors"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage/storagetest"
)

func TestTextsAreCleanedBeforeTheyAreStored(t *testing.T) {
	for _, text := range storagetest.HostileTexts() {
		t.Run(text.Name, func(t *testing.T) {
			s, given := newShop(t), terms("S1")
			given.Till, given.Description, given.Items[0].Label = text.Raw, text.Raw, text.Raw
			order := s.checkout(t, given)
			succeeded := event(payments.PaymentSuccess, order, "")
			succeeded.Amount = payments.Value{Kind: payments.Other, Text: text.Raw}
			succeeded.Currency = payments.TextValue(text.Raw)
			s.receive(t, succeeded)
			s.receive(t, event(payments.PaymentFailed, order, text.Raw))
			finding := payments.Finding{Kind: payments.FoundUnpaid, By: text.Raw, Note: text.Raw}
			order, err := s.resolve(t, order.Reference, finding)
			must(t, err)
			sale := s.NewSale(text.Raw)
			sale.Description = text.Raw
			must(t, s.SaveSale(t.Context(), sale))
			sales, err := s.Sales(t.Context(), sale.Till)
			if err != nil || len(sales) != 1 {
				t.Fatalf("sales %v, %v", sales, err)
			}
			s.answer = func(payments.Order) (payments.Created, error) {
				return payments.Created{}, &payments.Refusal{Message: text.Raw}
			}
			refused, _ := s.Checkout(t.Context(), again(given))
			s.answer = func(payments.Order) (payments.Created, error) {
				return payments.Created{}, errors.New(text.Raw)
			}
			given.Items[0].Label = "Vary"
			lost, _ := s.Checkout(t.Context(), again(given))
			for field, entered := range map[string]string{
				"label": order.Items[0].Label, "description": order.Description, "till": order.Till,
				"error": order.Reason.Detail, "amount": order.Facts.ReportedAmount, "currency": order.Facts.ReportedUnit,
				"by": order.Finding.By, "note": order.Finding.Note,
				"sale's till": sales[0].Till, "sale's description": sales[0].Description,
				"refusal": refused.Reason.Detail, "lost": lost.Reason.Detail,
			} {
				if entered != text.Clean || storagetest.Harm(entered) != "" {
					t.Errorf("%s is %q, want %q", field, entered, text.Clean)
				}
			}
		})
	}
}
