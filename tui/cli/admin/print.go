package admin

import (
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
)

// reportJSON is the JSON of a report. The CSV table is made from the same struct.
type reportJSON struct {
	From         time.Time                    `json:"from"` // Beginning of the period, included.
	To           time.Time                    `json:"to"`   // End of the period, not included.
	Orders       int64                        `json:"orders"`
	Verdicts     map[payments.Verdict]sumJSON `json:"verdicts"`
	Hours        []hourJSON                   `json:"hours"`
	Sold         []soldJSON                   `json:"articles"`
	Received     sumJSON                      `json:"received"`                     // Minus the refunds of sales through the payment service.
	Refunded     sumJSON                      `json:"refunded"`                     // All refunds.
	AtCounter    sumJSON                      `json:"refunded_at_counter,omitzero"` // Refunds of sales at the counter. Taken is Received plus Tenders, minus Voided and these.
	Cash         sumJSON                      `json:"cash"`
	Voided       sumJSON                      `json:"voided"`
	Taken        sumJSON                      `json:"taken"`                // Sales by all tenders, also on account, minus refunds and voids.
	CameLater    *sumJSON                     `json:"came_later,omitempty"` // Part of Received that was recorded after the period.
	WithoutOrder sumJSON                      `json:"without_order"`
	Tenders      map[drawer.Tender]sumJSON    `json:"tenders"`             // Sales at the counter, including voided ones.
	Debts        sumJSON                      `json:"debts_paid,omitzero"` // Paid debts minus refunds; not part of the takings.
	WrittenOff   sumJSON                      `json:"written_off,omitzero"`
	Owed         sumJSON                      `json:"owed,omitzero"` // Customers' debts at the end of the period.
	Closings     []closingJSON                `json:"closings,omitempty"`
}

type sumJSON struct {
	Count  int64        `json:"count"`
	Amount money.Ariary `json:"amount"`
}

type hourJSON struct {
	At time.Time `json:"hour"`
	sumJSON
}

type soldJSON struct {
	Label       string       `json:"label"`
	Quantity    int64        `json:"quantity"` // Number of pieces; a line sold by measure counts as one.
	Amount      money.Ariary `json:"amount"`
	Thousandths int64        `json:"thousandths"`
	Unit        string       `json:"unit"`
}

type closingJSON struct {
	Till       string                     `json:"till"`
	Number     string                     `json:"number"`
	Since      time.Time                  `json:"since"` // Time of the previous closing; null for the first one.
	By         string                     `json:"by"`
	At         time.Time                  `json:"at"`
	Moves      map[drawer.Kind]sumJSON    `json:"moves"`             // Sum of the cash moves of each kind, except counts and paid debts.
	Counted    *countJSON                 `json:"counted,omitempty"` // The last count; omitted without one.
	Counts     []countJSON                `json:"counts"`
	Expected   money.Ariary               `json:"expected"`
	Difference *money.Ariary              `json:"difference,omitempty"` // Counted minus expected money at the last count; omitted without a count.
	Received   sumJSON                    `json:"received"`
	Returned   sumJSON                    `json:"returned"`
	Tenders    map[drawer.Tender]flowJSON `json:"tenders"`              // Sales and refunds by tenders that put no money into the drawer.
	Debts      map[drawer.Tender]sumJSON  `json:"debts_paid,omitempty"` // Debts that were paid, minus refunds, by tender.
	Owed       sumJSON                    `json:"owed,omitzero"`        // Debts of all the shop's customers.
	Taken      sumJSON                    `json:"taken"`
	VAT        int64                      `json:"vat"` // Value-added tax in percent; 0 without this tax.
	GrandTotal money.Ariary               `json:"grand_total"`
	Seal       string                     `json:"seal"`
}

type flowJSON struct {
	Taken    sumJSON `json:"taken"`
	Returned sumJSON `json:"returned"`
}

type countJSON struct {
	Amount money.Ariary `json:"amount"`
	By     string       `json:"by"`
	At     time.Time    `json:"at"`
	// Cash that should have been in the drawer at the count.
	Expected money.Ariary `json:"expected"`
}

func newReportJSON(report drawer.Day, orphans money.Sum, closings []drawer.Closing) reportJSON {
	made := reportJSON{
		From: report.Period.From, To: report.Period.To, Orders: report.Orders, Verdicts: make(map[payments.Verdict]sumJSON),
		Received: sumJSON(report.Received), Refunded: sumJSON(report.Refunds()), AtCounter: sumJSON(report.CashRefunded), Cash: sumJSON(report.Tendered[drawer.TenderCash]), Tenders: tendered(report),
		Voided: sumJSON(report.Voided), Taken: sumJSON(report.Taken()), WithoutOrder: sumJSON(orphans), Closings: newClosingsJSON(closings),
		Debts: sumJSON(report.Debts), WrittenOff: sumJSON(report.WrittenOff), Owed: sumJSON(report.Owed),
	}
	if later := sumJSON(report.Later); later != (sumJSON{}) {
		made.CameLater = &later
	}
	for verdict, sum := range report.Verdicts {
		made.Verdicts[verdict] = sumJSON(sum)
	}
	for _, hour := range report.Hours {
		made.Hours = append(made.Hours, hourJSON{hour.At, sumJSON(hour.Sum)})
	}
	for _, sold := range report.Sold {
		made.Sold = append(made.Sold, soldJSON(sold))
	}
	return made
}

// tendered returns the sales at the counter by tender, with zeros for tenders without sales.
func tendered(report drawer.Day) map[drawer.Tender]sumJSON {
	sums := make(map[drawer.Tender]sumJSON)
	for _, tender := range drawer.CounterTenders() {
		sums[tender] = sumJSON(report.Tendered[tender])
	}
	return sums
}

func newClosingJSON(closing drawer.Closing) closingJSON {
	made := closingJSON{
		Till: closing.Till, Number: closing.Number, Since: closing.Since, By: closing.By, At: closing.At.UTC(),
		Moves: make(map[drawer.Kind]sumJSON), Tenders: make(map[drawer.Tender]flowJSON), Expected: closing.Expected(),
		Received: sumJSON(closing.Received), Returned: sumJSON(closing.Returned), Taken: sumJSON(closing.Taken()),
		VAT: closing.VAT, GrandTotal: closing.GrandTotal, Seal: closing.Seal, Owed: sumJSON(closing.Owed), Debts: make(map[drawer.Tender]sumJSON),
	}
	for _, kind := range drawer.Kinds() {
		if kind != drawer.Count && kind != drawer.Paid { // Paid debts are in Debts.
			made.Moves[kind] = sumJSON(closing.Moves[kind])
		}
	}
	for tender, sum := range closing.Debts {
		made.Debts[tender] = sumJSON(sum)
	}
	for tender, flow := range closing.Flows {
		made.Tenders[tender] = flowJSON{sumJSON(flow.Taken), sumJSON(flow.Returned)}
	}
	for _, count := range closing.Counts {
		made.Counts = append(made.Counts, countJSON{count.Amount, count.By, count.At, count.Expected})
	}
	if count, counted := closing.LastCount(); counted {
		difference := count.Difference()
		made.Difference = &difference
		made.Counted = &made.Counts[len(made.Counts)-1]
	}
	return made
}

func newClosingsJSON(closings []drawer.Closing) (list []closingJSON) {
	for _, closing := range closings {
		list = append(list, newClosingJSON(closing))
	}
	return list
}

type articleJSON struct {
	Label     string       `json:"label"`
	UnitPrice money.Ariary `json:"unit_price"`
	Code      string       `json:"code"`
	Favourite int          `json:"favourite"`
	Uses      int64        `json:"uses"`
	Unit      string       `json:"unit"`
}

func newArticleJSON(article payments.Article) articleJSON {
	return articleJSON{article.Label, article.UnitPrice, article.Code, article.Favourite, article.Uses, article.Unit}
}

type importJSON struct {
	Imported  bool         `json:"imported"` // False with --dry-run, or if the import was refused.
	Added     int          `json:"added"`
	Changed   int          `json:"changed"`
	Unchanged int          `json:"unchanged"`
	Encoding  string       `json:"encoding"`
	Changes   []changeJSON `json:"changes,omitempty"` // Omitted without --dry-run.
	Wrong     []lineJSON   `json:"wrong"`
}

type changeJSON struct {
	From articleJSON `json:"from,omitzero"`
	To   articleJSON `json:"to"`
}

type lineJSON struct {
	Line    int    `json:"line"`
	Column  string `json:"column"`
	Text    string `json:"text"`
	Problem string `json:"problem"`
}
