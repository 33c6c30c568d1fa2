package plain

import (
	"context"
	"errors"
	"slices"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// edit corrects a line: by what stands behind its number, or by the next line.
func (s *session) edit(ctx context.Context, rest string) {
	at, text, found := s.numbered(rest)
	if !found {
		return
	}
	if text != "" {
		s.correct(ctx, at, text)
		return
	}
	s.out.Say(s.Texts.Plain.Edit.With(at+1, entry.Format(s.desk.sale.Items[at], s.desk.shelf)))
	s.asked = func(ctx context.Context, text string) {
		if text == "" {
			s.sayLine(at)
			return
		}
		s.correct(ctx, at, text)
	}
}

// correct puts what was typed in the place of a line.
func (s *session) correct(ctx context.Context, at int, text string) {
	item, err := s.corrected(s.desk.sale.Items[at], text)
	if err != nil {
		s.out.Say(s.hint(err))
		return
	}
	s.replace(ctx, at, item)
}

// corrected is an item with another quantity, another price, another label, or
// another item, as the text says.
func (s *session) corrected(before payments.Item, text string) (payments.Item, error) {
	if quantity, alone := entry.Quantity(text); alone {
		return entry.Times(before, quantity)
	}
	if price, err := payments.ParseAriary(text); err == nil {
		item, err := payments.NewItem(before.Label, price, before.Quantity)
		return entry.Corrected(before, item), err
	}
	item, err := s.wanted(text)
	if errors.Is(err, entry.ErrNoPrice) {
		item, err = payments.NewItem(text, before.UnitPrice, before.Quantity)
	}
	return entry.Corrected(before, item), err
}

// replace puts an item in the place of a line, or into the line that it then is
// the same as.
func (s *session) replace(ctx context.Context, at int, item payments.Item) {
	others := slices.Delete(slices.Clone(s.desk.sale.Items), at, at+1)
	items, at, err := entry.Joined(others, at, item)
	if err != nil {
		s.out.Say(s.hint(err))
		return
	}
	s.change(ctx, items)
	s.sayLine(at)
	s.total(ctx, "")
}

// remove takes a line out, the last one when no number is given.
func (s *session) remove(ctx context.Context, rest string) {
	at, _, found := s.numbered(rest)
	if !found {
		return
	}
	label := s.desk.sale.Items[at].Label
	s.change(ctx, slices.Delete(slices.Clone(s.desk.sale.Items), at, at+1))
	s.out.Say(s.Texts.Plain.Removed.With(label))
	s.total(ctx, "")
}

// discount gives a line another unit price.
func (s *session) discount(ctx context.Context, rest string) {
	at, text, found := s.numbered(rest)
	if !found {
		return
	}
	if text != "" {
		s.reduce(ctx, at, text)
		return
	}
	item := s.desk.sale.Items[at]
	s.out.Say(s.Texts.Plain.Discount.With(item.Label, i18n.Money(entry.FullPrice(item))))
	s.asked = func(ctx context.Context, text string) {
		if text == "" {
			s.sayLine(at)
			return
		}
		s.reduce(ctx, at, text)
	}
}

func (s *session) reduce(ctx context.Context, at int, text string) {
	item, err := entry.Reduced(s.desk.sale.Items[at], text)
	if err != nil {
		s.out.Say(s.hint(err))
		return
	}
	s.replace(ctx, at, item)
}

// undo takes the last change of the sale back.
func (s *session) undo(ctx context.Context, _ string) {
	last := len(s.desk.history) - 1
	if last < 0 {
		s.out.Say(s.Texts.Plain.NoUndo)
		return
	}
	s.desk.sale, s.desk.history = s.desk.history[last], s.desk.history[:last]
	s.store(ctx)
	s.lines(ctx, "")
}

// note keeps a note to the customer; a dash takes it away.
func (s *session) note(ctx context.Context, rest string) {
	if rest != "" {
		s.keepNote(ctx, rest)
		return
	}
	if note := s.desk.sale.Description; note != "" {
		s.out.Say(s.Texts.Selling.Note.With(note))
	}
	s.out.Say(s.Texts.Plain.Note)
	s.asked = func(ctx context.Context, text string) {
		if text == "" {
			s.out.Say(s.Texts.Plain.Kept)
			return
		}
		s.keepNote(ctx, text)
	}
}

func (s *session) keepNote(ctx context.Context, text string) {
	if text == "-" {
		text = ""
	}
	s.remember()
	s.desk.sale.Description = payments.Clean(text, payments.MaxDescriptionWidth)
	s.store(ctx)
	s.lines(ctx, "")
}
