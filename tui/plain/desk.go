package plain

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// maxUndo is how many steps can be undone.
const maxUndo = 100

// desk is the sale that is being entered, and those that are held.
type desk struct {
	sale    payments.Sale
	history []payments.Sale // Undo, newest last.
	held    []payments.Sale // The longest held first.
	last    string          // The name that the sale was held by; blank for none.
	shelf   entry.Shelf
	stale   bool // The catalogue may have changed.
	unsaved bool // The sale could not be written.
}

// sells tells whether a line is an article's code or whole name, which goes
// before any command.
func (d *desk) sells(text string) bool {
	_, coded := d.shelf.Coded(text)
	_, named := d.shelf.Labelled(text)
	return coded || named
}

// restock reads the catalogue. One that cannot be read stays as it was.
func (s *session) restock(ctx context.Context) {
	articles, err := s.Service.Articles(ctx)
	s.desk.stale = err != nil
	if err == nil && !s.desk.shelf.Holds(articles) {
		s.desk.shelf = entry.NewShelf(articles)
	}
}

// restore brings back the sale that was being entered, and those that were
// held. Another one that was being entered is held as well.
func (s *session) restore(ctx context.Context) {
	sales, err := s.Service.Sales(ctx, s.Till)
	if err != nil {
		s.out.Say(s.Texts.Hints.StoreFailed)
		return
	}
	s.bring(ctx, sales)
}

// bring takes in sales, newest first: one that was being entered goes on, if
// there is room for it.
func (s *session) bring(ctx context.Context, sales []payments.Sale) {
	found := !s.desk.untouched()
	brought := false
	for _, sale := range sales {
		switch {
		case sale.Name == "" && !found:
			found, brought, s.desk.sale = true, true, sale
		default:
			s.desk.held = slices.Insert(s.desk.held, 0, sale)
		}
	}
	for i, sale := range s.desk.held {
		if sale.Name == "" {
			s.desk.held[i].Name = s.desk.freeName()
			s.save(ctx, s.desk.held[i])
		}
	}
	if brought {
		s.out.Say(s.Texts.Sale.Restored)
		s.lines(ctx, "")
	}
}

// gather makes the till's own sales and the shop's database agree. A sale that
// had been charged is over, unless it has other lines by now.
func (s *session) gather(ctx context.Context) {
	done, _ := s.Service.Gather(ctx, s.Till) // Should it fail, the reading says so.
	for _, sale := range done.Closed {
		s.desk.forget(sale.ID)
		switch own := s.desk.sale; {
		case own.ID != sale.ID:
		case own.Description == sale.Description && slices.Equal(own.Items, sale.Items):
			s.asked = nil
			s.begin()
		default:
			s.store(ctx)
		}
	}
	s.bring(ctx, done.Found)
}

// enter takes an entry as a new line.
func (s *session) enter(ctx context.Context, text string) {
	item, err := s.wanted(text)
	var items []payments.Item
	var at int
	if err == nil {
		items, at, err = entry.Joined(slices.Clone(s.desk.sale.Items), len(s.desk.sale.Items), item)
	}
	if err != nil {
		s.out.Say(s.hint(err))
		return
	}
	s.change(ctx, items)
	s.sayLine(at)
	s.total(ctx, "")
}

// wanted is the item that an entry stands for.
func (s *session) wanted(text string) (payments.Item, error) {
	item, err := entry.Parse(text, s.desk.shelf, s.Texts.Sale.FreeAmount)
	if err != nil {
		return payments.Item{}, err
	}
	return s.desk.shelf.Priced(item)
}

// change makes items the lines of the sale, and writes it.
func (s *session) change(ctx context.Context, items []payments.Item) {
	s.remember()
	s.desk.sale.Items = items
	s.store(ctx)
}

// remember notes the sale as it is, so that what comes can be undone.
func (s *session) remember() {
	s.desk.history = append(s.desk.history, s.desk.sale)
	if len(s.desk.history) > maxUndo {
		s.desk.history = s.desk.history[1:]
	}
}

// store writes the sale that is being entered.
func (s *session) store(ctx context.Context) { s.desk.unsaved = !s.save(ctx, s.desk.sale) }

// save writes a sale, or says that it could not.
func (s *session) save(ctx context.Context, sale payments.Sale) bool {
	// What was typed reaches the disk even when the program is ended meanwhile.
	if err := s.Service.SaveSale(context.WithoutCancel(ctx), sale); err != nil {
		s.out.Say(s.Texts.Hints.StoreFailed)
		return false
	}
	return true
}

// begin begins a new sale.
func (s *session) begin() {
	s.desk.sale, s.desk.history, s.desk.last = s.Service.NewSale(s.Till), nil, ""
	s.desk.unsaved = false
}

// lines says the sale: its lines, its note and its total.
func (s *session) lines(ctx context.Context, _ string) {
	if note := s.desk.sale.Description; note != "" {
		s.out.Say(s.Texts.Selling.Note.With(note))
	}
	for i := range s.desk.sale.Items {
		s.sayLine(i)
	}
	s.total(ctx, "")
}

// sayLine says one line of the sale.
func (s *session) sayLine(i int) {
	item, words := s.desk.sale.Items[i], s.Texts.Plain
	text := words.Line.With(i+1, item.Label, item.Quantity, i18n.Money(item.UnitPrice), i18n.Money(item.Total()))
	if item.Quantity == 1 {
		text = words.One.With(i+1, item.Label, i18n.Money(item.UnitPrice))
	}
	if item.ListPrice > 0 {
		text += " " + s.Texts.Selling.Was.With(i18n.Money(item.ListPrice))
	}
	s.out.Say(text)
}

// total says the total of the sale, or that there is none.
func (s *session) total(context.Context, string) {
	if len(s.desk.sale.Items) == 0 {
		s.out.Say(s.Texts.Plain.Empty)
		return
	}
	s.out.Say(s.Texts.Plain.Total.With(worth(s.desk.sale)))
}

// worth is what a sale comes to. Its lines were added up when they were entered.
func worth(sale payments.Sale) string {
	total, err := payments.Total(sale.Items)
	if err != nil {
		return "…"
	}
	return i18n.Money(total)
}

// numbered finds the line of a number, and what stands behind it; without a
// number it is the last one.
func (s *session) numbered(rest string) (at int, behind string, found bool) {
	number, behind, _ := strings.Cut(rest, " ")
	at = len(s.desk.sale.Items)
	if number != "" {
		var err error
		if at, err = strconv.Atoi(number); err != nil {
			at = 0
		}
	}
	if at < 1 || at > len(s.desk.sale.Items) {
		s.out.Say(s.Texts.Plain.NoLine.With(number))
		return 0, "", false
	}
	return at - 1, strings.TrimSpace(behind), true
}

// hint says what to do about an entry that was not understood.
func (s *session) hint(err error) string {
	hints := s.Texts.Hints
	var several *entry.SeveralError
	var unknown *entry.UnknownCodeError
	var pieces *entry.PiecesError
	switch {
	case errors.As(err, &several):
		return s.Texts.Plain.Several.With(strings.Join(several.Labels, ", "))
	case errors.As(err, &unknown):
		return hints.UnknownCode.With(unknown.Code)
	case errors.As(err, &pieces):
		return hints.Pieces.With(pieces.Pieces, pieces.Form)
	}
	for _, known := range []struct {
		err  error
		says string
	}{
		{entry.ErrNoPrice, hints.NoPrice},
		{entry.ErrQuantity, hints.BadQuantity},
		{entry.ErrApart, hints.Apart},
		{entry.ErrTooLong, hints.TooLong},
		{entry.ErrTwoQuantities, hints.TwoQuantities},
		{entry.ErrDiscount, hints.BadDiscount},
		{payments.ErrTooLarge, hints.TooLarge},
		{payments.ErrNotAmount, hints.BadPrice},
	} {
		if errors.Is(err, known.err) {
			return known.says
		}
	}
	return hints.NotUnderstood
}
