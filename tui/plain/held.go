package plain

import (
	"context"
	"slices"
	"strconv"

	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// heldAs finds the sale that is held by a name; -1 when there is none.
func (d *desk) heldAs(name string) int {
	return slices.IndexFunc(d.held, func(sale payments.Sale) bool { return entry.Same(sale.Name, name) })
}

// freeName is the name that the sale had, or the first number that is free.
func (d *desk) freeName() string {
	if d.last != "" && d.heldAs(d.last) < 0 {
		return d.last
	}
	for n := 1; ; n++ {
		if name := strconv.Itoa(n); d.heldAs(name) < 0 {
			return name
		}
	}
}

// untouched tells whether there is nothing to lose of the sale.
func (d *desk) untouched() bool { return len(d.sale.Items) == 0 && d.sale.Description == "" }

// hold puts the sale aside under a name, and begins a new one.
func (s *session) hold(ctx context.Context, rest string) {
	name := payments.Clean(rest, payments.MaxTillWidth)
	switch {
	case s.desk.untouched():
		s.out.Say(s.Texts.Plain.Empty)
		return
	case name == "":
		name = s.desk.freeName()
	case s.desk.heldAs(name) >= 0:
		s.out.Say(s.Texts.Held.Taken)
		return
	}
	if s.putAside(ctx, s.desk.sale, name) {
		s.begin()
		s.out.Say(s.Texts.Held.Done.With(name))
	}
}

// putAside adds a sale to those that are held, once it is on disk.
func (s *session) putAside(ctx context.Context, sale payments.Sale, name string) bool {
	sale.Name, sale.UpdatedAt = name, s.Service.Now().UTC()
	if !s.save(ctx, sale) {
		return false
	}
	s.desk.held = append(s.desk.held, sale)
	return true
}

// resume goes on with a sale that is held. Without a name it says which there
// are, or takes the only one.
func (s *session) resume(ctx context.Context, rest string) {
	switch {
	case len(s.desk.held) == 0:
		s.out.Say(s.Texts.Held.None)
		return
	case rest == "" && len(s.desk.held) > 1:
		for _, sale := range s.desk.held {
			s.out.Say(s.Texts.Plain.Held.With(sale.Name, len(sale.Items), worth(sale)))
		}
		return
	case !s.desk.untouched():
		s.out.Say(s.Texts.Plain.Full)
		return
	}
	at := 0
	if rest != "" {
		at = s.desk.heldAs(rest)
	}
	if at < 0 {
		s.out.Say(s.Texts.Plain.NotHeld.With(rest))
		return
	}
	sale := s.desk.held[at]
	name := sale.Name
	sale.Name = ""
	if !s.save(ctx, sale) {
		return
	}
	s.desk.held = slices.Delete(s.desk.held, at, at+1)
	s.desk.sale, s.desk.history, s.desk.last = sale, nil, name
	s.out.Say(s.Texts.Held.Resumed.With(name))
	s.lines(ctx, "")
}

// drop asks, and throws a sale that is held away.
func (s *session) drop(_ context.Context, rest string) {
	at := s.desk.heldAs(rest)
	if at < 0 {
		s.out.Say(s.Texts.Plain.NotHeld.With(rest))
		return
	}
	sale := s.desk.held[at]
	s.ask(s.Texts.Held.Drop.With(sale.Name, worth(sale)), func(ctx context.Context) {
		if s.save(ctx, payments.Sale{ID: sale.ID, Till: sale.Till}) {
			s.desk.forget(sale.ID)
			s.out.Say(s.Texts.Plain.Removed.With(sale.Name))
		}
	})
}

// forget takes a sale from those that are held.
func (d *desk) forget(id string) {
	d.held = slices.DeleteFunc(d.held, func(sale payments.Sale) bool { return sale.ID == id })
}

// giveBack brings back the lines of an order that was not taken and whose sale
// is not the one that is being entered: into that, or else as a held sale.
func (s *session) giveBack(ctx context.Context, terms payments.Terms) {
	known := slices.ContainsFunc(s.desk.held, func(sale payments.Sale) bool { return sale.ID == terms.Sale })
	if known || s.desk.sale.ID == terms.Sale {
		return
	}
	sale := payments.Sale{ID: terms.Sale, Till: terms.Till, Items: terms.Items}
	if s.desk.untouched() {
		s.desk.sale, s.desk.history = sale, nil
		s.store(ctx)
		s.out.Say(s.Texts.Held.Returned)
		return
	}
	if name := s.desk.freeName(); s.putAside(ctx, sale, name) {
		s.out.Say(s.Texts.Held.Kept.With(name))
	}
}
