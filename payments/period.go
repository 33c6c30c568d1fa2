package payments

import (
	"slices"
	"time"
)

// CountedAt returns the time at which the order counts in a report: when its proof came. Without
// proof, it is the time of a person's finding of paid: the first one since the last finding of
// unpaid, or the last one if Findings were not read. Without both, it is when the order was
// created.
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
