package errortext

import (
	"errors"
	"slices"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/tui/cart"
	"checkout/till/tui/counter"
	"checkout/till/tui/entry"
	"checkout/till/tui/receipt"
)

// Rows returns the rows of the table. The first matching row is used, so the row of an error must
// come before the rows of errors that it wraps.
func Rows(t i18n.Texts, place Place) []Row {
	return slices.Concat(
		orderRows(t, place.Face), drawerRows(t, place), staffRows(t, place),
		entryRows(t, place.Face), articleRows(t), printerRows(t),
	)
}

// orderRows returns the rows for errors of orders. Screens show the cause of a failed order call
// with the order, so their text says only what to do.
func orderRows(t i18n.Texts, face Face) []Row {
	return []Row{
		As(Failed, func(e *payments.UnseenError) string { return t.Charging[e.Reach] }),
		As(Refused, func(e *payments.Refusal) string {
			return by(face, t.Hints.Refusal, t.Hints.Refusal, t.Shell.Refused.With(e.Message))
		}),
		As(Unknown, func(*payments.UnstoredError) string {
			return by(face, t.Hints.StoreFailed, t.Hints.StoreFailed, t.Attention.UnknownOutcome)
		}),
		Is(counter.ErrUnsure, Unknown, t.Cash.MaybeStored),
		As(Unknown, func(e *drawer.UnknownError) string {
			return by(face, t.Hints.MaybeStored, t.Hints.MaybeStored, t.Shell.NotKnown.With(clean.Text(e.ID, payments.MaxLabelWidth)))
		}),
		Is(payments.ErrCommitUnknown, Unknown, t.Hints.MaybeStored),
		Is(payments.ErrAmbiguous, Unknown, by(face, t.Hints.Ambiguous, t.Hints.Ambiguous, "")),
		Is(payments.ErrNotSent, Failed, by(face, t.Hints.Unsent, t.Hints.Unsent, "")),
		Is(payments.ErrNoRoom, Failed, t.Hints.NoRoom),
		Is(payments.ErrUnderWay, Failed, t.Hints.UnderWay),
		Is(payments.ErrReferenceTaken, Failed, by(face, t.Hints.Taken, t.Hints.Taken, "")),
		Is(payments.ErrOutdated, Failed, t.Hints.Outdated),
		Is(cart.ErrBegun, Failed, t.Sale.Locked),
		Is(cart.ErrDebt, Failed, t.Debts.Locked),
		Is(payments.ErrNotMatchable, Failed, by(face, t.Hints.Outdated, t.Hints.Outdated, "")),
		Is(payments.ErrReasonNeeded, Usage, by(face, t.Hints.Outdated, t.Hints.Outdated, t.Printed.SayReason)),
		As(Failed, func(e *payments.TillError) string {
			return t.Shell.TillTaken.With(clean.Text(e.Name, payments.MaxLabelWidth), clean.Text(e.Other, payments.MaxLabelWidth), e.Code)
		}),
		Is(payments.ErrNoItems, Usage, ""),
		Is(payments.ErrInvalidItem, Usage, ""),
		Is(payments.ErrInvalidReference, Usage, ""),
		notFound(t, face),
	}
}

func notFound(t i18n.Texts, face Face) Row {
	if face == Commands {
		return When(func(err error) bool { return errors.Is(err, payments.ErrNotFound) }, Failed, func(err error) string {
			about, is := errors.AsType[*named](err)
			switch {
			case !is:
				return ""
			case about.sale:
				return t.Shell.NoSale.With(about.name)
			case payments.IsCashNumber(about.name):
				return t.Shell.NoCounterOrder.With(about.name)
			}
			return t.Shell.NoOrder.With(about.name)
		})
	}
	return Is(payments.ErrNotFound, Failed, t.Plain.NoOrder)
}

func drawerRows(t i18n.Texts, place Place) []Row {
	words, face := t.Account, place.Face
	return []Row{
		As(Failed, func(e *drawer.ShortError) string { return t.Cash.Short.With(i18n.Money(e.Missing)) }),
		As(Usage, func(e *payments.LeftError) string {
			if e.Left == 0 {
				return words.AllGivenBack
			}
			return t.Cash.RefundHow.With(i18n.Money(e.Left), i18n.Number(int64(e.Left)))
		}),
		Is(counter.ErrNotStored, Failed, t.Cash.NotStored),
		As(Failed, func(e *payments.Objection) string { // The text is about a debt. For a sale, the counter asks instead.
			return t.Debts.OtherLink.With(e.Order.Reference, i18n.Clock(e.Order.Link.ExpiresAt.Add(payments.LinkGrace).In(place.zone())))
		}),
		As(Failed, func(e *payments.OwedError) string {
			return t.Debts.TooMuch.With(i18n.Money(e.Owed), i18n.Money(e.Amount))
		}),
		As(Failed, func(e *drawer.LimitError) string {
			return by(face, t.Debts.OverLimit, t.Debts.OverLimitBy, t.Debts.OverLimitBy).With(i18n.Money(e.Owed), i18n.Money(e.Limit))
		}),
		Is(drawer.ErrNameNeeded, Usage, t.Debts.NoName),
		Is(drawer.ErrLongName, Usage, t.Hints.TooLong),
		Is(drawer.ErrNoCustomer, Failed, by(face, t.Debts.NoCustomer, t.Debts.NoCustomer, t.Shell.NoCustomer)),
		Is(drawer.ErrNoDebt, Failed, t.Debts.NoDebt),
		Is(drawer.ErrSameName, Failed, t.Debts.SameName),
		Is(drawer.ErrOwes, Failed, t.Debts.NotZero),
		Is(drawer.ErrOnAccount, Failed, t.Debts.OffDebt),
		Is(drawer.ErrNotFound, Failed, words.NoSale),
		Is(drawer.ErrVoided, Failed, words.VoidedBefore),
		Is(drawer.ErrGivenBack, Failed, words.AllGivenBack),
		Is(drawer.ErrNoRefund, Failed, words.NoRefund),
		Is(drawer.ErrNoReceipt, Failed, t.Receipt.None),
		Is(drawer.ErrReasonNeeded, Usage, by(face, words.ReasonNeeded, words.ReasonNeeded, words.SayReason)),
		Is(drawer.ErrNotAmount, Usage, words.NotAmount),
		Is(entry.ErrNoAmount, Usage, words.NotAmount),
		Is(drawer.ErrIDTaken, Usage, t.Shell.OtherChange),
	}
}

func staffRows(t i18n.Texts, place Place) []Row {
	return []Row{
		As(Failed, func(e *staff.PausedError) string {
			return t.Asks.Paused.With(i18n.ClockSeconds(e.Until.In(place.zone())))
		}),
		Is(staff.ErrIdentityNeeded, Usage, by(place.Face, "", t.Plain.Identity, t.Shell.WhoAreYou)), // A screen asks for the PIN itself.
		Is(staff.ErrWrongPIN, Failed, t.Asks.Wrong),
		Is(drawer.ErrEarlierDay, Failed, t.Asks.EarlierDay),
		Is(staff.ErrNotOwner, Failed, t.Asks.NotOwner),
		Is(staff.ErrNeedsOwner, Failed, t.Shell.OneOwner),
		Is(staff.ErrInvalidPIN, Failed, t.Shell.BadPIN),
		Is(staff.ErrCashierTaken, Failed, t.Shell.CashierTaken),
		Is(staff.ErrNoCashier, Failed, t.Shell.NoCashier),
	}
}

func entryRows(t i18n.Texts, face Face) []Row {
	words := t.Hints
	return []Row{
		entered(entry.ErrSeveral, func(e entry.Error) string {
			return by(face, words.Several, t.Plain.Several, words.Several).With(e.Text)
		}),
		entered(entry.ErrNoPrice, func(e entry.Error) string {
			if face == Screens && (e.Text == "+" || e.Text == "-") { // These keys act only on a chosen line.
				return words.Sign.With(e.Text)
			}
			// In the line mode, it may be a mistyped command.
			return words.NoPrice.With(label(e)) + by(face, "", ". "+t.Plain.SeeHelp, "")
		}),
		entered(entry.ErrPriceFirst, func(e entry.Error) string { return words.PriceFirst.With(e.Text) }),
		entered(entry.ErrUnknownCode, func(e entry.Error) string {
			return strings.TrimSpace(words.UnknownCode.With(e.Text) + " " + by(face, words.AddsOne, "", ""))
		}),
		entered(entry.ErrPieces, func(e entry.Error) string {
			if e.Other != "" {
				return words.Either.With(e.Text, e.Other)
			}
			return words.Pieces.With(payments.Decimal(e.Quantity, "."), e.Text)
		}),
		entered(entry.ErrWeightOrPrice, func(e entry.Error) string { return words.WeightOrPrice.With(e.Text, e.Other) }),
		entered(entry.ErrTwoPrices, func(e entry.Error) string { return words.TwoPrices.With(e.Text, e.Other) }),
		entered(entry.ErrByPiece, func(e entry.Error) string { return words.ByPiece.With(e.Text) }),
		entered(entry.ErrEither, func(e entry.Error) string { return words.Either.With(e.Text, e.Other) }),
		As(Usage, func(e *entry.WeightError) string {
			return words.HowMany.With(e.Sold.Label, e.Unit, entry.SmallUnit(e.Unit))
		}),
		Is(entry.ErrNotUnderstood, Usage, words.NotUnderstood),
		Is(entry.ErrDotted, Usage, words.Dotted),
		Is(entry.ErrPercent, Usage, words.Percent),
		Is(entry.ErrDecimal, Usage, words.Decimal),
		Is(entry.ErrQuantity, Usage, words.BadQuantity),
		Is(entry.ErrAttachedQuantity, Usage, words.Apart),
		Is(entry.ErrTwoQuantities, Usage, words.TwoQuantities),
		Is(entry.ErrTooLong, Usage, words.TooLong),
		Is(entry.ErrDiscount, Usage, words.BadDiscount),
		Is(entry.ErrRaised, Usage, by(face, words.Raised, t.Plain.Raised, words.Raised)),
		Is(cart.ErrMeasured, Usage, words.Measured),
		Is(payments.ErrTooSmall, Usage, words.TooSmall),
		Is(money.ErrTooLarge, Usage, words.TooLarge),
		Is(entry.ErrSum, Usage, words.BadAmount),
		Is(money.ErrNotAmount, Usage, words.BadPrice),
	}
}

func articleRows(t i18n.Texts) []Row {
	return []Row{
		Named(payments.ErrLabelTaken, Failed, t.Catalog.LabelTaken),
		Named(payments.ErrCodeTaken, Failed, t.Catalog.CodeTaken),
	}
}

func printerRows(t i18n.Texts) []Row {
	words := t.Printer
	return []Row{
		Is(receipt.ErrForbidden, Failed, words.Forbidden).withAdvice(words.ForbiddenTodo),
		As(Failed, func(e *receipt.QueueError) string { return words.Stopped.With(e.Reason) }).withAdvice(words.StoppedTodo),
		Is(receipt.ErrBusy, Failed, words.Busy).withAdvice(words.BusyTodo),
		Is(receipt.ErrNoPaper, Failed, words.NoPaper).withAdvice(words.NoPaperTodo),
		Is(receipt.ErrCoverOpen, Failed, words.CoverOpen).withAdvice(words.CoverOpenTodo),
		Is(receipt.ErrCutOff, Failed, words.CutOff).withAdvice(words.CutOffTodo),
		Is(receipt.ErrStuck, Failed, words.Stuck).withAdvice(words.StuckTodo),
		Is(receipt.ErrUnreachable, Failed, words.Unreachable).withAdvice(words.UnreachableTodo),
	}
}

func by[T any](face Face, screens, lines, commands T) T {
	switch face {
	case Lines:
		return lines
	case Commands:
		return commands
	}
	return screens
}

func entered(target error, text func(entry.Error) string) Row {
	return When(func(err error) bool { return errors.Is(err, target) }, Usage, func(err error) string {
		about, detailed := errors.AsType[*entry.Error](err)
		if !detailed {
			about = &entry.Error{}
		}
		return text(*about)
	})
}

// label returns the label for the example about a missing price. A long label, or one that begins
// with a digit, makes a bad example.
func label(e entry.Error) string {
	const most = 20
	if len(e.Text) > most || strings.IndexAny(e.Text, "0123456789") == 0 {
		return "Vary"
	}
	return e.Text
}
