package sandbox

import (
	"fmt"
	"net/http"

	"checkout/till/payments/sandbox/delivery"
)

// hint says what would mend a try that the merchant did not accept, for the
// developer of the merchant's program; nothing for one that was accepted.
func (c Config) hint(tried delivery.Try) string {
	switch status := tried.Status; {
	case tried.Accepted():
		return ""
	case status == 0 && c.WebhookURL == "":
		return "name the program's address with --webhook-url"
	case status == 0:
		return "the program must listen at the webhook address; a host that is a name needs --allow-target"
	case status < http.StatusBadRequest:
		return "no redirect is followed: name the address that it leads to"
	case status == http.StatusGone:
		return "410 asks for no further try"
	case tried.Signature != string(c.Scheme):
		return "a fault is set for the signature: " + tried.Signature
	case status == http.StatusBadRequest:
		return "the program must read the signature from the header " + c.SignatureHeader +
			" (TILL_SIGNATURE_HEADER sets another name), and the event as JSON from the body"
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return fmt.Sprintf("the program must have the header %s, the scheme %s and this sandbox's secret", c.SignatureHeader, c.Scheme)
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		return "the path must be that of the program's webhook, by POST; the program must store order_reference before the customer pays"
	}
	return "the program failed: its own log says why"
}
