package wording_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/wording"
)

func TestEveryQuestionHasWords(t *testing.T) {
	for _, language := range []string{"en", "fr", "mg"} {
		texts := i18n.Load(language)
		for _, kind := range counter.Kinds() {
			text := wording.Question(texts, time.UTC, counter.Question{Kind: kind, Tender: drawer.TenderCard})
			tuitest.Contains(t, text, "?")
		}
	}
}

// A sale can have more lines than when its earlier code was made, and a customer may pay that code.
// In this case, the texts say which amount is missing.
func TestAPaymentOfAnEarlierSmallerOrderIsNoPaymentOfTheWholeSale(t *testing.T) {
	texts := i18n.Load("en")
	paid := payments.Order{Reference: "A", Amount: 100, CreatedAt: time.Unix(0, 0), Facts: payments.Facts{PaidAt: time.Unix(0, 0)}}
	again := counter.Question{
		Kind: counter.AskPaid, Order: paid, Terms: payments.Terms{Items: []payments.Item{{UnitPrice: 500_100, Quantity: 1}}},
	}
	rest := again
	rest.Terms.Part.Taken = 500_000
	for got, want := range map[string]string{
		wording.Question(texts, time.UTC, rest):                                                      "This sale was paid at 00:00.",
		wording.Superseded(texts, payments.Order{Amount: 500_100, PaidWith: []payments.Order{paid}}): "only 100 Ar: 500 000 Ar are missing",
		wording.Superseded(texts, payments.Order{Amount: 100, PaidWith: []payments.Order{paid}}):     "Another order of this sale is paid. ",
		wording.Question(texts, time.UTC, again):                                                     "Only 100 Ar was paid for this sale, at 00:00. Charge 500 100 Ar",
	} {
		tuitest.Contains(t, got, want)
	}
}

func TestQuantitiesHaveTheirUnitAndDecimalMark(t *testing.T) {
	measured := func(thousandths int64, unit string) payments.Item {
		return payments.Item{Quantity: 1, Measure: payments.Measure{Article: "Vary", Thousandths: thousandths, Unit: unit, Price: 1}}
	}
	items := []payments.Item{{Quantity: 1200}, measured(1200, "kg"), measured(333, ""), measured(500, "l"), measured(1_000_250, "kg")}
	for language, want := range map[string]string{
		"en": "1 200 × | 1.2 kg | 0.333 × | 0.5 l | 1 000.25 kg | 1 001.45 kg | 0.5 l | 14.5 kg | 1 234",
		"fr": "1 200 × | 1,2 kg | 0,333 × | 0,5 l | 1 000,25 kg | 1 001,45 kg | 0,5 l | 14,5 kg | 1 234",
	} {
		texts := i18n.Load(language)
		var got []string
		for _, item := range items {
			got = append(got, wording.Quantity(texts, item))
		}
		got = append(got, wording.Measures(texts, items)...)
		got = append(got, wording.SoldQuantity(texts, drawer.Sold{Quantity: 3, Thousandths: 14500, Unit: "kg"}),
			wording.SoldQuantity(texts, drawer.Sold{Quantity: 1234, Thousandths: 1_234_000}))
		tuitest.Equal(t, strings.Join(got, " | "), want, "%s", language)
	}
}
