package sandbox

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"checkout/till/payments"
)

// ErrNoSuchScenario says that no scenario has a name. The error around it names
// all there are.
var ErrNoSuchScenario = errors.New("there is no such scenario")

// Scenario is a named set of faults.
type Scenario struct {
	Name    string `json:"name"`    // Lower case, with hyphens, as on a command line.
	Summary string `json:"summary"` // One sentence for people.
	Faults  Faults `json:"faults"`
}

// Scenarios returns all scenarios: first the one without a fault, then those
// of the order call, then those of events. Names come once.
func Scenarios() []Scenario {
	all := []Scenario{{Name: "none", Summary: "Nothing goes wrong."}}
	all = append(all, callScenarios()...)
	all = append(all, linkScenarios()...)
	all = append(all, sendingScenarios()...)
	return append(all, contentScenarios()...)
}

// FindScenario returns the scenario with a name. It returns
// [ErrNoSuchScenario].
func FindScenario(name string) (Scenario, error) {
	var names []string
	for _, scenario := range Scenarios() {
		if scenario.Name == name {
			return scenario, nil
		}
		names = append(names, scenario.Name)
	}
	return Scenario{}, fmt.Errorf("%w: %q is none of %s", ErrNoSuchScenario, name, strings.Join(names, ", "))
}

func callScenarios() []Scenario {
	call := func(name, summary string, faults CallFaults) Scenario {
		return Scenario{Name: name, Summary: summary, Faults: Faults{Call: faults}}
	}
	return []Scenario{
		call("refuse", "The service refuses every order with a message of its own.",
			CallFaults{Refuse: "Compte marchand suspendu"}),
		call("refuse-escape", "The service refuses every order with control characters of terminals in its message.",
			CallFaults{Refuse: hostileReason}),
		call("break", "The order call answers 500 and no order is made.", CallFaults{Break: true}),
		call("break-after", "The order call answers 500 although the order was made.", CallFaults{BreakAfter: true}),
		call("slow", "The answer to the order call comes after 30 seconds, the order exists at once.",
			CallFaults{Slow: 30 * time.Second}),
		call("cut", "The connection ends without an answer although the order was made.", CallFaults{Cut: true}),
		call("empty-reply", "The order call answers 200 without a body.", CallFaults{Reply: ReplyEmpty}),
		call("not-json", "The order call answers 200 with a web page instead of JSON.", CallFaults{Reply: ReplyHTML}),
		call("cut-json", "The JSON of the answer to the order call ends in the middle.", CallFaults{Reply: ReplyCutJSON}),
		call("wrong-fields", "The answer to the order call has fields of other names.", CallFaults{Reply: ReplyWrongFields}),
		call("event-first", "The customer has paid, and the event was sent, before the order call is answered.",
			CallFaults{EventFirst: payments.PaymentSuccess}),
	}
}

// longLink is how many characters the long link has; 2,048 is what consoles
// and cameras can be expected to take.
const longLink = 3000

func linkScenarios() []Scenario {
	link := func(name, summary, address string) Scenario {
		return Scenario{Name: name, Summary: summary, Faults: Faults{Call: CallFaults{CheckoutURL: address}}}
	}
	const start = "https://pay.example.mg/c/"
	return []Scenario{
		link("unsound-link", "The link runs a script instead of opening a page.", "javascript:alert('payer')"),
		link("unsound-link-plain", "The link leads over an open line: http to a host elsewhere.", "http://pay.example.mg/c/1"),
		link("unsound-link-user", "The link hides its host behind a name that looks like one.",
			"https://pay.example.mg@evil.example/c/1"),
		link("unsound-link-letters", "The link's host has a letter of another script.", "https://p\u0430y.example.mg/c/1"),
		link("unsound-link-long", "The link has 3,000 characters.",
			start+strings.Repeat("x", longLink-len(start))),
		link("unsound-link-escape", "The link holds a line break and control characters of terminals.",
			start+"1\n\x1b[2J\x1b[32mPAID\x1b[0m"),
	}
}

func sendingScenarios() []Scenario {
	event := func(name, summary string, faults EventFaults) Scenario {
		return Scenario{Name: name, Summary: summary, Faults: Faults{Event: faults}}
	}
	return []Scenario{
		event("delay", "Every event comes 30 seconds late.", EventFaults{Delay: 30 * time.Second}),
		event("drop", "No event is ever sent.", EventFaults{Drop: true}),
		event("duplicate", "Every event comes three times.", EventFaults{Copies: 2}),
		event("reorder", "The failed tries of an order are told after its end, the last event first.", EventFaults{Reorder: true}),
		event("success-then-expired", "Whatever ends a link, an expiry is sent after it: pay, and the two contradict each other.",
			EventFaults{Then: payments.PaymentExpired}),
		event("expired-then-success", "Whatever ends a link, a success is sent after it: let it expire, and it is paid late.",
			EventFaults{Then: payments.PaymentSuccess}),
		event("signature-wrong", "Events are signed with another secret.", EventFaults{Signature: SignatureWrong}),
		event("signature-missing", "Events are not signed.", EventFaults{Signature: SignatureMissing}),
		event("signature-doubled", "The signature stands there twice.", EventFaults{Signature: SignatureDoubled}),
		event("signature-static", "The signature is over the secret, whatever the merchant set.", EventFaults{Signature: SignatureStatic}),
		event("signature-body", "The signature is over the body, whatever the merchant set.", EventFaults{Signature: SignatureBody}),
		event("slow-body", "The body of an event takes 30 seconds to arrive.", EventFaults{Slow: 30 * time.Second}),
		event("huge-body", "White space makes events 1 MiB long.", EventFaults{Padding: 1 << 20}),
	}
}

func contentScenarios() []Scenario {
	event := func(name, summary string, faults EventFaults) Scenario {
		return Scenario{Name: name, Summary: summary, Faults: Faults{Event: faults}}
	}
	return []Scenario{
		event("amount-wrong", "Events state 500 Ar less than the order has.", EventFaults{AmountOff: -500}),
		event("amount-text", "The amount is a text.", EventFaults{Shape: ShapeAmountText}),
		event("amount-decimal", "The amount has a fraction of zero.", EventFaults{Shape: ShapeAmountDecimal}),
		event("amount-missing", "There is no amount.", EventFaults{Shape: ShapeAmountMissing}),
		event("currency-wrong", "Events state the currency MGA.", EventFaults{Currency: "MGA"}),
		event("currency-missing", "There is no currency.", EventFaults{Shape: ShapeCurrencyMissing}),
		event("curency", "The currency stands under the misspelt name curency.", EventFaults{Shape: ShapeCurrencyMisspelt}),
		event("unknown-kind", "Events are of a kind that the specification does not know.", EventFaults{Shape: ShapeUnknownKind}),
		event("escape", "The reason of a payment that failed holds control characters of terminals: let one fail.",
			EventFaults{Reason: hostileReason}),
	}
}

// hostileReason is a text that tries what terminals may do: a title, the clipboard, a link, a
// clean screen that says it is paid in green, by escape sequences and by single
// control characters, and text that runs backwards.
const hostileReason = "Solde\x1b]0;PAID\x07\x1b]52;c;UEFJRA==\x07\x1b]8;;https://evil.example\x1b\\ ici\x1b]8;;\x1b\\" +
	"\x1b[2J\x1b[H\x1b[32mPAID\x1b[0m \u009b2J\u009d0;PAID\u009c\r\nPAID\b\x00\x7f \u202eDIAP\u202c\u200b\u2066 insuffisant\u2069\u2028"
