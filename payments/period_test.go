package payments_test

import (
	"testing"
	"time"

	"checkout/till/payments"
)

func TestOrderNumberAndSum(t *testing.T) {
	for reference, want := range map[string]string{"T1-20261121-0007": "0007", "A": "A", "": ""} {
		if got := (payments.Order{Reference: reference}).Number(); got != want {
			t.Errorf("%q: number %q, want %q", reference, got, want)
		}
	}
	if got := (payments.Sum{}).Add(3000).Add(4000); got != (payments.Sum{Count: 2, Amount: 7000}) {
		t.Errorf("the sum is %+v", got)
	}
}

// An order that a person found paid counts on the day of the finding. A refund counts on its own
// day. Day n is n days after the order was created.
func TestWhenAnOrderAndItsRefundsCount(t *testing.T) {
	const found, unpaid, refunded = payments.FoundPaid, payments.FoundUnpaid, payments.FoundRefunded
	day := func(n int) time.Time { return opening().AddDate(0, 0, n) }
	for _, test := range []struct {
		name     string
		paid     bool // Proof comes on day 1.
		findings []payments.Finding
		counted  int
		refunded [6]payments.Ariary // Amount refunded on each day.
	}{
		{name: "nothing", counted: 0},
		{name: "proof", paid: true, counted: 1},
		{name: "found paid", findings: []payments.Finding{{Kind: found, At: day(2)}}, counted: 2},
		{name: "found unpaid", findings: []payments.Finding{{Kind: unpaid, At: day(2)}}, counted: 0},
		{name: "found paid twice", findings: []payments.Finding{{Kind: found, At: day(2)}, {Kind: found, At: day(3)}}, counted: 2},
		{
			name:     "corrected twice",
			findings: []payments.Finding{{Kind: found, At: day(2)}, {Kind: unpaid, At: day(3)}, {Kind: found, At: day(4)}}, counted: 4,
		},
		{
			name: "refunded, then less", paid: true, counted: 1, refunded: [6]payments.Ariary{2: 9000, 4: -4000},
			findings: []payments.Finding{{Kind: refunded, Amount: 9000, At: day(2)}, {Kind: refunded, Amount: 5000, At: day(4)}},
		},
		{
			name: "found paid, then refunded", counted: 2, refunded: [6]payments.Ariary{3: 9000},
			findings: []payments.Finding{{Kind: found, At: day(2)}, {Kind: refunded, Amount: 9000, At: day(3)}},
		},
	} {
		order := pending()
		if test.paid {
			order.Facts.PaidAt = day(1)
		}
		order.Findings = test.findings
		if n := len(test.findings); n > 0 {
			order.Finding = &test.findings[n-1]
		}
		if !order.CountedAt().Equal(day(test.counted)) {
			t.Errorf("%s: counted at %v", test.name, order.CountedAt())
		}
		for n, want := range test.refunded {
			got, last := order.RefundedIn(payments.Period{From: day(n), To: day(n + 1)})
			if got != want || want != 0 && !last.Equal(day(n)) {
				t.Errorf("%s: %d refunded on day %d at %v, want %d", test.name, got, n, last, want)
			}
		}
	}
}
