package plain

import (
	"context"
	"errors"
	"strconv"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/receipt"
)

// printed is the result of a print; asked means that the cashier typed the command for it.
type printed struct {
	asked bool
	err   error
}

// afterSale prints in the background what the settings ask for after a sale.
func (s *session) afterSale(ctx context.Context, ref string, cash bool) {
	s.settled = ref
	s.prints.Go(func() {
		s.printed <- printed{err: receipt.AfterSale(ctx, s.Service, s.Texts, s.Receipts, s.Zone, ref, cash)}
	})
}

// endPrints waits for the running prints.
func (s *session) endPrints() {
	go func() {
		s.prints.Wait()
		close(s.printed)
	}()
	for result := range s.printed {
		s.sayPrinted(result)
	}
}

func (s *session) sayPrinted(result printed) {
	switch {
	case result.err != nil:
		s.say(receipt.Failed(result.err)(s.Texts))
	case result.asked:
		s.say(s.Texts.Receipt.Printed)
	}
}

// onReceipt returns a verb for the receipt of a sale. The text after the command is a number of the
// last list, the reference of an order, or the number of a cash sale. Without a text the verb uses
// the sale that was settled last.
func onReceipt(does func(s *session, ctx context.Context, paper *receipt.Paper)) verb {
	return func(s *session, ctx context.Context, ref string) {
		if n, err := strconv.Atoi(ref); err == nil && n > 0 && n <= len(s.listed) {
			ref = s.listed[n-1].Reference
		}
		if ref == "" {
			ref = s.settled
		}
		issued, err := s.Service.IssueReceipt(ctx, ref)
		switch {
		case ref == "", errors.Is(err, drawer.ErrNoReceipt):
			s.say(s.Texts.Receipt.None)
		case errors.Is(err, payments.ErrNotFound):
			s.say(s.Texts.Plain.NoOrder)
		case err != nil:
			s.say(s.Texts.Reach[payments.ReachStoreDown])
		default:
			does(s, ctx, receipt.Of(s.Texts, s.Receipts, s.Zone, issued))
		}
	}
}

func (s *session) showReceipt(_ context.Context, paper *receipt.Paper) {
	for _, line := range paper.Lines() {
		s.say(line.Text)
	}
}

func (s *session) printReceipt(ctx context.Context, paper *receipt.Paper) {
	if s.Receipts.Printer == "" {
		s.say(s.Texts.Receipt.NoPrinter)
		return
	}
	s.say(s.Texts.Receipt.Printing)
	s.prints.Go(func() { s.printed <- printed{true, s.Receipts.Printer.Print(ctx, paper.Bytes())} })
}
