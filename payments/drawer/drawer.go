package drawer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// Errors of a [Service].
var (
	ErrNotFound     = errors.New("no such cash sale")
	ErrVoided       = errors.New("the cash sale is already voided")
	ErrGivenBack    = errors.New("all money of the cash sale was given back already")
	ErrNoRefund     = errors.New("no refund of this sale with this number can be taken back")
	ErrOnAccount    = errors.New("a sale on account is given back off the debt")
	ErrReasonNeeded = errors.New("say why: a reason is needed")
	ErrNotAmount    = errors.New("the amount must be above zero")
	// ErrEarlierDay is returned by [Service.Close] to a cashier who is not an owner, if the till's
	// account has a transfer that was recorded on an earlier day.
	ErrEarlierDay = fmt.Errorf("the account began on an earlier day: %w", staff.ErrNotOwner)
	ErrNoTender   = errors.New("no sale is paid in this way at the counter")
	ErrNoCustomer = errors.New("no customer has this name")
	ErrNameNeeded = errors.New("say whose account: a name is needed")
	ErrLongName   = errors.New("the name of the customer is too long")
	ErrNoDebt     = errors.New("this customer owes nothing")
	ErrSameName   = errors.New("both names are of the same customer")
	ErrOwes       = errors.New("the balance of this customer is not zero")
	ErrNoReceipt  = errors.New("there is no receipt: the sale is not paid")
)

// Kind is what was done with a drawer, usually why cash was put in or taken out.
type Kind string

// The kinds of moves. [Kind.Sign] says which of them add money to the drawer or take money out.
const (
	Float  Kind = "float"  // Money put in for change, usually at the start.
	In     Kind = "in"     // Other money put in.
	Out    Kind = "out"    // Money taken out, other than for a refund, a void or a closing.
	Cash   Kind = "cash"   // A payment for a sale, in cash.
	Paid   Kind = "paid"   // A debt was paid in cash, or such a payment was given back.
	Void   Kind = "void"   // A sale that was paid in cash was voided, and the cash given back.
	Refund Kind = "refund" // Money of an order or of a cash sale was given back in cash.

	Reversal Kind = "reversal" // A Refund is corrected: the money was not given back after all.
	Count    Kind = "count"
	Open     Kind = "open"    // The drawer was opened without a movement of money.
	Restore  Kind = "restore" // A backup was restored: moves between the backup and the restore are missing.
)

// Kinds returns all kinds, in the order in which a closing lists them.
func Kinds() []Kind {
	return []Kind{Float, In, Cash, Paid, Void, Refund, Reversal, Out, Open, Restore, Count}
}

// Sign returns 1 if moves of the kind add money to the drawer, -1 if they take money out, else 0.
func (k Kind) Sign() money.Ariary {
	switch k {
	case Float, In, Cash, Paid, Reversal:
		return 1
	case Out, Void, Refund:
		return -1
	}
	return 0
}

// kindOf returns the kind of a transfer into or out of a drawer. It returns "" for a transfer
// between other accounts, and for the transfers of a closing.
func kindOf(transfer ledger.Transfer) Kind {
	switch {
	case !transfer.From.IsDrawer() && !transfer.To.IsDrawer():
		return ""
	case transfer.OfDebt():
		return Paid
	case transfer.Kind == ledger.Sale:
		return Cash
	case transfer.Kind == ledger.Refund && transfer.Back():
		return Reversal
	case transfer.Kind == ledger.Missed, transfer.Kind == ledger.Closing:
		return ""
	}
	return Kind(transfer.Kind)
}

// Move is one entry of a drawer, such as money put in or taken out, or a count.
type Move struct {
	Till   string
	Kind   Kind
	Amount money.Ariary // Money that was moved or counted, never below zero.
	By     string       // Name of the cashier; else of the till.
	Note   string
	At     time.Time
}

func moveOf(transfer ledger.Transfer) Move {
	return Move{
		Till: transfer.Till, Kind: kindOf(transfer), Amount: transfer.Amount, By: transfer.By, Note: transfer.Note, At: transfer.At,
	}
}

// Tx is a [payments.Tx] that also stores cash sales and receipts, and reads the ledger. The
// transactions of a [Store] implement it.
//
//nolint:interfacebloat // As with payments.Tx, a change may need any of the methods.
type Tx interface {
	payments.Tx
	// InsertCash stores a cash sale. It returns [payments.ErrNoRoom] on a nearly full disk.
	InsertCash(sale CounterSale) error
	// Cash returns the cash sale with a number, or [ErrNotFound].
	Cash(number string) (CounterSale, error)
	// CashOf returns the cash sales that were made from a sale, oldest first.
	CashOf(sale string) ([]CounterSale, error)
	// FirstParts returns the first payment of each sale of a till that is paid only in part, newest
	// first. It leaves out a sale that was fully paid before a refund, and a sale with an order that is
	// [payments.Order.Open], or was paid or found paid. A payment whose money was all given back does
	// not count once the sale was charged again. A store may limit the number of results.
	FirstParts(till string) ([]CounterSale, error)
	// CashSales returns the cash sales with a transfer in a period, oldest first.
	CashSales(period money.Period) ([]CounterSale, error)
	// Takings returns the orders of a report: those with a transfer in the period, and those
	// created in it. The orders with a transfer in the period have Items if period.Sold is set;
	// other orders have none.
	Takings(period money.Period) ([]Counted, error)
	// Transfers returns the transfers that a query selects, in the order of their IDs.
	Transfers(query ledger.Query) ([]ledger.Transfer, error)
	// LastClosing returns the till's last transfer of the kind closing with an ID below the
	// parameter before. Before the first closing, it returns a zero transfer.
	LastClosing(till string, before int64) (ledger.Transfer, error)
	// Digest returns the digest of the transfer with an ID (see [ledger.Transfer.Digest]), or nil
	// if there is none.
	Digest(id int64) ([]byte, error)
	// Debtors returns all customers, including the forgotten ones. Owed, Since and Last cover only
	// the transfers with an ID of at most query.Until and a time before query.Period.To. A zero value
	// sets no limit.
	Debtors(query ledger.Query) ([]Debtor, error)
	// CustomerOf returns the customer with a name, or [ErrNoCustomer]. key is the name in lower
	// case, as fold returns it.
	CustomerOf(key string) (Customer, error)
	// InsertCustomer stores a customer. No other customer may have the code or the key.
	InsertCustomer(customer Customer, key string) error
	// DropCustomer removes the name of a customer; the code and the transfers stay.
	DropCustomer(code string) error
	// MoveDebt changes the Debt of orders from one customer's account to another's. It leaves out
	// orders that have a transfer already.
	MoveDebt(from, to ledger.Account) error
	// Tills returns the names of the tills that hold a code, sorted by code; see
	// [payments.Tx.ClaimTill].
	Tills() ([]string, error)
	// Receipts returns the receipts of a sale, oldest first. ref is [Receipt.Ref].
	Receipts(ref string) ([]Receipt, error)
	// ReceiptsOf returns the receipts of the sales with a transfer in a period, oldest first.
	ReceiptsOf(period money.Period) ([]Receipt, error)
	InsertReceipt(receipt Receipt) error
	// Request returns the request with an ID, or the zero Request if there is none.
	Request(id string) (Request, error)
	InsertRequest(request Request) error
}

// Counted is an order with the time at which it counts in a report: when its first money came, else
// when it was created.
type Counted struct {
	payments.Order
	At time.Time
}

// Store is a [payments.Store] that also stores cash sales and receipts, and reads the ledger. Each
// transaction of its Update is a [Tx].
type Store interface {
	payments.Store
	// View calls the function read on one snapshot. read must not write.
	View(ctx context.Context, read func(Tx) error) error
}

// Service is a [payments.Service] that also records cash. It is safe for concurrent use. Each
// method that records money or issues a number can return a [*payments.TillError], if another till
// has the same [payments.TillCode].
type Service struct {
	*payments.Service
	// BlindCount sets [Account.Blind] until the first count of an account: screens then hide the
	// expected cash.
	BlindCount bool
	// DayBegins is how long after midnight a day of the shop begins, for reports, exports and closings.
	DayBegins time.Duration
	// CreditLimit is the most that a customer may owe after a sale on account. An owner may exceed it.
	// 0 means no limit.
	CreditLimit money.Ariary

	store Store
	id    string // ID of the next change, from [Service.Once]; if it is empty, each change gets a random ID.
	// repeated says that an earlier call had already stored the change with this id.
	repeated bool
}

// New returns a service that adds the methods of this package to the given one. store must be the
// store that service uses.
func New(store Store, service *payments.Service) *Service {
	return &Service{Service: service, store: store}
}

// DayOf returns the shop's day that contains the time at. The day is in the time zone of at, and
// begins as DayBegins says.
func (s *Service) DayOf(at time.Time) money.Period { return money.Day(at, s.DayBegins) }

func in(tx payments.Tx) Tx { return tx.(Tx) } //nolint:forcetypeassert // Each transaction of a Store is a Tx.

// Move records a change of the drawer: money that was put in (Float, In), money that was taken out
// (Out), a count (Count), or an opening without an amount (Open). The move has the name of the
// cashier, or of the till in a shop without cashiers.
//
// Move returns [ErrNotAmount] for an amount below zero, for Float, In or Out without an amount, and
// for Open with an amount. It returns [ErrReasonNeeded] for In or Out without a note,
// [money.ErrTooLarge], an [*UnknownError] and the errors of a [staff.Identity].
func (s *Service) Move(ctx context.Context, till string, kind Kind, amount money.Ariary, note string, who staff.Identity) (Move, error) {
	move := Move{
		Till: clean.Text(till, payments.MaxTillWidth), Kind: kind, Amount: amount,
		Note: clean.Text(note, payments.MaxShownWidth),
	}
	switch {
	case amount < 0, amount == 0 && kind != Count && kind != Open, amount > 0 && kind == Open:
		return Move{}, ErrNotAmount
	case amount > money.MaxAriary:
		return Move{}, money.ErrTooLarge
	case move.Note == "" && (kind == In || kind == Out):
		return Move{}, ErrReasonNeeded
	}
	asked := []any{kind, move.Till, amount, move.Note, who.Name}
	err := s.once(ctx, &who, asked, func(tx Tx, by staff.Cashier, request *Request, stored bool) error {
		move.By = cmp.Or(by.Name, move.Till)
		move.At = request.At
		if stored {
			return nil
		}
		return s.post(tx, move.transfer())
	})
	return move, err
}

func (m Move) transfer() ledger.Transfer {
	drawer := drawerOf(m.Till)
	entry := ledger.Transfer{
		At: m.At, Booked: m.At, Kind: ledger.Kind(m.Kind), From: drawer, To: drawer, Amount: m.Amount, Till: m.Till, By: m.By, Note: m.Note,
	}
	switch m.Kind {
	case Float, In:
		entry.From = ledger.Owner
	case Out:
		entry.To = ledger.Owner
	}
	return entry
}

// Resolve records a finding as [payments.Service.ResolveIn] does, and returns the order. It can
// also return an [*UnknownError] and the errors of a [staff.Identity].
func (s *Service) Resolve(ctx context.Context, ref string, finding payments.Finding, who staff.Identity) (order payments.Order, err error) {
	asked := []any{"finding", ref, finding.Kind, finding.By, finding.Note, who.Name}
	err = s.unlessStored(ctx, who, asked, func(tx Tx, by staff.Cashier, _ *Request) error {
		return s.ResolveIn(tx, ref, finding, by)
	})
	if err == nil {
		order, _, err = s.Order(ctx, ref)
	}
	return order, err
}

func (s *Service) post(tx Tx, transfer ledger.Transfer) error {
	if err := s.HoldTillIn(tx, transfer.Till); err != nil {
		return err
	}
	return tx.Post(transfer)
}

func drawerOf(till string) ledger.Account { return ledger.Drawer(payments.TillCode(till)) }

// NoteRestore records that a backup was restored, in the account of each till of the shop: the next
// closing of each till shows the record. A new machine may not know yet which of them it is. till is
// the name in the settings. It counts as a till of the shop, too, unless another till has its
// [payments.TillCode].
func (s *Service) NoteRestore(ctx context.Context, till string) error {
	return s.store.Update(ctx, func(all payments.Tx) error {
		tx := in(all)
		tills, err := tx.Tills()
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(tills, func(known string) bool { return payments.TillCode(known) == payments.TillCode(till) }) {
			tills = append(tills, till)
		}
		for _, name := range tills {
			if err := s.post(tx, Move{Till: name, Kind: Restore, By: name, At: s.Now().UTC()}.transfer()); err != nil {
				return err
			}
		}
		return nil
	})
}
