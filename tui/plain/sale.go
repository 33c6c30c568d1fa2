package plain

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/tui/cart"
	"checkout/till/tui/entry"
	"checkout/till/tui/wording"
)

func (s *session) parse(text string) (payments.Item, error) {
	return entry.Parse(text, s.counter.Shelf(), wording.EntryWords(s.Texts))
}

// enter adds the items of an entry, or takes a discount off the whole sale.
func (s *session) enter(ctx context.Context, text string) {
	total := cart.Total(s.counter.Cart().Items())
	if off, is, err := entry.SaleDiscount(text, total); is {
		s.reduce(ctx, off, err)
		return
	}
	items, err := entry.ParseAll(text, s.counter.Shelf(), wording.EntryWords(s.Texts))
	line := cart.Line{}
	if err == nil {
		line, err = s.counter.Add(items...)
	}
	s.weighs, _ = errors.AsType[*entry.WeightError](err)
	if err == nil && len(items) > 1 {
		s.drain(ctx)
		s.lines(ctx, "")
		return
	}
	s.changed(ctx, line, err)
}

// weigh handles a text that was typed while the weight or measure of an article was missing. It
// returns false if the text may be an entry or a command.
func (s *session) weigh(ctx context.Context, text string) bool {
	sold, err := s.weighs.Weigh(text)
	if _, other := errors.AsType[*entry.WeightError](err); other {
		s.weighs = nil
		s.say(s.Texts.Plain.Kept)
		return text == "" || slices.Contains(s.Texts.Plain.No[:], strings.ToLower(text))
	}
	line := cart.Line{}
	if err == nil {
		s.weighs = nil
		var item payments.Item
		item, err = sold.Item(s.counter.Shelf(), wording.EntryWords(s.Texts))
		if err == nil {
			line, err = s.counter.Add(item)
		}
	}
	s.changed(ctx, line, err)
	return true
}

func (s *session) reduce(ctx context.Context, off money.Ariary, err error) {
	if s.counter.Cart().Empty() {
		err = entry.ErrPercent
	}
	if err == nil {
		err = s.counter.DiscountAll(off)
	}
	if err != nil {
		s.changed(ctx, cart.Line{}, err)
		return
	}
	s.drain(ctx)
	s.say(s.Texts.Sale.Reduced.With(i18n.Money(off), wording.Worth(s.counter.Cart().Items())))
}

func (s *session) changed(ctx context.Context, line cart.Line, err error) {
	if err != nil {
		s.sayError(err, s.Texts.Hints.NotUnderstood)
		return
	}
	s.drain(ctx)
	s.sayLine(line.Index)
	s.sayTotal()
}

func (s *session) lines(context.Context, string) {
	if note := s.counter.Cart().Sale.Description; note != "" {
		s.say(s.Texts.Sale.Note.With(note))
	}
	for i := range s.counter.Cart().Items() {
		s.sayLine(i)
	}
	s.sayTotal()
}

func (s *session) sayLine(i int) {
	item, words := s.counter.Cart().Items()[i], s.Texts.Plain
	text := words.Line.With(i+1, item.Label, item.Quantity, i18n.Money(item.UnitPrice), i18n.Money(item.Total()))
	if item.Quantity == 1 {
		text = words.One.With(i+1, item.Label, i18n.Money(item.UnitPrice))
	}
	if item.Measured() {
		text = words.Measured.With(i+1, item.Label, i18n.Money(item.Measure.Price), i18n.Money(item.Total()))
	}
	if item.ListPrice > 0 {
		text += " " + s.Texts.Sale.Was.With(i18n.Money(item.ListPrice))
	}
	s.say(text)
}

func (s *session) sayTotal() {
	if s.counter.Cart().Empty() {
		s.say(s.Texts.Plain.Empty)
		return
	}
	s.say(s.Texts.Plain.Total.With(wording.Worth(s.counter.Cart().Items())))
	if sale := s.counter.Cart().Sale; sale.Taken > 0 {
		s.say(wording.Begun(s.Texts, sale))
	}
}

// edit changes a line of the sale. text is the new quantity, price, label or item. A blank text
// prints the line as an entry.
func (s *session) edit(ctx context.Context, at int, text string) {
	before := s.counter.Cart().Items()[at]
	if text == "" {
		s.say(s.Texts.Plain.Edit.With(at+1, entry.Format(before, s.counter.Shelf())))
		return
	}
	item, err := s.parse(text)
	parsed := entry.ParsedOf(before)
	quantity, alone := entry.Quantity(text)
	thousandths, unitErr := quantity.In(before.Measure.Unit)
	alone = alone && unitErr == nil
	price, priceErr := entry.ParsePrice(text)
	switch {
	case alone:
		parsed.Thousandths = thousandths
	case priceErr == nil:
		parsed.Price = price
	case errors.Is(err, entry.ErrNoPrice):
		parsed.Label = text
	}
	if alone || priceErr == nil || errors.Is(err, entry.ErrNoPrice) {
		item, err = parsed.Item(s.counter.Shelf(), wording.EntryWords(s.Texts))
	}
	line := cart.Line{}
	if err == nil {
		line, err = s.counter.Replace(at, item)
	}
	s.changed(ctx, line, err)
}

func (s *session) remove(ctx context.Context, at int, _ string) {
	label := s.counter.Cart().Items()[at].Label
	if err := s.counter.Remove(at); err != nil {
		s.sayError(err, s.Texts.Hints.NotUnderstood)
		return
	}
	s.drain(ctx)
	s.say(s.Texts.Sale.Removed.With(label))
	s.sayTotal()
}

func (s *session) discount(ctx context.Context, at int, text string) {
	line, err := s.counter.Discount(at, text)
	s.changed(ctx, line, err)
}

func (s *session) undo(ctx context.Context, _ string) {
	if !s.counter.Undo() {
		s.say(s.Texts.Plain.NoUndo)
		return
	}
	s.drain(ctx)
	s.lines(ctx, "")
}

// note sets the note to the customer; a dash removes it.
func (s *session) note(ctx context.Context, text string) {
	if text != "" {
		s.counter.Annotate(strings.TrimPrefix(text, "-"))
		s.drain(ctx)
	}
	s.lines(ctx, "")
}

func (s *session) hold(ctx context.Context, rest string) {
	if s.counter.Cart().Untouched() {
		s.say(s.Texts.Plain.Empty)
		return
	}
	name, free := s.counter.Hold(rest)
	if !free {
		s.say(s.Texts.Held.Taken)
		return
	}
	s.drain(ctx)
	s.say(s.Texts.Held.Done.With(name))
}

// resume makes a held sale the current one. If rest is blank, resume takes the only held sale, or
// lists several. If no sale is held under the name rest, resume takes it as the name of an order.
func (s *session) resume(ctx context.Context, rest string) {
	if !s.counter.SalesRead() {
		s.counter.ReadSales()
		s.drain(ctx)
	}
	held, at := s.counter.Cart().Held, 0
	if rest != "" {
		at = s.counter.Cart().HeldAs(rest)
	}
	switch {
	case len(held) == 0 && !s.counter.SalesRead():
		// sayFact has printed that the read failed.
	case len(held) == 0 && rest == "":
		s.say(s.Texts.Held.None)
	case rest == "" && len(held) > 1:
		for _, sale := range held {
			s.say(s.Texts.Plain.Held.With(sale.Name, len(sale.Items), wording.Worth(sale.Items)))
		}
	case !s.counter.Cart().Untouched():
		s.say(s.Texts.Plain.Full)
	case at < 0:
		s.putBack(ctx, rest)
	default:
		s.counter.Resume(at)
		s.drain(ctx)
		s.say(s.Texts.Held.Resumed.With(held[at].Name))
		s.lines(ctx, "")
	}
}

// putBack puts the lines of an order back into the sale, so that the cashier can correct them or
// take cash for them. A payable order stays payable.
func (s *session) putBack(ctx context.Context, name string) {
	order, _, err := s.Service.Order(ctx, s.referenceOf(name))
	switch {
	case errors.Is(err, payments.ErrNotFound):
		s.say(s.Texts.Plain.NoHeld.With(name))
	case err != nil:
		s.sayError(err, s.Texts.Reach[payments.ReachStoreDown])
	case !s.counter.Repeatable(order):
		s.sayOutcome(order)
		s.say(s.Texts.Plain.NotAgain)
	default:
		s.counter.PutBack(order)
		s.drain(ctx)
		s.lines(ctx, "")
	}
}

// tendered returns a verb that records a payment at the counter. The text is the amount given, by
// default the exact sum. For a sale on account, it is the customer's name.
func tendered(tender drawer.Tender) verb {
	return func(s *session, ctx context.Context, text string) {
		if way, _ := tender.Way(); way.Named {
			s.sellTo(ctx, tender, text)
			return
		}
		given, err := entry.ParseSum(text)
		if err != nil && text != "" {
			s.sayError(err, s.Texts.Hints.NotUnderstood)
			return
		}
		s.counter.TenderBy(tender)
		s.counter.TakeCash(given)
	}
}

// refund records a refund of an order or a sale at the counter, or takes a refund back. A refund of
// a sale on account reduces the customer's debt. The money of any other refund comes from the
// drawer.
func (s *session) refund(ctx context.Context, text string) {
	ref, rest, _ := strings.Cut(text, " ")
	typed, err := entry.ParseRefund(rest)
	if err != nil || typed.Amount == 0 && typed.TakeBack == 0 { // The amount is required: no question has shown how much is left.
		s.say(s.Texts.Verbs.Refund)
		return
	}
	ref = s.referenceOf(ref)
	order, sale, err := s.Service.Sale(ctx, ref)
	given := drawer.Given{Ref: ref, InCash: !sale.Account.IsCustomer(), Amount: typed.Amount, Note: typed.Note}
	if order.Reference != "" {
		given.Verdict = cmp.Or(s.seen[order.Reference], order.Verdict(payments.Conditions{}, s.Service.Now()))
	}
	var from drawer.Refundable
	if err == nil {
		from, err = s.Service.Refundable(ctx, ref, given.InCash)
		given.Net = from.Net
	}
	if err == nil && typed.TakeBack > 0 {
		err = s.Service.TakeBack(ctx, s.Till, ref, typed.TakeBack, typed.Note, staff.Identity{})
	} else if err == nil {
		err = s.Service.Refund(ctx, s.Till, given, staff.Identity{})
	}
	if err == nil && order.Reference != "" {
		s.seeAgain(ctx, order)
	}
	switch {
	case err != nil:
		s.sayError(err, s.Texts.Reach[payments.ReachStoreDown])
		if order.Reference != "" && errors.Is(err, payments.ErrOutdated) { // The order may be in no list, so print its new state.
			s.sayOutcome(order)
		}
	case typed.TakeBack == 0:
		if given.InCash {
			s.startOpening(ctx)
		}
		s.say(s.Texts.Cash.GivenBack.With(ref, i18n.Money(typed.Amount), i18n.Money(from.Refunded+typed.Amount)))
	default:
		s.say(s.Texts.Frame.Labelled.With(s.Texts.Account.Reversal, "#"+i18n.Number(typed.TakeBack)))
	}
}

// seeAgain records the verdict of an order after a refund or its reversal.
func (s *session) seeAgain(ctx context.Context, order payments.Order) {
	delete(s.seen, order.Reference)
	if after, _, err := s.Service.Order(ctx, order.Reference); err == nil {
		s.see(after)
	}
}

func (s *session) openDrawer(ctx context.Context, _ string) {
	if s.Receipts.Printer.None() {
		s.say(s.Texts.Receipt.NoPrinter)
		return
	}
	if _, err := s.Service.Move(ctx, s.Till, drawer.Open, 0, "", staff.Identity{}); err != nil {
		s.sayError(err, s.Texts.Reach[payments.ReachStoreDown])
		return
	}
	s.startOpening(ctx)
	s.say(s.Texts.Account.Opened)
}

func (s *session) drop(context.Context, string) { s.counter.Drop() }
