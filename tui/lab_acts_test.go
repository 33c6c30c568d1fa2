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
	"checkout/till/payments/sandbox"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
)

// do does something by its name: what a cashier, a customer, or the service does.
// A number or a key stands behind the name.
func (l *lab) do(act string) {
	l.t.Helper()
	name, what, _ := strings.Cut(act, " ")
	switch name {
	case "charge": // From the sale, with new lines or the old ones again.
		if what == "" {
			l.Type("Vary 3500 x2").Press("enter").Type("Coca 2000").Press("enter")
		}
		l.Press("enter", "enter")
		l.rest()
	case "sell": // Wherever the cashier is.
		for range 4 {
			l.pass(counter.Grace).Press("esc", "enter")
		}
		l.do("charge")
	case "success", "failed", "canceled", "expired": // Of the service's newest order, or of an older one.
		older, _ := strconv.Atoi(what)
		if orders := l.service.Orders(); older < len(orders) {
			_ = l.service.Act(l.t.Context(), orders[older].OrderReference, payments.EventKind("payment."+name)) // It may be over.
		}
		l.rest()
	case "again": // An event is sent by hand.
		id, _ := strconv.Atoi(what)
		_, _ = l.service.Resend(int64(id)) // There may be none.
		l.rest()
	case "mend":
		l.service.SetFaults(sandbox.Faults{})
	case "pass":
		by, _ := time.ParseDuration(what)
		l.pass(by).rest()
	case "press":
		l.pass(counter.Grace).rest().honest() // Whatever came by now came before.
		l.Press(strings.Fields(what)...)
		l.look()
	case "another": // A new order of the same lines, once the fault is over, is paid.
		l.do("mend")
		l.do("press n enter")
		l.Sees("… WAITING").Lacks("UNKNOWN")
		l.do("success")
		l.Sees("✓ PAID").Lacks("UNKNOWN")
	case "match": // The lost order is given the event that came for it.
		l.leave().whole().Sees("? UNKNOWN", "An event without an order matches").
			Press("m").Sees("Is the service's order REF_").Press("enter")
		l.look().Lacks("UNKNOWN", "An event without an order").Press("esc", "esc")
	case "found": // A person looks in the merchant area, and finds that it was paid.
		l.leave().whole().Press("y").Sees("Did you see in the merchant area").Press("enter")
		l.look().Sees("◆ MARKED PAID", "Paid at           —").Lacks("✓").Press("esc", "esc")
	case "type": // At once, as one pastes.
		l.Paste(what)
	case "resize":
		var width, height int
		_, _ = fmt.Sscan(what, &width, &height)
		l.Resize(width, height)
	case "deaf":
		l.deaf = !l.deaf
		l.pass(0)
	case "look":
		l.look()
	case "lacks":
		l.Lacks(strings.Fields(what)...)
	case "rings": // So often did the bell ring.
		if got := strconv.Itoa(l.bells()); got != what {
			l.t.Errorf("the bell rang %s times, not %s", got, what)
		}
	case "leave":
		l.leave()
	case "open":
		l.open()
	default:
		l.t.Fatalf("nobody can do %q", act)
	}
}

// story lets things happen, one line after the other, and checks how the newest
// order stands after each: "ACT, ACT => STATE | TEXT ON ITS SCREEN | TEXT". Where
// no state is given the texts are looked for wherever the console is.
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
		for text := range strings.SplitSeq(texts, " | ") {
			l.says(text)
		}
		l.honest()
	}
}

// is checks how the newest order stands in the store and on its screen, which is open.
func (l *lab) is(want string) {
	l.t.Helper()
	if got := l.state(); got != want {
		l.t.Errorf("\n got %s\nwant %s", got, want)
	}
	order := l.newest()
	verdict, word := l.verdict(order), l.word(order)
	switch {
	case verdict == payments.VerdictNotPaid && order.Retryable(l.Now()):
		word = "✗ Payment refused: "
	case order.Status == payments.StatusUnknown:
		l.says("It is not known whether the service has this order. Nobody was shown its link, so a new order is safe.")
	case verdict == payments.VerdictRejected:
		l.says("REFUSED BY THE SERVICE").says("Is it the sale? Correct it")
	}
	if l.Sees(strings.TrimSpace(word)); verdict != payments.VerdictPaid {
		l.Lacks("✓")
	}
}

// word is the verdict as the console writes it, with its sign.
func (l *lab) word(order payments.Order) string {
	return badge.Of(l.config.Texts, order, l.verdict(order)).Word()
}

// says fails the test unless the view says a text, wherever its lines end.
func (l *lab) says(text string) *lab {
	l.t.Helper()
	frames := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("█▀▄░│", r) }
	if view := strings.Join(strings.FieldsFunc(ansi.Strip(l.View()), frames), " "); !strings.Contains(view, text) {
		l.t.Errorf("the view does not say %q\n%s", text, view)
	}
	return l
}

// harmless fails the test when the view holds what a terminal must not get, or
// does not fit, and returns its text.
func (l *lab) harmless() string {
	l.t.Helper()
	view := l.Fits().View()
	if found := harm(view); found != "" {
		l.t.Errorf("the view holds %s: %q", found, view)
	}
	if l.config.Theme.ASCII() && strings.ContainsFunc(view, func(r rune) bool { return r >= 0x80 }) {
		l.t.Errorf("the view holds more than ASCII:\n%s", view)
	}
	lines := strings.Split(ansi.Strip(view), "\n")
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" }), "\n")
}

// leave leaves the order's screen without having acknowledged anything.
func (l *lab) leave() *lab {
	l.t.Helper()
	l.pass(counter.Grace).Press("esc")
	if !strings.Contains(l.View(), "Total") {
		l.Press("enter") // The link lives, and the console asks.
	}
	l.Sees("Total")
	l.honest()
	return l
}

// everywhere checks that what the console says of the newest order on its other
// screens is what it says on the order's own.
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
		reason, _, _ := strings.Cut(record.Event.Error.Shown(), " ") // A long one is wrapped.
		l.Sees(happened(record.Event.Kind), reason[:min(5, len(reason))])
	}
	l.honest()
	l.Press("esc", "esc").Sees("Total")
}

// happened is how the time line of an order calls an event.
func happened(kind payments.EventKind) string {
	switch kind {
	case payments.PaymentSuccess:
		return "Paid, the service says"
	case payments.PaymentFailed:
		return "Refused"
	case payments.PaymentCanceled:
		return "Canceled by the customer"
	case payments.PaymentExpired:
		return "The time is over"
	}
	return payments.Clean(string(kind), 40)
}

// whole opens all that is known of the newest order, from the sale's screen, and
// looks at each list on the way.
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
			// It is waited for, and its own screen was opened.
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

// open opens the newest order's own screen, from the sale's.
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
