package errortext_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/tui/counter"
	"checkout/till/tui/entry"
	"checkout/till/tui/receipt"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/wording/errortext"
)

// An error gets the text of its row, even if it wraps the error of a later row, or is wrapped by
// another error.
func TestTheFirstMatchingRowCounts(t *testing.T) {
	unsure := &drawer.UnknownError{ID: "A-1", Err: payments.ErrCommitUnknown}
	for _, tt := range []struct {
		err  error
		face errortext.Face
		says string
		exit errortext.Exit
	}{
		{&payments.Refusal{Message: "no"}, errortext.Screens, "If it is the sale", errortext.Refused},
		{&payments.Refusal{Message: "no"}, errortext.Commands, "refused by the payment service: no. If the access token is wrong", errortext.Refused},
		{drawer.ErrNoCustomer, errortext.Commands, "till account list", errortext.Failed},
		{&payments.UnstoredError{Err: payments.ErrCommitUnknown}, errortext.Commands, "Nobody was shown its link", errortext.Unknown},
		{&payments.UnstoredError{Err: payments.ErrCommitUnknown}, errortext.Lines, "could not be written", errortext.Unknown},
		{unsure, errortext.Commands, "--id A-1", errortext.Unknown},
		{unsure, errortext.Screens, "Look again", errortext.Unknown},
		{fmt.Errorf("%w: %w", counter.ErrUnsure, unsure), errortext.Screens, "till says so", errortext.Unknown},
		{fmt.Errorf("%w: %w", counter.ErrNotStored, drawer.ErrNotFound), errortext.Screens, "take the cash again", errortext.Failed},
		{fmt.Errorf("%w: x", payments.ErrAmbiguous), errortext.Screens, "in the sale again", errortext.Unknown},
		{payments.Reason{Fault: payments.ErrNoHost}, errortext.Screens, "Check the network", errortext.Failed},
		{payments.ErrCashReference, errortext.Commands, "", errortext.Usage},
		{errortext.About("A9", payments.ErrNotFound), errortext.Commands, "there is no order A9: till order list", errortext.Failed},
		{errortext.About("T1-GT-C-000009", payments.ErrNotFound), errortext.Commands, "there is no order T1-GT-C-000009: this is the number of a sale at the counter", errortext.Failed},
		{payments.ErrNotFound, errortext.Commands, "", errortext.Failed},
		{errortext.AboutSale("A-C-1", payments.ErrNotFound), errortext.Commands, "there is no order and no cash sale A-C-1: till order list has the orders, and till export the cash sales", errortext.Failed},
		{errortext.About("A9", payments.ErrNotFound), errortext.Lines, "There is no such order.", errortext.Failed},
		{&payments.LeftError{Left: 500}, errortext.Commands, "at most 500 Ar", errortext.Usage},
		{&payments.LeftError{}, errortext.Lines, "given back already", errortext.Usage},
		{&drawer.LimitError{Limit: 500, Owed: 700}, errortext.Screens, "700 Ar would be owed, and the limit is 500 Ar: only an owner", errortext.Failed},
		{&drawer.LimitError{Limit: 500, Owed: 700}, errortext.Lines, "--by OWNER", errortext.Failed},
		{drawer.ErrReasonNeeded, errortext.Screens, "after the amount", errortext.Usage},
		{drawer.ErrReasonNeeded, errortext.Commands, "--reason", errortext.Usage},
		{entry.ErrNoAmount, errortext.Screens, "Begin with an amount", errortext.Usage},
		{entry.ErrDotted, errortext.Screens, "without a dot", errortext.Usage},
		{entry.ErrSum, errortext.Screens, "The amount must be a whole number above zero", errortext.Usage},
		{money.ErrNotAmount, errortext.Screens, "whole number above zero", errortext.Usage},
		{entry.ErrDecimal, errortext.Screens, "three decimals", errortext.Usage},
		{entry.ErrQuantity, errortext.Screens, "above zero, as in: x2", errortext.Usage},
		{&entry.Error{Err: entry.ErrNoPrice, Text: "12 eggs"}, errortext.Lines, "as in Vary 3500, or 3500x2 for two. help lists", errortext.Usage},
		{&entry.Error{Err: entry.ErrNoPrice, Text: "-"}, errortext.Screens, "↑ chooses the line that - changes", errortext.Usage},
		{&entry.Error{Err: entry.ErrNoPrice, Text: "+"}, errortext.Lines, "as in + 3500", errortext.Usage},
		{&entry.Error{Err: entry.ErrSeveral, Text: "Coca, Cola"}, errortext.Screens, "Coca, Cola (↓", errortext.Usage},
		{&entry.Error{Err: entry.ErrSeveral, Text: "Coca, Cola"}, errortext.Lines, "Coca, Cola. Type more", errortext.Usage},
		{&entry.Error{Err: entry.ErrUnknownCode, Text: "123"}, errortext.Screens, "123. F6", errortext.Usage},
		{staff.ErrInvalidPIN, errortext.Commands, "4 to 12 digits", errortext.Failed},
		{fmt.Errorf("%w: x", receipt.ErrStuck), errortext.Commands, "does not take the receipt", errortext.Failed},
		{errors.New("another"), errortext.Commands, "", errortext.Failed},
	} {
		words := errortext.Of(i18n.Load("en"), tt.err, errortext.Place{Face: tt.face})
		if !strings.Contains(words.Text, tt.says) || (tt.says == "") != (words.Text == "") || words.Exit != tt.exit {
			t.Errorf("%v (face %d): %q, exit code %d, want %q, %d", tt.err, tt.face, words.Text, words.Exit, tt.says, tt.exit)
		}
	}
}

func TestAdviceFollowsTheText(t *testing.T) {
	words := errortext.Of(i18n.Load("en"), receipt.ErrForbidden, errortext.Place{})
	if got := words.Or("other"); got != words.Text+" "+words.Advice || words.Advice == "" {
		t.Errorf("got %q of %+v", got, words)
	}
	tuitest.Equal(t, (errortext.Words{}).Or("other"), "other", "the words")
	if errortext.About("A9", nil) != nil || errortext.AboutSale("A9", nil) != nil {
		t.Error("no error became one")
	}
}

func TestThePauseEndsByTheClockOfTheZone(t *testing.T) {
	zone := time.FixedZone("", 3*60*60)
	paused := &staff.PausedError{Until: time.Date(2026, 11, 21, 9, 30, 5, 0, time.UTC)}
	if got := errortext.Of(i18n.Load("en"), paused, errortext.Place{Zone: zone}).Text; !strings.Contains(got, "12:30:05") {
		t.Errorf("got %q", got)
	}
}

func TestACommandSaysWhichOtherLinkPaysADebt(t *testing.T) {
	ends := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	objection := &payments.Objection{Kind: payments.SalePayable, Order: payments.Order{Reference: "T1-GT-000002", Link: payments.Link{ExpiresAt: ends}}}
	place := errortext.Place{Face: errortext.Commands, Zone: time.FixedZone("", 3*60*60)}
	want := "T1-GT-000002 pays this debt, too, and may be paid until 12:3"
	if got := errortext.Of(i18n.Load("en"), objection, place).Text; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestATextThatStandsAloneBeginsWithACapital(t *testing.T) {
	for text, want := range map[string]string{"": "", "say whose": "Say whose", "écrivez": "Écrivez", "17 000 Ar": "17 000 Ar"} {
		tuitest.Equal(t, errortext.Sentence(text), want, "the sentence")
	}
}
