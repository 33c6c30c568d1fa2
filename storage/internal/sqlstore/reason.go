package sqlstore

import (
	"encoding/json"
	"strings"

	"checkout/till/payments"
)

// reasonRow is the JSON of an order's reason in the column "error". If there is no code and the
// detail does not begin with "{", the column contains the detail itself.
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
		if err := json.Unmarshal([]byte(value), &row); err != nil || row == (reasonRow{}) {
			row = oldReason(value)
		}
		into.Fault = payments.CallError(payments.Clean(string(row.Fault), maxKey))
		into.Detail = payments.Clean(row.Detail, payments.MaxShownWidth)
	})
}

// oldReason parses a reason that an earlier version stored: the English text of the error code,
// then the detail. Existing databases contain the texts below, so they must never change.
func oldReason(said string) reasonRow {
	rest, unsent := strings.CutPrefix(said, "the order was not sent")
	rest = strings.TrimPrefix(rest, ": ")
	words, detail, _ := strings.Cut(rest, ": ")
	fault, known := map[string]payments.CallError{
		"no such host":                           payments.ErrNoHost,
		"nobody answers at its address":          payments.ErrNobody,
		"there is no way to the network":         payments.ErrNoNetwork,
		"the connection took too long":           payments.ErrTooSlow,
		"its certificate has expired":            payments.ErrExpired,
		"its certificate is not trusted":         payments.ErrUntrusted,
		"no answer came in time":                 payments.ErrNoAnswer,
		"the call was interrupted":               payments.ErrInterrupted,
		"the connection ended before the answer": payments.ErrConnectionLost,
		"the answer cannot be read":              payments.ErrUnreadable,
		"the answer is not valid":                payments.ErrUnsoundReply,
		"the service answered":                   payments.ErrAnswered,
		"the order reference is another order's": payments.ErrOrderReferenceTaken,
	}[words]
	switch {
	case known:
		return reasonRow{fault, detail}
	case unsent:
		return reasonRow{payments.ErrNotSent, rest}
	}
	return reasonRow{Detail: said}
}
