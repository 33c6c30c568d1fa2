package drawer

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"checkout/till/payments"
)

// Errors of a [Service].
var (
	ErrNotFound     = errors.New("no such cash sale")
	ErrVoided       = errors.New("the cash sale is already voided")
	ErrReasonNeeded = errors.New("say why: a reason is needed")
	ErrNotAmount    = errors.New("the amount must be above zero")
	ErrNoReceipt    = errors.New("there is no receipt: the sale is not paid")
)

// Kind is a kind of [Move].
type Kind string

// The kinds of moves.
const (
	Float  Kind = "float"  // Money put in at the start, for change.
	In     Kind = "in"     // Money put in later.
	Out    Kind = "out"    // Money taken out.
	Cash   Kind = "cash"   // A cash sale.
	Void   Kind = "void"   // A cash sale was voided and its money given back.
	Refund Kind = "refund" // Money of an order or of a cash sale was given back in cash.

	Reversal Kind = "reversal" // Less was given back than an earlier Refund says.
	Count    Kind = "count"    // The money in the drawer was counted.
	Restore  Kind = "restore"  // A backup was restored: cash taken after the backup is not recorded.
)

// Kinds returns all kinds, in the order in which a closing lists them.
func Kinds() []Kind { return []Kind{Float, In, Cash, Void, Refund, Reversal, Out, Restore, Count} }

// Sign returns 1 if moves of the kind add money to the drawer, -1 if they take it out, else 0.
func (k Kind) Sign() payments.Ariary {
	switch k {
	case Float, In, Cash, Reversal:
		return 1
	case Out, Void, Refund:
		return -1
	}
	return 0
}

// Move is money that was put into the drawer or taken out of it, or a count.
type Move struct {
	Till   string
	Kind   Kind
	Amount payments.Ariary // Money that was moved or counted, never below zero.
	Ref    string          // Number of the cash sale, or reference of the order; else empty.
	By     string          // Name of the cashier, or of the till in a shop without cashiers.
	Note   string
	At     time.Time
}

// Tx is a transaction that also stores cash sales, moves, closings and receipts. The transactions
// of a [Store] implement it.
//
//nolint:interfacebloat // As with payments.Tx, a change may need any of the methods.
type Tx interface {
	payments.Tx
	InsertCash(sale CashSale) error
	// Cash returns the cash sale with a number, or [ErrNotFound].
	Cash(number string) (CashSale, error)
	// SaveVoid stores who voided a cash sale, when and why.
	SaveVoid(sale CashSale) error
	// CashSales returns the cash sales that were made, refunded or voided in a period, oldest
	// first.
	CashSales(period payments.Period) ([]CashSale, error)
	// Refunds returns the moves [Refund] and [Reversal] of an order or a cash sale, oldest first.
	Refunds(ref string) ([]Move, error)
	// CashRefunds returns the moves [Refund] and [Reversal] of cash sales in a period.
	CashRefunds(period payments.Period) ([]Move, error)
	InsertMove(move Move) error
	// OpenMoves returns the till's moves since its last closing, oldest first.
	OpenMoves(till string) ([]Move, error)
	// OpenMoney returns two sums of the till's orders: money that no closing has counted yet,
	// and money that a closing counted but the shop has lost since, for example by a refund. The
	// time begun is when the first of this money came or was lost; zero without such money.
	OpenMoney(till string) (received, returned payments.Sum, begun time.Time, err error)
	// InsertClosing inserts a closing. It marks the till's open moves and the money of its
	// orders as closed, so that no later closing contains them.
	InsertClosing(closing Closing) error
	// Closings returns the closings that were made in a period, oldest first. An empty till
	// selects all tills.
	Closings(period payments.Period, till string) ([]Closing, error)
	// LastClosing returns the till's last closing, or the zero Closing before the first closing.
	LastClosing(till string) (Closing, error)
	// Receipts returns the receipts of a sale, oldest first. ref is [Receipt.Ref].
	Receipts(ref string) ([]Receipt, error)
	InsertReceipt(receipt Receipt) error
	// Request returns the request with an ID, or the zero Request if there is none.
	Request(id string) (Request, error)
	InsertRequest(request Request) error
}

// Store is a [payments.Store] that also stores cash sales, moves, closings and receipts. Each
// transaction of its Update is a [Tx].
type Store interface {
	payments.Store
	// Takings returns the orders of a report, from one snapshot:
	//   - the orders paid in the period, sorted by the time of their proof;
	//   - the orders without proof that were created in the period;
	//   - the other orders with a finding in the period.
	//
	// It fills only the reference and the fields that these functions use:
	// [payments.Order.Verdict], [payments.Order.CountedAt], [payments.Order.Received] and
	// [payments.Order.Before]. With period.Sold, paid orders also have their items.
	Takings(ctx context.Context, period payments.Period) ([]payments.Order, error)
	// View calls the function read on one snapshot. read must not write. It may run more than once.
	View(ctx context.Context, read func(Tx) error) error
}

// Service is a [payments.Service] that also records cash. It is safe for concurrent use.
type Service struct {
	*payments.Service
	store Store
	id    string // ID of the next change; see [Service.Once]. Empty for a new one.
}

// New returns a service. store must be the store of service.
func New(store Store, service *payments.Service) *Service {
	return &Service{Service: service, store: store}
}

func in(tx payments.Tx) Tx { return tx.(Tx) } //nolint:forcetypeassert // Each transaction of a Store is a Tx.

// Move records money that was put in (Float, In) or taken out (Out), or a Count. The move gets the
// cashier's name, or in a shop without cashiers the till's. Move returns [ErrNotAmount] for an
// amount that is not above zero (a count may be zero), [payments.ErrTooLarge], [ErrReasonNeeded]
// for money in or out without a note, an [*UnknownError], and the errors of a [payments.Identity].
func (s *Service) Move(ctx context.Context, till string, kind Kind, amount payments.Ariary, note string, who payments.Identity) (Move, error) {
	move := Move{
		Till: payments.Clean(till, payments.MaxTillWidth), Kind: kind, Amount: amount,
		Note: payments.Clean(note, payments.MaxShownWidth),
	}
	switch {
	case amount < 0, amount == 0 && kind != Count:
		return Move{}, ErrNotAmount
	case amount > payments.MaxAriary:
		return Move{}, payments.ErrTooLarge
	case move.Note == "" && (kind == In || kind == Out):
		return Move{}, ErrReasonNeeded
	}
	asked := []any{kind, move.Till, amount, move.Note, who.Name}
	err := s.once(ctx, &who, asked, func(tx Tx, by payments.Cashier, request *Request, stored bool) error {
		move.By, move.At = cmp.Or(by.Name, move.Till), request.At
		if stored {
			return nil
		}
		return s.insertMove(tx, move)
	})
	return move, err
}

// Resolve records a finding as [payments.Service.Resolve] does. Cash that is given back is a
// [Refund] from the drawer of the given till, even if another till made the order. If a later
// finding lowers the sum given back, the difference is a [Reversal] in the drawer that gave it.
// Resolve also returns an [*UnknownError].
func (s *Service) Resolve(
	ctx context.Context, till, ref string, finding payments.Finding, who payments.Identity,
) (order payments.Order, err error) {
	till = payments.Clean(till, payments.MaxTillWidth)
	asked := []any{"finding", till, ref, finding.Kind, finding.Amount, finding.Cash, finding.By, finding.Note, who.Name}
	err = s.once(ctx, &who, asked, func(tx Tx, by payments.Cashier, _ *Request, stored bool) error {
		if stored {
			return nil
		}
		before, after, err := s.ResolveIn(tx, ref, finding, by)
		given := after.RefundedInCash() - before.RefundedInCash()
		if err != nil || given == 0 {
			return err
		}
		return s.giveBack(tx, given, Move{
			Till: till, Ref: after.Reference, By: after.Finding.By, Note: after.Finding.Note, At: after.Finding.At,
		})
	})
	if err == nil {
		order, _, err = s.Order(ctx, ref)
	}
	return order, err
}

// giveBack inserts move as a [Refund]. If given is below zero, it corrects the earlier refunds of the
// sale: it inserts a [Reversal] for each till whose drawer gave that money, first for the till that
// gave back last.
func (s *Service) giveBack(tx Tx, given payments.Ariary, move Move) error {
	if given > 0 {
		move.Kind = Refund
		move.Amount = given
		return s.insertMove(tx, move)
	}
	refunds, err := tx.Refunds(move.Ref)
	if err != nil {
		return err
	}
	gave := make(map[string]payments.Ariary) // Amount by till.
	for _, refund := range refunds {
		gave[refund.Till] -= refund.Kind.Sign() * refund.Amount
	}
	move.Kind = Reversal
	for _, refund := range slices.Backward(refunds) {
		move.Till = refund.Till
		move.Amount = min(gave[refund.Till], -given)
		if move.Amount <= 0 {
			continue
		}
		gave[refund.Till] -= move.Amount
		given += move.Amount
		if err := s.insertMove(tx, move); err != nil {
			return err
		}
	}
	return nil
}

// insertMove inserts a move. It returns a [*payments.TillError] if the till's name is refused.
func (s *Service) insertMove(tx Tx, move Move) error {
	if err := s.CheckTill(tx, move.Till); err != nil {
		return err
	}
	return tx.InsertMove(move)
}

// NoteRestore records that a backup was restored. The till's next closing shows it.
func (s *Service) NoteRestore(ctx context.Context, till string) error {
	return s.store.Update(ctx, func(tx payments.Tx) error {
		return s.insertMove(in(tx), Move{Till: till, Kind: Restore, By: till, At: s.Now().UTC()})
	})
}
