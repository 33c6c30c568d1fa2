package plain

import (
	"context"
	"errors"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/entry"
)

// restock reads the catalogue. One that cannot be read stays as it was.
func (s *session) restock(ctx context.Context) {
	articles, err := s.Service.Articles(ctx)
	if s.stale = err != nil; !s.stale {
		s.shelf = entry.NewShelf(articles)
	}
}

func (s *session) restore(ctx context.Context) {
	sales, err := s.Service.Sales(ctx, s.Till)
	if err != nil {
		s.say(s.Texts.Hints.StoreFailed)
		return
	}
	c, resumed := s.cart.Restore(sales, s.Service.Now())
	s.keep(ctx, c)
	if resumed {
		s.say(s.Texts.Sale.Restored)
		s.lines(ctx, "")
	}
}

func (s *session) keep(ctx context.Context, c cart.Cart) {
	s.cart = c
	s.write(ctx)
}

// write writes the cart's write queue. What cannot be written is said, and stays
// in the queue.
func (s *session) write(ctx context.Context) {
	for _, sale := range s.cart.Unsaved {
		// What was typed reaches the disk even when the program is ended meanwhile.
		if err := s.Service.SaveSale(context.WithoutCancel(ctx), *sale); err != nil {
			s.say(s.Texts.Hints.StoreFailed)
			return
		}
		s.cart = s.cart.Written(sale)
	}
}

func (s *session) parse(text string) (payments.Item, error) {
	return entry.Parse(text, s.shelf, s.Texts.Sale.FreeAmount)
}

// changed keeps a cart and says which line changed, or what to do about an entry
// that was not understood.
func (s *session) changed(ctx context.Context, c cart.Cart, line cart.Line, err error) {
	if err != nil {
		hint := cart.Hint(s.Texts.Hints, err)
		if several, is := errors.AsType[*entry.Error](err); is && errors.Is(err, entry.ErrSeveral) {
			hint = s.Texts.Plain.Several.With(several.Text)
		}
		if errors.Is(err, entry.ErrNoPrice) {
			hint += " " + s.Texts.Plain.SeeHelp // It may have been meant as a command.
		}
		s.say(hint)
		return
	}
	s.keep(ctx, c)
	s.sayLine(line.Index)
	s.sayTotal()
}

func (s *session) lines(context.Context, string) {
	if note := s.cart.Sale.Description; note != "" {
		s.say(s.Texts.Sale.Note.With(note))
	}
	for i := range s.cart.Items() {
		s.sayLine(i)
	}
	s.sayTotal()
}

func (s *session) sayLine(i int) {
	item, words := s.cart.Items()[i], s.Texts.Plain
	text := words.Line.With(i+1, item.Label, item.Quantity, i18n.Money(item.UnitPrice), i18n.Money(item.Total()))
	if item.Quantity == 1 {
		text = words.One.With(i+1, item.Label, i18n.Money(item.UnitPrice))
	}
	if item.ListPrice > 0 {
		text += " " + s.Texts.Sale.Was.With(i18n.Money(item.ListPrice))
	}
	s.say(text)
}

func (s *session) sayTotal() {
	if s.cart.Empty() {
		s.say(s.Texts.Plain.Empty)
		return
	}
	s.say(s.Texts.Plain.Total.With(cart.Worth(s.cart.Items())))
}

// edit gives a line another quantity, another price, another label, or another
// item, as the text says; without a text it says the line as it is typed.
func (s *session) edit(ctx context.Context, at int, text string) {
	before := s.cart.Items()[at]
	if text == "" {
		s.say(s.Texts.Plain.Edit.With(at+1, entry.Format(before, s.shelf)))
		return
	}
	if quantity, alone := entry.Quantity(text); alone {
		c, line, err := s.cart.SetQuantity(at, quantity)
		s.changed(ctx, c, line, err)
		return
	}
	item, err := s.parse(text)
	if price, priceErr := entry.ParsePrice(text); priceErr == nil {
		item, err = payments.NewItem(before.Label, price, before.Quantity)
	} else if errors.Is(err, entry.ErrNoPrice) {
		item, err = payments.NewItem(text, before.UnitPrice, before.Quantity)
	}
	c, line := s.cart, cart.Line{}
	if err == nil {
		c, line, err = c.Replace(at, item)
	}
	s.changed(ctx, c, line, err)
}

func (s *session) remove(ctx context.Context, at int, _ string) {
	label := s.cart.Items()[at].Label
	s.keep(ctx, s.cart.Remove(at))
	s.say(s.Texts.Plain.Removed.With(label))
	s.sayTotal()
}

func (s *session) discount(ctx context.Context, at int, text string) {
	c, line, err := s.cart.Discount(at, text)
	s.changed(ctx, c, line, err)
}

func (s *session) undo(ctx context.Context, _ string) {
	c, ok := s.cart.Undo()
	if !ok {
		s.say(s.Texts.Plain.NoUndo)
		return
	}
	s.keep(ctx, c)
	s.lines(ctx, "")
}

// note keeps a note to the customer; a dash takes it away.
func (s *session) note(ctx context.Context, text string) {
	if text != "" {
		s.keep(ctx, s.cart.Annotate(strings.TrimPrefix(text, "-")))
	}
	s.lines(ctx, "")
}

func (s *session) hold(ctx context.Context, rest string) {
	if s.cart.Untouched() {
		s.say(s.Texts.Plain.Empty)
		return
	}
	c, name, free := s.cart.Hold(rest, s.Service.Now())
	if !free {
		s.say(s.Texts.Held.Taken)
		return
	}
	s.keep(ctx, c)
	s.say(s.Texts.Held.Done.With(name))
}

// resume goes on with a sale that is held. Without a name it says which there
// are, or takes the only one.
func (s *session) resume(ctx context.Context, rest string) {
	held, at := s.cart.Held, 0
	if rest != "" {
		at = s.cart.HeldAs(rest)
	}
	switch {
	case len(held) == 0:
		s.say(s.Texts.Held.None)
	case rest == "" && len(held) > 1:
		for _, sale := range held {
			s.say(s.Texts.Plain.Held.With(sale.Name, len(sale.Items), cart.Worth(sale.Items)))
		}
	case !s.cart.Untouched():
		s.say(s.Texts.Plain.Full)
	case at < 0:
		s.say(s.Texts.Plain.NoHeld.With(rest))
	default:
		s.keep(ctx, s.cart.Resume(at))
		s.say(s.Texts.Held.Resumed.With(held[at].Name))
		s.lines(ctx, "")
	}
}

func (s *session) drop(context.Context, string) {
	if s.cart.Untouched() {
		s.say(s.Texts.Plain.Empty)
		return
	}
	s.confirm(s.Texts.Sale.Drop.With(cart.Worth(s.cart.Items())), func(ctx context.Context) {
		s.keep(ctx, s.cart.Drop())
		s.lines(ctx, "")
	})
}
