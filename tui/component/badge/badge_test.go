package badge_test

import (
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

type shown struct {
	name    string
	order   payments.Order
	verdict payments.Verdict
	want    string // The English word.
}

// all returns every verdict, with each status for NOT PAID and with each stage for WAITING.
func all() []shown {
	of := func(status payments.Status) payments.Order { return payments.Order{Status: status, Amount: 9000} }
	return []shown{
		{"unknown", of(payments.StatusUnknown), payments.VerdictUnknown, "? UNKNOWN"},
		{"marked paid", of(payments.StatusUnknown), payments.VerdictMarkedPaid, "◆ MARKED PAID"},
		{"marked unpaid", of(payments.StatusUnknown), payments.VerdictMarkedUnpaid, "◇ MARKED UNPAID"},
		{"refunded", of(payments.StatusSuccess), payments.VerdictRefunded, "◇ REFUNDED"},
		{"check", of(payments.StatusSuccess), payments.VerdictCheck, "! CHECK"},
		{"paid", of(payments.StatusSuccess), payments.VerdictPaid, "✓ PAID"},
		{"rejected", of(payments.StatusRejected), payments.VerdictRejected, "✗ REFUSED BY THE SERVICE"},
		{"failed", of(payments.StatusFailed), payments.VerdictNotPaid, "✗ NOT PAID: refused"},
		{"canceled", of(payments.StatusCanceled), payments.VerdictNotPaid, "✗ NOT PAID: cancelled"},
		{"expired", of(payments.StatusExpired), payments.VerdictNotPaid, "✗ NOT PAID: expired"},
		{"not paid", of(payments.StatusPending), payments.VerdictNotPaid, "✗ NOT PAID"},
		{"time over", of(payments.StatusPending), payments.VerdictTimeOver, "… TIME OVER"},
		{"waiting", of(payments.StatusPending), payments.VerdictWaiting, "… WAITING"},
		{"paid otherwise", of(payments.StatusPending), payments.VerdictPaidOtherwise, "◇ PAID OTHERWISE"},
		{"sending", of(payments.StatusCreating), payments.VerdictWaiting, "… SENDING"},
		{"not sent", of(payments.StatusCreating), payments.VerdictNotSent, "✗ NOT SENT"},
		{"no verdict at all", of(payments.StatusPending), payments.Verdict("?"), "? UNKNOWN"},
	}
}

func TestEachVerdictHasAWordAndASign(t *testing.T) {
	styles, texts := theme.Plain(), i18n.Load("en")
	for _, s := range all() {
		tuitest.Equal(t, badge.Of(texts, s.order, s.verdict).Word(), s.want, "%s: the word", s.name)
		tuitest.Equal(t, badge.Of(texts, s.order, s.verdict).Dressed(styles), " "+s.want+" ", "%s, dressed", s.name)
	}
	for _, verdict := range payments.Verdicts() {
		if !slices.ContainsFunc(all(), func(s shown) bool { return s.verdict == verdict }) {
			t.Errorf("the table lacks %s", verdict)
		}
	}
}

func TestNoVerdictDependsOnColourAndEachFitsARowOfAList(t *testing.T) {
	for _, language := range i18n.Languages() {
		texts := i18n.Load(language)
		said := map[string]string{}
		for _, s := range all() {
			word := badge.Of(texts, s.order, s.verdict).Word()
			if other, twice := said[word]; twice && s.name != "no verdict at all" {
				t.Errorf("in %s %s and %s are both %q", language, s.name, other, word)
			}
			said[word] = s.name
			if s.verdict != payments.VerdictPaid && (strings.Contains(word, "✓") || word[strings.Index(word, " ")+1:] == texts.Verdicts[payments.VerdictPaid]) {
				t.Errorf("in %s %s is %q, which looks like paid", language, s.name, word)
			}
			if theme.Width(word) > 26 {
				t.Errorf("in %s %s is %q, which is too wide", language, s.name, word)
			}
		}
	}
}

func TestOnlyPaidIsGreen(t *testing.T) {
	texts, renderer := i18n.Load("en"), lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(termenv.ANSI256)
	for _, mode := range []theme.Mode{theme.Auto, theme.Dark, theme.Light} {
		styles := theme.New(renderer, mode)
		green, _, _ := strings.Cut(styles.PaidBlock.Render("x"), "x")
		for _, s := range all() {
			dressed := badge.Of(texts, s.order, s.verdict).Dressed(styles)
			if got, want := strings.Contains(dressed, green), s.verdict == payments.VerdictPaid; got != want {
				t.Errorf("in %s %s is green: %v: %q", mode, s.name, got, dressed)
			}
		}
	}
}

func TestEachReasonForAttentionHasItsText(t *testing.T) {
	order := payments.Order{Amount: 9000, Facts: payments.Facts{ReportedAmount: "8999", ReportedUnit: "MGA"}}
	text := payments.Order{Amount: 9000, Facts: payments.Facts{ReportedAmount: "9000"}}
	other := payments.Order{Reference: "T1-20261121-GT-0002", Amount: 9000, Status: payments.StatusSuccess}
	other.Facts = payments.Facts{PaidAt: time.Unix(0, 0), SuccessSeen: true}
	twice := payments.Order{PaidWith: []payments.Order{other}}
	found := payments.Order{Finding: &payments.Finding{
		Kind: payments.FoundPaid, By: "Soa", At: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC),
	}}
	cases := []struct {
		reason payments.Attention
		order  payments.Order
		want   string
	}{
		{payments.Contradicted, order, "Do not ask for money again"},
		{payments.AmountMismatch, order, "reports 8 999 Ar, the order is 9 000 Ar"},
		{payments.AmountMismatch, text, `in another form than a number: "9000"`},
		{payments.AmountMismatch, payments.Order{Amount: 9000}, "reports nothing, the order is 9 000 Ar"},
		{payments.CurrencyMismatch, order, "the currency MGA, not Ar"},
		{payments.CurrencyMismatch, payments.Order{}, "the currency nothing, not Ar"},
		{payments.PaidLate, order, "Are the goods still here?"},
		{payments.PaidTwice, order, "Two orders of this sale are paid"},
		{payments.PaidTwice, twice, "also by T1-20261121-GT-0002 (9 000 Ar, ✓ PAID)"},
		{payments.DebtOverpaid, order, "did not owe so much"},
		{payments.FindingContradicted, found, "MARKED PAID by Soa at 21/11 09:00, and"},
		{payments.UnknownOutcome, order, "a new order is safe"},
		{payments.Overdue, order, "no answer came from the service"},
	}
	texts := i18n.Load("en")
	for _, c := range cases {
		got := badge.Why(texts, time.UTC, c.order, []payments.Attention{c.reason})
		if len(got) != 1 || !strings.Contains(got[0], c.want) {
			t.Errorf("%s: %s has the text %q", c.want, c.reason, got)
		}
	}
	tuitest.Equal(t, badge.Why(texts, time.UTC, order, nil), nil, "the text without a reason")
	tuitest.Equal(t, len(badge.Why(texts, time.UTC, order, []payments.Attention{payments.PaidLate, payments.PaidTwice})), 2, "texts for two reasons")
}
