package sandbox

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"checkout/till/payments"
	"checkout/till/payments/money"
)

// Faults are the injected faults. The zero value injects no fault. In JSON they have the
// names of the fields, as in "amount_off"; durations are texts, as in "1m30s".
type Faults struct {
	Call  CallFaults  `json:"call"`
	Event EventFaults `json:"event"`
}

// CallFaults are the faults of the order call. If two faults exclude each other, the one that is
// declared first applies.
type CallFaults struct {
	Break       bool               `json:"break,omitzero"`             // Answers 500, and creates no order.
	Refuse      string             `json:"refuse,omitzero"`            // Answers 422 with this message, and creates no order.
	EventFirst  payments.EventKind `json:"event_first,omitzero"`       // Kind of an event that is sent before the answer; empty for none.
	Slow        time.Duration      `json:"slow,omitzero,format:units"` // Delay of the answer. The order exists already.
	Cut         bool               `json:"cut,omitzero"`               // Closes the connection without an answer. The order exists.
	BreakAfter  bool               `json:"break_after,omitzero"`       // Answers 500. The order exists.
	Reply       Fault              `json:"reply,omitzero"`             // Fault in the answer to a created order.
	CheckoutURL string             `json:"checkout_url,omitzero"`      // Replaces the order's link.
	Times       int                `json:"times,omitzero"`             // How many order calls have these faults; 0 means all.
}

// EventFaults are the faults of events. An event gets its faults when it is queued. Only Signature,
// Padding, Slow and Lost are read again at every try.
type EventFaults struct {
	Drop      bool               `json:"drop,omitzero"`               // Sends nothing, but Resend can still send the event.
	Delay     time.Duration      `json:"delay,omitzero,format:units"` // Delay of the first try. Later events may overtake it.
	Copies    int                `json:"copies,omitzero"`             // Number of additional copies.
	Reorder   bool               `json:"reorder,omitzero"`            // Holds events until the link ends; then sends them in reverse order.
	Then      payments.EventKind `json:"then,omitzero"`               // Event sent after the one that ended the link. With Reorder, it is sent before that one.
	Signature Fault              `json:"signature,omitzero"`
	AmountOff money.Ariary       `json:"amount_off,omitzero"`        // Added to the amount.
	Currency  string             `json:"currency,omitzero"`          // Replaces the order's currency.
	Shape     Fault              `json:"shape,omitzero"`             // Fault in the event's fields.
	Reason    string             `json:"reason,omitzero"`            // Replaces the error text of an unsuccessful event.
	Padding   int                `json:"padding,omitzero"`           // Bytes of white space after the event.
	Slow      time.Duration      `json:"slow,omitzero,format:units"` // Delay between header and body. The timeout of the try is extended by the same time.
	Lost      bool               `json:"lost,omitzero"`              // The try fails without being sent, as if the network had lost it.
	Tries     int                `json:"tries,omitzero"`             // How many of the first tries of each delivery have the faults that are read at every try; 0 means all tries.
}

func (f EventFaults) onTry(before int) EventFaults {
	if f.Tries > 0 && before >= f.Tries {
		return EventFaults{}
	}
	return f
}

// JSON returns the option for the JSON of deliveries and faults: durations are texts, as in
// "1m30s".
func JSON() json.Options { return json.ExperimentalSupportFormatTag(true) }

// Fault is a fault of a reply, of a signature or of the fields of an event. Blank means no
// fault.
type Fault string

// The faults of the answer to the order call (with status 200), of a signature, and of the
// fields of an event.
const (
	ReplyEmpty       Fault = "empty"        // No body.
	ReplyHTML        Fault = "html"         // HTML page of a proxy.
	ReplyCutJSON     Fault = "cut-json"     // JSON that ends in the middle.
	ReplyWrongFields Fault = "wrong-fields" // Valid JSON with other field names.

	SignatureWrong   Fault = "wrong" // Well formed, but made with another secret.
	SignatureMissing Fault = "missing"
	SignatureDoubled Fault = "doubled" // The signature header is sent twice.
	SignatureStatic  Fault = "static"  // Signed by the static scheme, even if the merchant's scheme is another.
	SignatureBody    Fault = "body"    // Signed by the body scheme, even if the merchant's scheme is another.

	ShapeAmountText       Fault = "amount-text"    // "1500" instead of 1500.
	ShapeAmountDecimal    Fault = "amount-decimal" // 1500.0 instead of 1500.
	ShapeAmountMissing    Fault = "amount-missing"
	ShapeCurrencyMissing  Fault = "currency-missing"
	ShapeCurrencyMisspelt Fault = "curency" // Misspelt name, as in the specification's example receiver.
	ShapeUnknownKind      Fault = "unknown-kind"
)

const (
	maxCopies  = 10
	maxPadding = 10 << 20  // Maximum of [EventFaults.Padding], in bytes.
	maxSpan    = time.Hour // Maximum of each duration in [Faults].
	maxTimes   = 1000      // Largest allowed [CallFaults.Times] and [EventFaults.Tries].
)

// Check returns an error for the first fault with an invalid value.
func (f Faults) Check() error {
	return cmp.Or(
		within("call.slow", f.Call.Slow, 0, maxSpan),
		within("call.times", f.Call.Times, 0, maxTimes),
		oneOf("call.event_first", f.Call.EventFirst, payments.EventKinds()...),
		oneOf("call.reply", f.Call.Reply, ReplyEmpty, ReplyHTML, ReplyCutJSON, ReplyWrongFields),
		f.Event.Check(),
	)
}

// Check returns an error for the first fault with an invalid value.
func (f EventFaults) Check() error {
	return cmp.Or(
		within("delay", f.Delay, 0, maxSpan),
		within("slow", f.Slow, 0, maxSpan),
		within("copies", f.Copies, 0, maxCopies),
		within("padding", f.Padding, 0, maxPadding),
		within("tries", f.Tries, 0, maxTimes),
		within("amount_off", int64(f.AmountOff), -int64(money.MaxAriary), int64(money.MaxAriary)),
		oneOf("then", f.Then, payments.EventKinds()...),
		oneOf("signature", f.Signature, SignatureWrong, SignatureMissing, SignatureDoubled, SignatureStatic, SignatureBody),
		oneOf("shape", f.Shape, ShapeAmountText, ShapeAmountDecimal, ShapeAmountMissing,
			ShapeCurrencyMissing, ShapeCurrencyMisspelt, ShapeUnknownKind),
	)
}

func within[T cmp.Ordered](field string, value, least, most T) error {
	if value < least || value > most {
		return fmt.Errorf("unsound fault: %s may be: %v to %v", field, least, most)
	}
	return nil
}

func oneOf[T ~string](field string, value T, allowed ...T) error {
	if value != "" && !slices.Contains(allowed, value) {
		return fmt.Errorf("unsound fault: %s may be: %s", field, strings.ReplaceAll(strings.Trim(fmt.Sprint(allowed), "[]"), " ", ", "))
	}
	return nil
}

// Scenario is a named set of faults.
type Scenario struct {
	Name    string `json:"name"`    // Lower case, with hyphens, as on a command line.
	Summary string `json:"summary"` // One sentence that explains the scenario to people.
	Faults  Faults `json:"faults"`
}

// FindScenario returns the scenario with this name. Its error lists all names.
func FindScenario(name string) (Scenario, error) {
	var names []string
	for _, scenario := range Scenarios() {
		if scenario.Name == name {
			return scenario, nil
		}
		names = append(names, scenario.Name)
	}
	return Scenario{}, fmt.Errorf("there is no such scenario: %q is not one of %s", name, strings.Join(names, ", "))
}

// Scenarios returns all scenarios. Names are unique.
func Scenarios() []Scenario {
	call := func(faults CallFaults) Faults { return Faults{Call: faults} }
	link := func(address string) Faults { return Faults{Call: CallFaults{CheckoutURL: address}} }
	event := func(faults EventFaults) Faults { return Faults{Event: faults} }
	const checkout = "https://pay.example.mg/c/"
	return []Scenario{
		{"none", "Nothing goes wrong.", Faults{}},

		{"refuse", "The service refuses every order with a message of its own.", call(CallFaults{Refuse: "Compte marchand suspendu"})},
		{"refuse-escape", "The service refuses every order with control characters of terminals in its message.", call(CallFaults{Refuse: hostileText})},
		{"break", "The order call answers 500 and no order is made.", call(CallFaults{Break: true})},
		{"break-once", "The next order call answers 500 and no order is made; those after it work.", call(CallFaults{Break: true, Times: 1})},
		{"break-after", "The order call answers 500 although the order was made.", call(CallFaults{BreakAfter: true})},
		{"slow", "The answer to the order call comes after 30 seconds, the order exists at once.", call(CallFaults{Slow: 30 * time.Second})},
		{"cut", "The connection ends without an answer although the order was made.", call(CallFaults{Cut: true})},
		{"empty-reply", "The order call answers 200 without a body.", call(CallFaults{Reply: ReplyEmpty})},
		{"not-json", "The order call answers 200 with a web page instead of JSON.", call(CallFaults{Reply: ReplyHTML})},
		{"cut-json", "The JSON of the answer to the order call ends in the middle.", call(CallFaults{Reply: ReplyCutJSON})},
		{"wrong-fields", "The answer to the order call has fields of other names.", call(CallFaults{Reply: ReplyWrongFields})},
		{"event-first", "The customer has paid, and the event was sent, before the order call is answered.", call(CallFaults{EventFirst: payments.PaymentSuccess})},

		{"unsound-link", "The link runs a script instead of opening a page.", link("javascript:alert('payer')")},
		{"unsound-link-plain", "The link leads over an open line: http to a host elsewhere.", link("http://pay.example.mg/c/1")},
		{"unsound-link-user", "The link hides its host behind a name that looks like one.", link("https://pay.example.mg@evil.example/c/1")},
		{"unsound-link-letters", "The link's host has a letter of another script.", link("https://p\u0430y.example.mg/c/1")},
		{"unsound-link-long", "The link has 3,000 characters.", link(checkout + strings.Repeat("x", 3000-len(checkout)))}, // A till accepts at most 2,048.
		{"unsound-link-escape", "The link holds a line break and control characters of terminals.", link(checkout + "1\n\x1b[2J\x1b[32mPAID\x1b[0m")},

		{"delay", "Every event comes 30 seconds late.", event(EventFaults{Delay: 30 * time.Second})},
		{"drop", "No event is ever sent.", event(EventFaults{Drop: true})},
		{"first-lost", "The first try of every event is lost, the second one arrives.", event(EventFaults{Lost: true, Tries: 1})},
		{"duplicate", "Every event comes three times.", event(EventFaults{Copies: 2})},
		{"reorder", "The failed tries of an order are told after its end, the last event first.", event(EventFaults{Reorder: true})},
		{"success-then-expired", "Whatever ends a link, an expiry is sent after it: pay, and the two contradict each other.", event(EventFaults{Then: payments.PaymentExpired})},
		{"expired-then-success", "Whatever ends a link, a success is sent after it: let it expire, and it is paid late.", event(EventFaults{Then: payments.PaymentSuccess})},
		{"signature-wrong", "Events are signed with another secret.", event(EventFaults{Signature: SignatureWrong})},
		{"signature-missing", "Events are not signed.", event(EventFaults{Signature: SignatureMissing})},
		{"signature-doubled", "The signature stands there twice.", event(EventFaults{Signature: SignatureDoubled})},
		{"signature-static", "The signature is over the secret, whatever the merchant set.", event(EventFaults{Signature: SignatureStatic})},
		{"signature-body", "The signature is over the body, whatever the merchant set.", event(EventFaults{Signature: SignatureBody})},
		{"slow-body", "The body of an event takes 30 seconds to arrive.", event(EventFaults{Slow: 30 * time.Second})},
		{"huge-body", "White space makes events 1 MiB long.", event(EventFaults{Padding: 1 << 20})},

		{"amount-wrong", "Events state 500 Ar less than the order has.", event(EventFaults{AmountOff: -500})},
		{"amount-text", "The amount is a text.", event(EventFaults{Shape: ShapeAmountText})},
		{"amount-decimal", "The amount has a fraction of zero.", event(EventFaults{Shape: ShapeAmountDecimal})},
		{"amount-missing", "There is no amount.", event(EventFaults{Shape: ShapeAmountMissing})},
		{"currency-wrong", "Events state the currency MGA.", event(EventFaults{Currency: "MGA"})},
		{"currency-missing", "There is no currency.", event(EventFaults{Shape: ShapeCurrencyMissing})},
		{"curency", "The currency stands under the misspelt name curency.", event(EventFaults{Shape: ShapeCurrencyMisspelt})},
		{"unknown-kind", "Events are of a kind that the specification does not know.", event(EventFaults{Shape: ShapeUnknownKind})},
		{"escape", "The reason of a payment that failed holds control characters of terminals: let one fail.", event(EventFaults{Reason: hostileText})},
	}
}

// hostileText attacks a terminal with escape sequences, control characters and text that runs
// backwards.
const hostileText = "Solde\x1b]0;PAID\x07\x1b]52;c;UEFJRA==\x07\x1b]8;;https://evil.example\x1b\\ ici\x1b]8;;\x1b\\" +
	"\x1b[2J\x1b[H\x1b[32mPAID\x1b[0m \u009b2J\u009d0;PAID\u009c\r\nPAID\b\x00\x7f \u202eDIAP\u202c\u200b\u2066 insuffisant\u2069\u2028"
