package payments

import (
	"slices"
	"time"
)

// CountedAt returns the time at which the order counts in a report: when its proof came, else when
// a person first found it paid, else when it was created. After a finding of unpaid, earlier
// findings do not count. If Findings were not read, only the last finding counts.
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
