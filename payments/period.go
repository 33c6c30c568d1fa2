package payments

import (
	"slices"
	"time"
)

// CountedAt returns the time at which the order counts in a report: when its proof came, else when
// a person first found it paid after any finding of unpaid, else when it was created.
func (o Order) CountedAt() time.Time {
	if o.Paid() {
		return o.Facts.PaidAt
	}
	counted := o.CreatedAt
	if o.Finding != nil && o.Finding.Kind != FoundUnpaid {
		counted = o.Finding.At
	}
	for _, finding := range slices.Backward(o.Findings) {
		if finding.Kind == FoundUnpaid {
			break
		}
		counted = finding.At
	}
	return counted
}
