package cli_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestACardSaleFromTheCommandLine(t *testing.T) {
	desk := newDesk(t)
	desk.tag()
	desk.env["TILL_TENDERS"] = "link,cash,card"
	desk.says("", 0, "CARD: 7 000 Ar. T1-GT-C-000001", "cash", "sale", "--tender", "card", "--item", "Vary:3500:2")
	desk.says("", 0, "CARTE : 2 000 Ar. T1-GT-C-000002", "cash", "sale", "--tender", "card", "--item", "Coca:2000", "--lang", "fr")
	desk.says("", 2, "--tender", "cash", "sale", "--tender", "nut", "--item", "Coca:2000")
	desk.says("", 2, "say where the money comes from", "refund", "T1-GT-C-000001", "500", "broken")
	desk.says("", 2, "say where the money comes from", "refund", "T1-GT-C-000001", "500", "broken", "--from", "merchant-area")
	desk.says("", 0, "T1-GT-C-000001: 500 Ar given back", "refund", "T1-GT-C-000001", "500", "broken", "--from", "card")
	desk.says("", 0, "T1-GT-C-000001: 1 000 Ar given back", "refund", "T1-GT-C-000001", "1000", "broken", "--from", "drawer")
	desk.says("", 0, "T1-GT-C-000002 is voided: give back 2 000 Ar", "cash", "void", "T1-GT-C-000002", "wrong")
	desk.says("", 0, `"card":{"count":2,"amount":9000},"cash":{"count":0,"amount":0}`, "report", "--json")
	desk.says("", 0, `"tender":"card","amount":7000,"refunded":1500,"outcome":"card"`, "export", "--json")
	desk.says("", 0, "CARTE", "receipt", "T1-GT-C-000001", "--lang", "fr")
	desk.says("", 0, `"tenders":{"card":{"taken":{"count":1,"amount":7000},"returned":{"count":1,"amount":500}}},"taken":{"count":1,"amount":5500}`,
		"close", "--yes", "--json")
	desk.says("", 0, "", "verify")
}

func TestAnOrderForTheRestNamesTheFirstPayment(t *testing.T) {
	desk := newDesk(t)
	desk.tag()
	counter := shoptest.New(t, desk.store())
	rest := counter.SellPart(shoptest.Terms("S1", shoptest.Coca()), 500)
	order, err := counter.Checkout(t.Context(), rest)
	tuitest.Must(t, err)
	desk.says("", 0, "\nrest of "+rest.Part.RestOf+" ", "order", "show", order.Reference)
}

func TestTheReportAsCSVHasWeights(t *testing.T) {
	desk := newDesk(t)
	desk.tag()
	store := desk.store()
	rice, err := payments.NewMeasured(payments.Measure{Article: "Vary", Thousandths: 2750, Unit: "kg", Price: 4000}, "Vary 2,75 kg")
	tuitest.Must(t, err)
	_, err = shoptest.New(t, store).Service.Take(t.Context(), shoptest.Terms("S1", rice), drawer.Paying{Tender: drawer.TenderCash})
	tuitest.Must(t, err)
	desk.says("", 0, "\narticle,Vary,1,11000,,,,,2.75,kg\r\n", "report", "--csv")
}
