package admin

import (
	"time"

	"checkout/till/payments"
	"checkout/till/payments/catalog"
)

// reportJSON is the JSON of a report. The CSV table is made from the same struct.
type reportJSON struct {
	From     time.Time                    `json:"from"` // Included.
	To       time.Time                    `json:"to"`   // Not included.
	Orders   int64                        `json:"orders"`
	Verdicts map[payments.Verdict]sumJSON `json:"verdicts"`
	Hours    []hourJSON                   `json:"hours"`
	Sold     []soldJSON                   `json:"articles"`
	Received sumJSON                      `json:"received"`
	Refunded sumJSON                      `json:"refunded"`
	Closings []closingJSON                `json:"closings,omitempty"`
}

type sumJSON struct {
	Count  int64           `json:"count"`
	Amount payments.Ariary `json:"amount"`
}

type hourJSON struct {
	At time.Time `json:"hour"`
	sumJSON
}

type soldJSON struct {
	Label    string          `json:"label"`
	Quantity int64           `json:"quantity"`
	Amount   payments.Ariary `json:"amount"`
}

type closingJSON struct {
	Day      string                       `json:"day"`
	Till     string                       `json:"till"`
	By       string                       `json:"by"`
	At       time.Time                    `json:"at"`
	Orders   int64                        `json:"orders"`
	Received sumJSON                      `json:"received"`
	Verdicts map[payments.Verdict]sumJSON `json:"verdicts"`
	Since    map[payments.Verdict]sumJSON `json:"since,omitempty"`
}

func newReportJSON(report payments.Report, closings []closingJSON) reportJSON {
	made := reportJSON{
		From: report.Period.From, To: report.Period.To, Orders: report.Orders, Verdicts: newSumsJSON(report.Verdicts),
		Received: sumJSON(report.Received), Refunded: sumJSON(report.Refunded), Closings: closings,
	}
	for _, hour := range report.Hours {
		made.Hours = append(made.Hours, hourJSON{hour.At, sumJSON(hour.Sum)})
	}
	for _, sold := range report.Sold {
		made.Sold = append(made.Sold, soldJSON(sold))
	}
	return made
}

// newClosingJSON converts a closing. since has the sums that changed after it; it is
// omitted if empty.
func newClosingJSON(closing payments.Closing, since map[payments.Verdict]payments.Sum) closingJSON {
	return closingJSON{
		Day: closing.Day, Till: closing.Till, By: closing.By, At: closing.At, Orders: closing.Orders,
		Received: sumJSON(closing.Received), Verdicts: newSumsJSON(closing.Verdicts), Since: newSumsJSON(since),
	}
}

func newSumsJSON(sums map[payments.Verdict]payments.Sum) map[payments.Verdict]sumJSON {
	made := make(map[payments.Verdict]sumJSON, len(sums))
	for verdict, sum := range sums {
		made[verdict] = sumJSON(sum)
	}
	return made
}

type articleJSON struct {
	Label     string          `json:"label"`
	UnitPrice payments.Ariary `json:"unit_price"`
	Code      string          `json:"code"`
	Favourite int             `json:"favourite"`
	Uses      int64           `json:"uses"`
}

func newArticleJSON(article payments.Article) articleJSON {
	return articleJSON{article.Label, article.UnitPrice, article.Code, article.Favourite, article.Uses}
}

type importJSON struct {
	Imported  bool         `json:"imported"` // False for --dry-run and if a wrong line stopped the import.
	Added     int          `json:"added"`
	Changed   int          `json:"changed"`
	Unchanged int          `json:"unchanged"`
	Encoding  string       `json:"encoding"`
	Changes   []changeJSON `json:"changes,omitempty"` // Only with --dry-run.
	Wrong     []lineJSON   `json:"wrong"`
}

type changeJSON struct {
	From articleJSON `json:"from,omitzero"`
	To   articleJSON `json:"to"`
}

func newChangesJSON(changes []catalog.Change) []changeJSON {
	var made []changeJSON
	for _, change := range changes {
		made = append(made, changeJSON{newArticleJSON(change.From), newArticleJSON(change.To)})
	}
	return made
}

type lineJSON struct {
	Line    int    `json:"line"`
	Column  string `json:"column"`
	Text    string `json:"text"`
	Problem string `json:"problem"`
}
