package payments_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"checkout/till/payments"
)

// hostileText is a text that harms a terminal, a log or a reader, and what is
// left of it.
type hostileText struct{ name, raw, clean string }

// hostile returns the texts that are pushed through everything that takes text
// from outside.
func hostile() []hostileText {
	return []hostileText{
		{"NUL", "a\x00b", "ab"},
		{"bell", "a\ab", "ab"},
		{"backspaces that rub out a word", "NOT PAID\b\b\b\b\b\b\b\bPAID", "NOT PAIDPAID"},
		{"a carriage return that draws over a line", "1 500 Ar\rPAID", "1 500 Ar PAID"},
		{"line breaks", "a\n\nPAID\n", "a PAID"},
		{"tabs", "a\t\tb", "a b"},
		{"vertical tab and form feed", "a\vb\fc", "a b c"},
		{"shift out and shift in", "a\x0eb\x0fc", "abc"},
		{"delete", "a\x7fb", "ab"},
		{"colours", "\x1b[32mPAID\x1b[0m", "[32mPAID[0m"},
		{"clearing the screen", "\x1b[2J\x1b[HPAID", "[2J[HPAID"},
		{"moving the cursor", "a\x1b[1A\x1b[9Db", "a[1A[9Db"},
		{"OSC 0, the window's title", "\x1b]0;owned\a", "]0;owned"},
		{"OSC 52, the clipboard", "\x1b]52;c;cm0gLXJm\x1b\\", `]52;c;cm0gLXJm\`},
		{"OSC 8, a link", "\x1b]8;;https://evil.example\x1b\\pay\x1b]8;;\x1b\\", `]8;;https://evil.example\pay]8;;\`},
		{"DCS, a query of the terminal", "\x1bP+q544e\x1b\\", `P+q544e\`},
		{"APC and PM", "\x1b_x\x1b\\\x1b^y\x1b\\", `_x\^y\`},
		{"C1 as UTF-8", "a\u009b31mb\u009d0;x\u009c\u0090", "a31mb0;x"},
		{"C1 as a raw byte", "a\x9b31mb", "a\ufffd31mb"},
		{"next line", "a\u0085b", "a b"},
		{"bidirectional overrides", "amount \u202e0051\u202c", "amount 0051"},
		{"bidirectional isolates and marks", "\u2066a\u2067b\u2068c\u2069\u200e\u200f\u061c", "abc"},
		{"zero-width characters", "P\u200bA\u200cI\u200dD\u2060", "PAID"},
		{"byte order mark and soft hyphen", "\ufeffPA\u00adID", "PAID"},
		{"tag characters", "PAID\U000e0041\U000e007f", "PAID"},
		{"line and paragraph separators", "a\u2028b\u2029c", "a b c"},
		{"private use", "\ue000a\uf8ff\U000f0000\U0010fffd", "a"},
		{"a flood of combining marks", "e" + strings.Repeat("\u0301", 500) + "x", "e" + strings.Repeat("\u0301", 4) + "x"},
		{"broken UTF-8", "caf\xe9 \xc0\xaf\xed\xa0\x80\xf8", "caf\ufffd \ufffd"},
		{"invisible letters and characters that are none", "a\u3164\u115f\u034f\u2065\u0378\uffffb", "ab"},
	}
}

// harm says why a text must not be shown, and nothing of a clean one.
func harm(text string) string {
	if !utf8.ValidString(text) {
		return "is no UTF-8"
	}
	if strings.Contains(text, "  ") || strings.TrimSpace(text) != text {
		return "has loose blanks"
	}
	marks := 0
	for _, r := range text {
		switch {
		case r < 0x20, r >= 0x7f && r <= 0x9f:
			return fmt.Sprintf("holds the control character %U", r)
		case unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs):
			return fmt.Sprintf("holds %U", r)
		case unicode.IsMark(r):
			if marks++; marks > 4 {
				return "holds a flood of marks"
			}
		default:
			marks = 0
		}
	}
	return ""
}

func TestCleanLeavesNoHarm(t *testing.T) {
	for _, text := range hostile() {
		t.Run("T1 "+text.name, func(t *testing.T) {
			got := payments.Clean(text.raw, 500)
			if got != text.clean || harm(got) != "" {
				t.Errorf("Clean(%q) = %q, want %q; it %s", text.raw, got, text.clean, harm(got))
			}
		})
	}
}

func TestNoHarmEntersTheDomain(t *testing.T) {
	for _, text := range hostile() {
		t.Run("T1 "+text.name, func(t *testing.T) {
			s, given := newShop(t), terms("S1")
			given.Till, given.Description, given.Items[0].Label = text.raw, text.raw, text.raw
			order, err := s.Checkout(t.Context(), given)
			must(t, err)
			succeeded := event(payments.PaymentSuccess, order, "")
			succeeded.Amount = payments.Value{Kind: payments.Other, Text: text.raw}
			succeeded.Currency = payments.TextValue(text.raw)
			s.receive(t, succeeded)
			s.receive(t, event(payments.PaymentFailed, order, text.raw))
			finding := payments.Finding{Kind: payments.FoundUnpaid, By: text.raw, Note: text.raw}
			order, err = s.resolve(t, order.Reference, finding)
			must(t, err)
			sale := s.NewSale(text.raw)
			sale.Description = text.raw
			must(t, s.SaveSale(t.Context(), sale))
			sales, err := s.Sales(t.Context(), sale.Till)
			if err != nil || len(sales) != 1 {
				t.Fatalf("sales %v, %v", sales, err)
			}
			s.answer = func(payments.Order) (payments.Created, error) {
				return payments.Created{}, &payments.Refusal{Message: text.raw}
			}
			refused, _ := s.Checkout(t.Context(), again(given))
			s.answer = func(payments.Order) (payments.Created, error) {
				return payments.Created{}, errors.New(text.raw)
			}
			given.Items[0].Label = "Vary"
			lost, _ := s.Checkout(t.Context(), again(given))
			for field, entered := range map[string]string{
				"label": order.Items[0].Label, "description": order.Description, "till": order.Till,
				"error": order.Reason.Detail, "amount": order.Facts.ReportedAmount, "currency": order.Facts.ReportedUnit,
				"by": order.Finding.By, "note": order.Finding.Note,
				"sale's till": sales[0].Till, "sale's description": sales[0].Description,
				"refusal": refused.Reason.Detail, "lost": lost.Reason.Detail,
			} {
				if entered != text.clean || harm(entered) != "" {
					t.Errorf("%s is %q, want %q", field, entered, text.clean)
				}
			}
		})
	}
}
