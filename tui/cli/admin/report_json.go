package admin

import (
	"checkout/till/payments"
	"checkout/till/tui/cli"
)

// reportJSON is a report as scripts see it.
type reportJSON struct {
	From     *string                      `json:"from"`
	To       *string                      `json:"to"`
	Orders   int64                        `json:"orders"`
	Verdicts map[payments.Verdict]sumJSON `json:"verdicts"`
	Hours    []hourJSON                   `json:"hours"`
	Articles []soldJSON                   `json:"articles"`
	Closings []closingJSON                `json:"closings,omitempty"` // Of days that are closed.
}

type sumJSON struct {
	Count  int64           `json:"count"`
	Amount payments.Ariary `json:"amount"`
}

type hourJSON struct {
	Hour *string `json:"hour"`
	sumJSON
}

type soldJSON struct {
	Label    string          `json:"label"`
	Quantity int64           `json:"quantity"`
	Amount   payments.Ariary `json:"amount"`
}

func newReportJSON(report payments.Report, closings []closed) reportJSON {
	made := reportJSON{
		From: cli.Stamp(report.Period.From), To: cli.Stamp(report.Period.To), Orders: report.Orders,
		Verdicts: sumsJSON(report.Verdicts),
		Hours:    make([]hourJSON, 0, len(report.Hours)), Articles: make([]soldJSON, 0, len(report.Sold)),
	}
	for _, hour := range report.Hours {
		made.Hours = append(made.Hours, hourJSON{cli.Stamp(hour.At), sumJSON(hour.Sum)})
	}
	for _, sold := range report.Sold {
		made.Articles = append(made.Articles, soldJSON(sold))
	}
	for _, closing := range closings {
		made.Closings = append(made.Closings, newClosingJSON(closing))
	}
	return made
}
