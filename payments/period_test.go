package payments_test

import (
	"testing"
	"time"

	"checkout/till/payments"
)

// An order that a person found paid counts on the day of the finding. Day n is n days after the order
// was created.
func TestWhenAnOrderCounts(t *testing.T) {
	const found, unpaid = payments.FoundPaid, payments.FoundUnpaid
	day := func(n int) time.Time { return opening().AddDate(0, 0, n) }
	for _, test := range []struct {
		name     string
		paid     int  // Day on which the proof comes; 0 without proof.
		disputed bool // An event contradicts the last finding.
		findings []payments.Finding
		counted  int
	}{
		{name: "nothing", counted: 0},
		{name: "proof", paid: 1, counted: 1},
		{name: "found paid", findings: []payments.Finding{{Kind: found, At: day(2)}}, counted: 2},
		{name: "found unpaid", findings: []payments.Finding{{Kind: unpaid, At: day(2)}}, counted: 0},
		{
			name: "proof, then found unpaid", paid: 1, counted: 1,
			findings: []payments.Finding{{Kind: unpaid, At: day(2)}},
		},
		{
			name: "found unpaid, then proof", paid: 3, disputed: true, counted: 3,
			findings: []payments.Finding{{Kind: unpaid, At: day(2)}},
		},
		{
			name: "found unpaid, then proof, then found paid", paid: 3, counted: 3,
			findings: []payments.Finding{{Kind: unpaid, At: day(2)}, {Kind: found, At: day(4), Seen: payments.VerdictCheck}},
		},
		{
			name: "proof with a clock that was ahead, then found unpaid", paid: 5, counted: 5,
			findings: []payments.Finding{{Kind: unpaid, At: day(2)}},
		},
		{
			name: "found unpaid, then another success, then found paid", paid: 1, counted: 1,
			findings: []payments.Finding{{Kind: unpaid, At: day(2)}, {Kind: found, At: day(4), Seen: payments.VerdictCheck}},
		},
		{
			name: "found paid, then proof", paid: 3, counted: 3,
			findings: []payments.Finding{{Kind: found, At: day(2)}},
		},
		{
			name: "found unpaid, then another success", paid: 1, disputed: true, counted: 1,
			findings: []payments.Finding{{Kind: unpaid, At: day(2)}},
		},
		{
			name: "found paid twice", findings: []payments.Finding{{Kind: found, At: day(2)}, {Kind: found, At: day(3)}}, counted: 2,
		},
		{
			name:     "corrected twice",
			findings: []payments.Finding{{Kind: found, At: day(2)}, {Kind: unpaid, At: day(3)}, {Kind: found, At: day(4)}}, counted: 4,
		},
	} {
		order := pending()
		if test.paid > 0 {
			order.Facts.PaidAt = day(test.paid)
		}
		if test.disputed {
			order.Facts.Attention = []payments.Attention{payments.FindingContradicted}
		}
		order.Findings = test.findings
		if n := len(test.findings); n > 0 {
			order.Finding = &test.findings[n-1]
		}
		if !order.CountedAt().Equal(day(test.counted)) {
			t.Errorf("%s: counted at %v", test.name, order.CountedAt())
		}
	}
}
