package sqlstore

import (
	"encoding/json"
	"strings"

	"checkout/till/payments"
	"checkout/till/payments/clean"
)

// reasonRow is the JSON of an order's reason in the column "error". A reason without a code is
// stored as plain text, its detail. If the detail begins with "{", it is stored as JSON, too.
type reasonRow struct {
	Fault  payments.CallError `json:"code"`
	Detail string             `json:"detail,omitempty"`
}

func encodeReason(r payments.Reason) string {
	if r.Fault == "" && !strings.HasPrefix(r.Detail, "{") {
		return r.Detail
	}
	encoded, _ := json.Marshal(reasonRow(r)) //nolint:errchkjson // Two strings always encode.
	return string(encoded)
}

func reason(into *payments.Reason) scanner {
	return text(func(value string) {
		var row reasonRow
		if !strings.HasPrefix(value, "{") || json.Unmarshal([]byte(value), &row) != nil || row == (reasonRow{}) {
			row = reasonRow{Detail: value}
		}
		into.Fault = payments.CallError(clean.Text(string(row.Fault), maxKey))
		into.Detail = clean.Text(row.Detail, payments.MaxShownWidth)
	})
}
