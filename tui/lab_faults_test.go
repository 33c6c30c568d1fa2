package tui_test

import (
	"fmt"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/tui/tuitest"
)

// meeting is a fault of the payment service, and the results that the shop must show for it.
type meeting struct {
	name     string
	scenario string         // Name of a scenario of the sandbox; blank to use faults.
	faults   sandbox.Faults // Faults of the sandbox if scenario is blank.
	setup    labSetup
	story    []string // Lines for [lab.story].
}

// TestTheShopHandlesEveryFault opens a shop for each fault and plays the fault's story. With
// -short, it tests only every eighth fault.
func TestTheShopHandlesEveryFault(t *testing.T) {
	t.Parallel()
	met := map[string]bool{}
	for _, m := range meetings() {
		if met[m.name] {
			t.Errorf("two entries are named %q", m.name)
		}
		met[m.name], met[m.scenario] = true, true
	}
	for _, m := range tuitest.Some(8, meetings()) {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			if m.scenario != "" {
				scenario, err := sandbox.FindScenario(m.scenario)
				tuitest.Must(t, err)
				m.faults = scenario.Faults
			}
			l := openLab(t, m.setup, m.faults)
			l.story(m.story...)
			l.everywhere()
		})
	}
	for _, scenario := range sandbox.Scenarios() {
		if !met[scenario.Name] {
			t.Errorf("the scenario %s is not tested", scenario.Name)
		}
	}
}

func meetings() []meeting {
	call := func(faults sandbox.CallFaults) sandbox.Faults { return sandbox.Faults{Call: faults} }
	event := func(faults sandbox.EventFaults) sandbox.Faults { return sandbox.Faults{Event: faults} }
	drop := event(sandbox.EventFaults{Drop: true})
	signed := func(fault sandbox.Fault) sandbox.Faults { return event(sandbox.EventFaults{Signature: fault}) }
	link := func(address string) sandbox.Faults { return call(sandbox.CallFaults{CheckoutURL: address}) }
	var none sandbox.Faults
	var plain labSetup
	listed, body := labSetup{hosts: []string{"pay.example.mg"}}, labSetup{scheme: gateway.Body}

	// Stories about events begin with an order that waits for its payment.
	const asked = "charge => waiting, code"
	begun := func(lines ...string) []string { return append([]string{asked}, lines...) }
	pays := begun("success => paid: success applied (200)")
	const (
		broke   = "the service answered 500 Internal Server Error"
		ended   = "the connection ended before the answer"
		invalid = "the answer is not valid"
		unsound = "the answer is not valid: the checkout link is not valid"
		changed = "Copy the secret from the merchant area again"
	)
	// loses returns the story of an order that the service has accepted although its answer is lost or
	// invalid. The cashier can safely charge the sale again, or match the order with its event.
	loses := func(reason string) []string {
		return []string{
			"charge => unknown unknown_outcome | Reason: " + reason,
			"mend, expired => unknown unknown_outcome: expired unmatched (404) | Reason: " + reason,
			"match, again 1, open => not_paid: expired applied 2 times (404) (200) | NOT PAID: expired | The time is over.",
			"another",
		}
	}
	// hides is the story of an order with an unsafe link. The screen must show no part of the link.
	hides := []string{
		"charge => unknown unknown_outcome | Reason: " + unsound, "lacks example PAID javascript passwd, press l c, lacks example PAID javascript passwd",
		"mend, success => unknown unknown_outcome: success unmatched (404) | Reason: " + unsound,
	}
	wrongly := func(status int, hint string) []string {
		return begun(
			fmt.Sprintf("success => waiting, code (%d) | Look for each payment", status),
			"leave | Waiting 1 | payments not confirmed", "press f8 | "+hint,
			fmt.Sprintf("press f8, mend, again 1, open => paid: success applied (%d) (200)", status),
			"press enter, look, lacks refused Webhooks | Total",
		)
	}
	// doubtful returns the story of a success event that the cashier must check. At the end, the
	// cashier marks the order as paid.
	doubtful := func(reason payments.Attention, says string) []string {
		return begun(
			fmt.Sprintf("success => check %s: success applied (200) | %s", reason, says),
			fmt.Sprintf("leave, mend, again 1, open => check %s: success applied 2 times (200) (200) | %s", reason, says), "found",
		)
	}
	amount := func(reported string) []string {
		return doubtful(payments.AmountMismatch, "The service reports "+reported+", the order is 9 000 Ar.")
	}
	currency := func(reported string) []string {
		return doubtful(payments.CurrencyMismatch, "The service reports the currency "+reported+", not Ar.")
	}
	all := []meeting{
		{"nothing goes wrong", "none", none, plain, pays},

		{"500 and no order: unknown, and a new order is safe", "break", none, plain, []string{
			"charge => unknown unknown_outcome | Reason: " + broke, "another",
		}},
		{"500 for one call: unknown, and a new order is safe", "break-once", none, plain, []string{
			"charge => unknown unknown_outcome | Reason: " + broke, "another",
		}},
		{"refused: the sale stays, to be corrected", "refuse", none, plain, []string{
			"charge => rejected | Reason: Compte marchand suspendu", "mend, press enter, look | charges 9 000",
			"charge again => waiting, code", "success => paid: success applied (200)",
		}},
		{"refused with escape sequences: they are cleaned", "refuse-escape", none, plain, []string{"charge => rejected | Reason: Solde"}},
		{"no answer in time: unknown, and its event is proposed", "slow", none, plain, loses("no answer came in time")},
		{"cut after accepting: unknown", "cut", none, plain, loses(ended)},
		{"cut after accepting, and the order is paid", "", call(sandbox.CallFaults{Cut: true}), plain, []string{
			"charge => unknown unknown_outcome | Reason: " + ended,
			"mend, success => unknown unknown_outcome: success unmatched (404)", "match, open => paid: success applied (404)",
		}},
		{"500 after creating: unknown", "break-after", none, plain, loses(broke)},
		{"200 without a body: unknown", "empty-reply", none, plain, loses(invalid)},
		{"200 with a page: unknown", "not-json", none, plain, loses(invalid)},
		{"200 with JSON that is cut: unknown", "cut-json", none, plain, loses(invalid)},
		{"200 with other fields: unknown", "wrong-fields", none, plain, loses(invalid)},
		{"paid before the answer: kept, and paid once", "event-first", none, plain, []string{
			"charge => paid: success applied (404)", "again 1 => paid: success applied 2 times (404) (200)",
		}},
		{
			"failed before the answer: the second try on the same page is plainly paid", "",
			call(sandbox.CallFaults{EventFirst: payments.PaymentFailed}), plain,
			[]string{
				"charge => not_paid, code: failed applied (404) | Payment refused: Solde insuffisant",
				"success => paid: failed applied, success applied (404) (200)",
			},
		},
		{"a sound link on a host of the list is shown", "", link("https://pay.example.mg/c/1"), listed, []string{
			asked + " | on pay.example.mg", "success => paid: success applied (200)",
		}},
		{"without a list the host of any link is shown", "", link("https://elsewhere.example.mg/c/1"), plain, []string{
			asked + " | on elsewhere.example.mg",
		}},
		{"a host that is not on the list: no code, and the link is not shown", "", link("https://elsewhere.example.mg/c/1"), listed, hides},

		{"a dropped success: waiting, and paid when sent by hand", "drop", none, plain, begun(
			"success => waiting, code", "again 1 => paid: success applied (200)",
		)},
		{"a lost success: waiting, and paid when sent again", "first-lost", none, plain, begun(
			"success => waiting, code (0)", "again 1 => paid: success applied (0) (200)",
		)},
		{"a dropped expiry: time over and overdue, not expired", "", drop, plain, begun(
			"expired, pass 10m => time_over | TIME OVER, waiting for the service",
			"pass 2m1s => time_over overdue | The time is over and no answer came from the service.",
			"again 1 => not_paid: expired applied (200) | NOT PAID: expired | The time is over.",
		)},
		{"a dropped success sent after the link expired: to check", "", drop, plain, begun(
			"success, pass 12m1s, again 1 => check paid_late: success applied (200) | Paid after the order was over. Are the goods still here?",
		)},
		{"a success after the cashier gave up the order: to check", "", drop, plain, begun(
			"mend, failed => not_paid, code: failed applied (200) | Payment refused: Solde insuffisant", "press enter enter | Total",
			"success, open => check paid_late: failed applied, success applied (200) (200)",
		)},
		{"a late success: waiting, and paid when sent by hand", "delay", none, plain, begun(
			"success => waiting, code", "again 1 => paid: success applied (200)",
		)},
		{"a failure that arrives after the success: to check", "", event(sandbox.EventFaults{Delay: time.Hour}), plain, begun(
			"failed => waiting, code", "mend, success => paid: success applied (200)",
			"again 1 => check contradicted: success applied, failed applied (200) (200) | "+
				"The service said paid, then not paid. Do not ask for money again",
		)},
		{"a success sent three times: paid once", "duplicate", none, plain, begun(
			"success, rings 1 => paid: success applied 3 times (200) (200) (200)",
		)},
		{"an old failure sent again: still paid", "", event(sandbox.EventFaults{Copies: 2}), plain, begun(
			"failed, mend, success, again 1 => paid: failed applied 4 times, success applied (200) (200) (200) (200) (200)",
		)},
		{"failure and success in the wrong order: to check", "reorder", none, plain, begun(
			"failed => waiting, code", "success => check contradicted: success applied, failed applied (200) (200)",
		)},
		{"success, then expired: to check", "success-then-expired", none, plain, begun(
			"success => check contradicted: success applied, expired applied (200) (200) | " +
				"Do not ask for money again: look in the merchant area.",
		)},
		{"expired, then success: to check", "expired-then-success", none, plain, begun(
			"expired => check paid_late: expired applied, success applied (200) (200)",
		)},
		{"a slow body is accepted", "", event(sandbox.EventFaults{Slow: 30 * time.Millisecond}), plain, pays},
		{"a body that is too slow is refused, and paid when sent again", "slow-body", none, plain, begun(
			"failed => waiting, code (400)", "mend, success => paid: success applied (400) (200)",
		)},
		{"white space up to the limit is accepted", "", event(sandbox.EventFaults{Padding: 60 << 10}), plain, pays},
		{"1 MiB is refused, and the cashier marks the payment as found", "huge-body", none, plain, begun(
			"success => waiting, code (413)", "again 1 => waiting, code (413) (413)", "leave, press f8 | Requests refused since the last good event: 2", "press f8, found",
		)},

		{"signed with another secret", "signature-wrong", none, plain, wrongly(401, changed)},
		{"not signed", "signature-missing", none, plain, wrongly(400, changed)},
		{"signed twice", "signature-doubled", none, plain, wrongly(401, "the signature comes twice")},
		{"signed over the body where the secret is signed", "signature-body", none, plain, wrongly(401, `set signature_scheme to "body"`)},
		{"signed over the secret where the body is signed", "signature-static", none, body, wrongly(401, `set signature_scheme to "static"`)},
		{"signed over the body with another secret", "", signed(sandbox.SignatureWrong), body, wrongly(401, changed)},
		{"signed over the body, as it is set", "", signed(sandbox.SignatureBody), body, pays},

		{"less than the amount", "amount-wrong", none, plain, amount("8 500 Ar")},
		{"the amount as a text", "amount-text", none, plain, doubtful(payments.AmountMismatch,
			`The service reports the amount in another form than a number: "9000".`)},
		{"the amount with a fraction", "amount-decimal", none, plain, amount("9000.0")},
		{"no amount", "amount-missing", none, plain, amount("nothing")},
		{"another currency", "currency-wrong", none, plain, currency("MGA")},
		{"a currency of escape sequences", "", event(sandbox.EventFaults{Currency: "\x1b[2J\x1b[32mAr\u202e"}), plain, currency("[2J[32mAr")},
		{"no currency", "currency-missing", none, plain, currency("nothing")},
		{"a misspelled currency field", "curency", none, plain, currency("nothing")},
		{"an unknown kind is kept and changes nothing", "unknown-kind", none, plain, begun(
			"failed => waiting, code: pending unchanged (200)",
			"mend, success => paid: pending unchanged, success applied (200) (200)",
		)},
		{"escape sequences in the reason are cleaned on every screen", "escape", none, plain, begun(
			"failed => not_paid, code: failed applied (200) | Payment refused: Solde",
		)},
	}
	for _, scenario := range []string{"", "-plain", "-user", "-letters", "-long", "-escape"} {
		scenario = "unsound-link" + scenario
		all = append(all, meeting{scenario + ": no code, and the link is not shown", scenario, none, plain, hides})
	}
	return all
}
