package payments

import (
	"math"
	"testing"
	"time"
)

func TestAReportOfTooMuchIsRefused(t *testing.T) {
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	day := Period{From: at.Add(-time.Hour), To: at.Add(time.Hour)}
	paid := Order{Status: StatusSuccess, Amount: 1, Facts: Facts{PaidAt: at, SuccessSeen: true}}
	full := Sum{Amount: math.MaxInt64}
	items := paid
	items.Items = []Item{{Label: "a", UnitPrice: math.MaxInt64, Quantity: 2}}
	more := paid
	more.Items = []Item{{Label: "a", UnitPrice: 1, Quantity: 1}}
	refunded := Order{Finding: &Finding{Kind: FoundRefunded, At: at, Amount: 1}}
	for _, c := range []struct {
		report Report
		order  Order
		sold   map[string]Sold
	}{
		{Report{Refunded: full}, refunded, nil}, {Report{Received: full}, paid, nil}, {Report{}, items, map[string]Sold{}},
		{Report{}, more, map[string]Sold{"a": {Amount: math.MaxInt64}}},
	} {
		c.report.Period = day
		c.report.Verdicts = map[Verdict]Sum{}
		if c.report.count(c.order, c.sold, at) == nil {
			t.Errorf("%+v was counted", c.order)
		}
	}
}
