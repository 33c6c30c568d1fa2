// Package live is the console's picture of the moment: the time, what can be
// trusted, and the orders that somebody may be waiting for. It is one message,
// sent once a second and after every change, so that all screens agree. It also has
// what the console gives every screen, and the messages between them.
package live

import (
	"cmp"
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/theme"
)

// MaxOpen is how many open orders the console looks at.
const MaxOpen = 200

// MaxDoubtful is how many orders to look at the console counts.
const MaxDoubtful = 100

// Runner makes a command of work that takes a while. It knows the context in
// which the console runs.
type Runner func(work func(ctx context.Context) tea.Msg) tea.Cmd

// Console is what every screen is given by the console.
type Console struct {
	Service *payments.Service
	Run     Runner
	Till    string
	Shared  bool // Several tills share the database.
	Zone    *time.Location
	Theme   theme.Theme
	Texts   i18n.Texts
}

// Entered is sent to a screen when the cashier opens it.
type Entered struct{}

// Exited is sent to a screen when the cashier opens another one.
type Exited struct{}

// Closed is sent by a screen that the cashier leaves.
type Closed struct{}

// ArticlesChanged is sent to every screen when an article was added, changed or deleted.
type ArticlesChanged struct{}

// LinesWanted is sent by a screen whose cashier wants the lines of an order back,
// to correct them or for another sale.
type LinesWanted struct{ Terms payments.Terms }

// State is the picture of the moment, as a message to every screen.
type State struct {
	// Now is the time of the picture, with its monotonic reading.
	Now time.Time
	// Reach says whether a payment would be seen.
	Reach payments.Reach
	// Open are the till's open orders, newest first; see payments.Order.Open.
	Open []payments.Order
	// Doubtful are the shop's orders that a person must look at, newest first,
	// as of the last reading; see payments.Order.Attention.
	Doubtful []payments.Order
	// Unmatched are events that no order has, those that a person must look at
	// first, as of the last reading; see payments.Record.Orphan.
	Unmatched []payments.Record
	// Changed says that Open, Doubtful and Unmatched were read anew.
	Changed bool

	known map[string]time.Time // Since when the links of the open orders are.
}

// Read returns the picture with what the store has now; where any of it cannot
// be read, as it was.
func (s State) Read(ctx context.Context, service *payments.Service, till string) (_ State, err error) {
	read, now := s, service.Now()
	if read.Doubtful, err = service.Orders(ctx, payments.Query{Check: now, Limit: MaxDoubtful}); err != nil {
		return s, err
	}
	if read.Unmatched, err = service.Unmatched(ctx, MaxDoubtful); err != nil {
		return s, err
	}
	// Last: what came meanwhile is news before it is counted among what there is to check.
	if read.Open, err = service.Orders(ctx, payments.Query{Till: till, Open: true, Limit: MaxOpen}); err != nil {
		return s, err
	}
	return s.Take(read, now), nil
}

// Take returns the picture with what another one has of the store. The countdown
// of a link that is known goes on.
func (s State) Take(read State, now time.Time) State {
	known := s.known
	s.Open, s.Doubtful, s.Unmatched = read.Open, read.Doubtful, read.Unmatched
	s.known = make(map[string]time.Time, len(s.Open))
	for _, order := range s.Open {
		s.known[order.Link.URL] = cmp.Or(known[order.Link.URL], now)
	}
	return s
}

// Left is how much time the link of an order has left, and whether the wall clock
// and the monotonic one part. Of an order that is not open the wall clock tells alone.
func (s State) Left(order payments.Order) (left time.Duration, moved bool) {
	since, open := s.known[order.Link.URL]
	if !open {
		return max(0, order.Link.ExpiresAt.Sub(s.Now)), false
	}
	return order.Link.Left(since, s.Now, max(0, s.Now.Sub(since))) // The clock may have been set back.
}

// Orphans returns the payments that no order has and nobody has looked at,
// newest first.
func (s State) Orphans() []payments.Record {
	known := func(record payments.Record) bool { return !record.Orphan(s.Now) }
	return slices.DeleteFunc(slices.Clone(s.Unmatched), known)
}

// Verdict is the order's verdict at the moment of the picture.
func (s State) Verdict(order payments.Order) payments.Verdict {
	return order.Verdict(s.Reach.Conditions(), s.Now)
}

// Hidden reports whether nothing can be said of the order at the moment.
func (s State) Hidden(order payments.Order) bool { return order.Hidden(s.Reach.Conditions(), s.Now) }

// Find returns the open order of a reference.
func (s State) Find(reference string) (payments.Order, bool) {
	i := slices.IndexFunc(s.Open, func(o payments.Order) bool { return o.Reference == reference })
	if i < 0 {
		return payments.Order{}, false
	}
	return s.Open[i], true
}

// Put returns the picture with an open order as it is now; the orders of the
// picture before stay as they were.
func (s State) Put(order payments.Order) State {
	s.Open = slices.Clone(s.Open)
	for i := range s.Open {
		if s.Open[i].Reference == order.Reference {
			s.Open[i] = order
		}
	}
	return s
}

// News returns the orders that changed since the cashier saw them, in the
// order in which they were made.
func (s State) News() []payments.Order {
	news := s.those(func(order payments.Order) bool { return !order.Facts.Acknowledged })
	slices.Reverse(news)
	return news
}

// pending reports whether the service has an order and has said nothing of it yet. The
// old code of a sale that another order paid is not waited for.
func pending(order payments.Order) bool {
	return order.Status == payments.StatusPending && !order.Facts.Superseded
}

// waits tells whether the service is still to say what came of an order, whatever
// can be trusted now.
func (s State) waits(order payments.Order) bool {
	verdict := order.Verdict(payments.Conditions{}, s.Now)
	return pending(order) && (verdict == payments.VerdictWaiting || verdict == payments.VerdictTimeOver)
}

func (s State) those(hold func(payments.Order) bool) (those []payments.Order) {
	for _, order := range s.Open {
		if hold(order) {
			those = append(those, order)
		}
	}
	return those
}

// Awaited returns the open orders whose payment may still come, newest first: those
// that wait, and those whose customer was refused or canceled and whose link lives.
func (s State) Awaited() []payments.Order {
	return s.those(func(order payments.Order) bool { return s.waits(order) || order.Payable(s.Now) })
}

// Board returns the orders of the waiting board, oldest first: those whose
// payment may still come, those that are being sent, and those whose outcome
// nobody has seen.
func (s State) Board() []payments.Order {
	board := s.those(func(order payments.Order) bool {
		sending := order.Status == payments.StatusCreating && !order.Facts.NotSent
		return !order.Facts.Acknowledged || pending(order) || sending
	})
	slices.Reverse(board)
	return board
}

// ToCheck is how many orders and orphans a person must look at now. A till's own
// orders come to it by the clock, without a reading.
func (s State) ToCheck() int {
	references := make(map[string]bool, len(s.Doubtful))
	for _, orders := range [][]payments.Order{s.Doubtful, s.Open} {
		for _, order := range orders {
			if order.Doubtful(s.Now) {
				references[order.Reference] = true
			}
		}
	}
	return len(references) + len(s.Orphans())
}
