package tui_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/sandbox"
	"checkout/till/tui"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// do performs an act of the cashier, the customer or the payment service. act is the name of the
// act, which may be followed by a number or by keys.
func (l *lab) do(act string) {
	l.t.Helper()
	name, what, _ := strings.Cut(act, " ")
	switch name {
	case "charge": // The sale screen must be open. "charge again" charges the lines of the current sale.
		if what == "" {
			l.Type("Vary 3500 x2").Press("enter").Type("Coca 2000").Press("enter")
		}
		l.Press("enter", "enter")
		l.rest()
	case "sell": // Any screen may be open.
		for range 4 {
			l.pass(counter.Grace).Press("esc", "enter")
		}
		l.do("charge")
	case "success", "failed", "canceled", "expired": // A number selects an older order: 1 is the one before the newest.
		older, _ := strconv.Atoi(what)
		if orders := l.service.Orders(); older < len(orders) {
			_ = l.service.Act(l.t.Context(), orders[older].OrderReference, payments.EventKind("payment."+name)) // The call fails if the order has ended.
		}
		l.rest()
	case "again": // Sends a delivery again. The number is the delivery's ID.
		id, _ := strconv.Atoi(what)
		_, _ = l.service.Resend(int64(id)) // The call fails if the ID is unknown.
		l.rest()
	case "mend":
		l.service.SetFaults(sandbox.Faults{})
	case "pass":
		by, _ := time.ParseDuration(what)
		l.pass(by).rest()
	case "press":
		l.pass(counter.Grace).rest().honest() // First the console shows the events that have arrived; then the key is pressed.
		l.Press(strings.Fields(what)...)
		l.look()
	case "another": // Ends the fault, charges the same lines again, and pays.
		l.do("mend")
		l.do("press n enter")
		l.Sees("… WAITING").Lacks("UNKNOWN")
		l.do("success")
		l.Sees("✓ PAID").Lacks("UNKNOWN")
	case "match": // Matches an order without an answer with the event of its payment.
		l.leave().whole().Sees("? UNKNOWN", "An event without an order matches").
			Press("m").Sees("Is the service's order REF_").Press("enter")
		l.look().Lacks("UNKNOWN", "An event without an order").Press("esc", "esc")
	case "found": // Records that the merchant area of the payment service shows the payment.
		l.leave().whole().Press("y").Sees("Did you see in the merchant area").Press("enter")
		l.look().Sees("◆ MARKED PAID", "Paid at           —").Lacks("✓").Press("esc", "esc")
	case "type": // Types the text as one paste.
		l.Paste(what)
	case "resize":
		var width, height int
		_, _ = fmt.Sscan(what, &width, &height)
		l.Resize(width, height)
	case "write":
		l.Type(what)
	case "enter":
		l.Type(what).Press("enter")
	case "cash": // Takes the current sale, or a part of it, in cash.
		l.Press("esc", "enter", "tab").Type(what).Press("enter", "tab", "enter")
	case "release":
		l.late = false
		l.release()
		l.look()
	case "break":
		l.broken = true
		l.Break()
		l.pass(time.Second)
	case "repair":
		l.broken = false
		l.Counter.Mend()
		l.pass(time.Second)
	case "deaf":
		l.deaf = !l.deaf
		l.pass(0)
	case "look":
		l.look()
	case "lacks":
		l.Lacks(strings.Fields(what)...)
	case "rings": // Checks how many times the bell has rung.
		tuitest.Equal(l.t, strconv.Itoa(l.bells()), what, "bells")
	case "leave":
		l.leave()
	case "open":
		l.open()
	default:
		l.t.Fatalf("unknown act %q", act)
	}
}

// story performs lines of the form "ACT, ACT => STATE | TEXT | TEXT". After the acts, the newest
// order must have the state and must be open on the screen, and the screen must show the texts. For
// a line without a state, only the texts are checked.
func (l *lab) story(lines ...string) {
	l.t.Helper()
	for _, line := range lines {
		line, texts, _ := strings.Cut(line, " | ")
		acts, want, _ := strings.Cut(line, " => ")
		for act := range strings.SplitSeq(acts, ", ") {
			l.do(act)
		}
		if want != "" {
			l.is(want)
		}
		l.Sees(strings.Split(texts, " | ")...)
		l.honest()
	}
}

// is fails the test unless the newest order has the given state and the payment screen shows the
// order's verdict.
func (l *lab) is(want string) {
	l.t.Helper()
	tuitest.Equal(l.t, l.state(), want, "the state")
	order := l.newest()
	verdict, word := l.verdict(order), l.word(order)
	switch {
	case verdict == payments.VerdictNotPaid && order.Retryable(l.Now()):
		word = "✗ Payment refused: "
	case order.Status == payments.StatusUnknown:
		l.Sees("It is not known whether the service has this order. Nobody was shown its link, so a new order is safe.")
	case verdict == payments.VerdictRejected:
		l.Sees("REFUSED BY THE SERVICE", "If it is the sale, correct it")
	}
	if l.Sees(strings.TrimSpace(word)); verdict != payments.VerdictPaid {
		l.Lacks("✓")
	}
}

// word returns the order's verdict in the words of the console, with its sign.
func (l *lab) word(order payments.Order) string {
	return badge.Of(tui.Texts(l.Model().(shoptest.Gate).Model), order, l.verdict(order)).Word()
}

// text returns the text of the view without frames, colours and line breaks.
func (c *console) text() string {
	frames := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("█▀▄▒│", r) }
	return strings.Join(strings.FieldsFunc(ansi.Strip(c.View()), frames), " ")
}

// harmless returns the text of the view. It fails the test if the view contains dangerous text or
// is larger than the window.
func (l *lab) harmless() string {
	l.t.Helper()
	view := l.Fits().View()
	if found := harm(view); found != "" {
		l.t.Errorf("the view contains %s: %q", found, view)
	}
	if l.config.Theme.ASCII() && strings.ContainsFunc(view, func(r rune) bool { return r >= 0x80 }) {
		l.t.Errorf("the view contains characters outside ASCII:\n%s", view)
	}
	lines := strings.Split(ansi.Strip(view), "\n")
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" }), "\n")
}

// leave leaves the order's screen and does not acknowledge the order's outcome.
func (l *lab) leave() *lab {
	l.t.Helper()
	l.pass(counter.Grace).Press("esc")
	if !strings.Contains(l.View(), "Total") {
		l.Press("enter") // This answers the question that the console opens if the link can still be paid.
	}
	l.Sees("Total")
	l.honest()
	return l
}

// everywhere leaves the payment screen, and checks that the other screens show the verdict and the
// events of the newest order.
func (l *lab) everywhere() {
	l.t.Helper()
	l.leave()
	order, records, err := l.Order(l.t.Context(), l.newest().Reference)
	tuitest.Must(l.t, err)
	if word := l.word(order); !order.Facts.Acknowledged {
		l.Sees(word, order.Reference)
	}
	l.whole().Sees(l.word(order), "Status            "+string(order.Status))
	for _, record := range records {
		reason, _, _ := strings.Cut(record.Event.Error.Display(), " ") // The screen wraps long reasons.
		l.Sees(happened(record.Event.Kind), reason[:min(5, len(reason))])
	}
	l.honest()
	l.Press("esc", "esc").Sees("Total")
}

// happened returns the name of an event in an order's time line.
func happened(kind payments.EventKind) string {
	switch kind {
	case payments.PaymentSuccess:
		return "Paid, the service says"
	case payments.PaymentFailed:
		return "Refused"
	case payments.PaymentCanceled:
		return "Cancelled by the customer"
	case payments.PaymentExpired:
		return "The time is over"
	}
	return clean.Text(string(kind), 40)
}

// whole opens the details of the newest order from the sale screen, and checks each list on the
// way.
func (l *lab) whole() *lab {
	l.t.Helper()
	reference := l.newest().Reference
	l.Press("f3")
	for tabs := range 4 {
		l.honest()
		if strings.Contains(l.View(), "─ "+reference) {
			if l.Press("enter"); strings.Contains(l.View(), "Link until") {
				return l
			}
			// The order is awaited, so Enter has opened the payment screen.
			l.leave().Press("f3")
			for range tabs {
				l.Press("tab")
			}
		}
		l.Press("tab")
	}
	l.t.Fatalf("the console does not list order %s\n%s", reference, l.View())
	return l
}

// open opens the payment screen of the newest order from the sale screen.
func (l *lab) open() {
	l.t.Helper()
	reference := l.newest().Reference
	for range 20 {
		if strings.Contains(l.View(), reference) && !strings.Contains(l.View(), "Total") {
			return
		}
		if l.Press("f2"); strings.Contains(l.View(), reference) {
			return
		}
		l.do("press enter")
	}
	l.t.Fatalf("the console does not show order %s\n%s", reference, l.View())
}
