package plain

import (
	"context"
	"strconv"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/receipt"
)

// printed is the result of printing a receipt or of opening the drawer. asked says that the cashier
// asked for a receipt.
type printed struct {
	asked   bool
	outcome receipt.Outcome
	err     error
}

func (s *session) afterSale(ctx context.Context, ref string, cash bool) {
	s.settled = ref
	s.start(func() printed {
		return printed{err: receipt.AfterSale(ctx, s.Service, s.Texts, s.Receipts, s.Zone, ref, cash)}
	})
}

func (s *session) startOpening(ctx context.Context) {
	s.start(func() printed { return printed{err: s.Receipts.OpenDrawer(ctx)} })
}

func (s *session) start(work func() printed) {
	s.printing++
	go func() { s.printed <- work() }()
}

func (s *session) endPrints() {
	for s.printing > 0 {
		s.sayPrinted(<-s.printed)
	}
}

func (s *session) sayPrinted(result printed) {
	s.printing--
	switch {
	case result.err != nil:
		s.sayError(result.err, s.Texts.Hints.StoreFailed)
	case result.asked:
		s.say(result.outcome.In(s.Texts))
	}
}

func (s *session) showReceipt(ctx context.Context, ref string) {
	if sale, found := s.receiptOf(ctx, ref); found {
		for _, line := range receipt.Of(s.Texts, s.Receipts, s.Zone, sale).Lines() {
			s.say(line.Text)
		}
	}
}

func (s *session) printReceipt(ctx context.Context, ref string) {
	sale, found := s.receiptOf(ctx, ref)
	if !found {
		return
	}
	if s.Receipts.Printer.None() {
		s.say(s.Texts.Receipt.NoPrinter)
		return
	}
	s.say(s.Texts.Receipt.Printing)
	s.start(func() printed {
		outcome, err := receipt.Print(ctx, s.Service, s.Texts, s.Receipts, s.Zone, sale)
		return printed{true, outcome, err}
	})
}

// referenceOf returns the reference of an order if ref is a number in the last printed list.
// Otherwise it returns ref.
func (s *session) referenceOf(ref string) string {
	if n, err := strconv.Atoi(ref); err == nil && n > 0 && n <= len(s.listed) {
		return s.listed[n-1].Reference
	}
	return ref
}

// receiptOf returns a sale with its receipt. A blank ref means the sale that was paid last. Without
// a receipt, or after an error, receiptOf prints the reason and returns false.
func (s *session) receiptOf(ctx context.Context, ref string) (sale drawer.Settled, found bool) {
	if ref = s.referenceOf(ref); ref == "" {
		ref = s.settled
	}
	if ref == "" {
		s.say(s.Texts.Receipt.None)
		return drawer.Settled{}, false
	}
	sale, err := s.Service.IssueReceipt(ctx, ref)
	if err != nil {
		s.sayError(err, s.Texts.Reach[payments.ReachStoreDown])
		return drawer.Settled{}, false
	}
	return sale, true
}
