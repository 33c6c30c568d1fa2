package drawer

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// Account sums up a till's transfers since its last closing.
type Account struct {
	Till      string
	Since     time.Time // When the last closing was made; zero before the first.
	Posted    int
	Moves     map[Kind]money.Sum        // Sums of the moves by kind, without counts. A payment of the rest of a sale adds its money, but is not another sale.
	Counts    []Tally                   // Oldest first.
	Trace     []ledger.Transfer         // The transfers that a person is responsible for, oldest first.
	Names     map[ledger.Account]string // The titles of the customers in the Trace, by account.
	Received  money.Sum                 // Number and sum of the sales paid through the payment service, minus those found unpaid.
	Returned  money.Sum                 // Money that was given back in the payment service's merchant area, for sales paid through the service.
	Flows     map[Tender]Flow           // Sales at the counter by tenders that put no money into a drawer.
	Debts     map[Tender]money.Sum      // Debts that were paid, minus refunds of such payments. They are not takings.
	Owed      money.Sum                 // Number and sum of the debts of all customers of the shop.
	LastFloat money.Ariary              // Float of the account before this one, as a suggestion; 0 once this account has a float.
	// Blind hides the expected cash, and the sums of sales and refunds, until the money is counted.
	// See [Service.BlindCount].
	Blind bool
	// Seal is the beginning of the digest of the till's last transfer, in hexadecimal: it changes if
	// that transfer or any one before it changes, see [ledger.Transfer.Digest]. It is empty before the
	// till's first transfer.
	Seal string
}

// Flow is the sales and the refunds by one tender that puts no money into a drawer.
type Flow struct {
	Taken    money.Sum // Sales, minus voided ones.
	Returned money.Sum // Refunds by the same tender.
}

func (f Flow) add(transfer ledger.Transfer) Flow {
	switch transfer.Kind {
	case ledger.Refund:
		f.Returned = plus(f.Returned, transfer)
	case ledger.Void:
		f.Taken = minus(f.Taken, transfer)
	default:
		f.Taken = plus(f.Taken, transfer)
	}
	return f
}

// Tally is a count of a drawer, with the cash that was expected then.
type Tally struct {
	Move
	Expected money.Ariary // Cash that should have been in the drawer at the time of the count.
}

// Difference returns the counted money minus the money that should have been there.
func (c Tally) Difference() money.Ariary { return c.Amount - c.Expected }

// Expected returns how much cash should be in the drawer. The transfers of the closing itself do
// not count.
func (a Account) Expected() money.Ariary {
	var sum money.Ariary
	for kind, moved := range a.Moves {
		sum += kind.Sign() * moved.Amount
	}
	return sum
}

// CashSales returns the number and the sum of the sales that were paid in cash, minus the voided
// ones.
func (a Account) CashSales() money.Sum {
	made, voided := a.Moves[Cash], a.Moves[Void]
	return money.Sum{Count: made.Count - voided.Count, Amount: made.Amount - voided.Amount}
}

// Taken returns the takings: the sales by all tenders, also those on account, minus refunds and
// voids. The count is the number of sales without voided ones.
func (a Account) Taken() money.Sum {
	cash := a.CashSales()
	refunded := a.Moves[Refund].Amount - a.Moves[Reversal].Amount
	taken := money.Sum{
		Count:  a.Received.Count + cash.Count,
		Amount: a.Received.Amount - a.Returned.Amount + cash.Amount - refunded,
	}
	for _, flow := range a.Flows {
		taken.Count += flow.Taken.Count
		taken.Amount += flow.Taken.Amount - flow.Returned.Amount
	}
	return taken
}

// Empty reports whether the till has no transfer since its last closing.
func (a Account) Empty() bool { return a.Posted == 0 }

// LastCount returns the newest count since the last closing; counted is false if there is none.
func (a Account) LastCount() (last Tally, counted bool) {
	if len(a.Counts) == 0 {
		return Tally{}, false
	}
	return a.Counts[len(a.Counts)-1], true
}

// SinceCount returns how much cash came into the drawer after the last count, minus what left the
// drawer. It is 0 without a count.
func (a Account) SinceCount() money.Ariary {
	last, counted := a.LastCount()
	if !counted {
		return 0
	}
	return a.Expected() - last.Expected
}

// Closing is a till's account when it was closed, like the Z report of a cash register. A closing
// never changes, except that [Service.Forget] removes names of customers.
type Closing struct {
	Account
	Number     string // Such as T1-GT-0123.
	By         string
	At         time.Time    // When the closing was made, in the local zone of the program that made it.
	VAT        int64        // The shop's VAT in percent at the closing; 0 without one.
	GrandTotal money.Ariary // All takings of the till, from its first sale up to this closing.
}

// SealBytes is how many bytes of a digest a seal contains. A forger can try 2^32 digests in minutes,
// but not 2^64.
const SealBytes = 8

// traced reports whether a person is responsible for a transfer, so that a closing lists it.
func traced(transfer ledger.Transfer) bool {
	switch transfer.Kind {
	case ledger.In, ledger.Out, ledger.Refund, ledger.Void, ledger.Opened, ledger.Restore, ledger.Waived, ledger.Renamed:
		return true
	case ledger.Sale, ledger.Paid: // For an order, By is set only if a person found it paid or unpaid.
		return transfer.AtService() && transfer.By != ""
	}
	return false
}

// accountOf returns the account of a till. transfers are the till's transfers since its last
// closing.
func accountOf(till string, since time.Time, transfers []ledger.Transfer) Account {
	account := Account{Till: till, Since: since, Moves: make(map[Kind]money.Sum), Flows: make(map[Tender]Flow), Debts: make(map[Tender]money.Sum)}
	for _, transfer := range transfers {
		account.Posted++
		if traced(transfer) {
			account.Trace = append(account.Trace, transfer)
		}
		if transfer.OfDebt() {
			account.addDebt(transfer)
			continue
		}
		switch kind := kindOf(transfer); {
		case kind == Count:
			account.Counts = append(account.Counts, Tally{moveOf(transfer), account.Expected()})
		case kind != "":
			account.Moves[kind] = add(account.Moves[kind], transfer, 1)
		case transfer.Payment.Kind == ledger.AtCounter:
			tender := TenderOf(transfer.Other(ledger.Sales))
			account.Flows[tender] = account.Flows[tender].add(transfer)
		case transfer.Kind == ledger.Sale:
			account.Received = plus(account.Received, transfer)
		case transfer.Kind == ledger.Refund:
			account.Returned = plus(account.Returned, transfer)
		}
	}
	return account
}

func (a *Account) addCustomers(all []Debtor) {
	a.Owed = owed(all)
	a.Names = make(map[ledger.Account]string)
	for _, debtor := range all {
		if slices.ContainsFunc(a.Trace, func(t ledger.Transfer) bool { return t.From == debtor.Account() || t.To == debtor.Account() }) {
			a.Names[debtor.Account()] = debtor.Title()
		}
	}
}

func (a *Account) addDebt(transfer ledger.Transfer) {
	tender := TenderOf(transfer.Other(transfer.PaidFor()))
	a.Debts[tender] = plusDebt(a.Debts[tender], transfer)
	if tender == TenderCash {
		a.Moves[Paid] = a.Debts[tender]
	}
}

// plusDebt returns a sum of paid debts with one more transfer. A refund changes the amount, but not
// the number of payments.
func plusDebt(sum money.Sum, transfer ledger.Transfer) money.Sum {
	switch {
	case transfer.Kind == ledger.Void, transfer.Kind == ledger.Paid && transfer.Back():
		sum.Count--
	case transfer.Kind == ledger.Paid:
		sum.Count++
	}
	sum.Amount -= transfer.Into(transfer.PaidFor())
	return sum
}

// plus returns a sum plus a transfer. It subtracts a transfer that reverses another one.
func plus(sum money.Sum, transfer ledger.Transfer) money.Sum {
	if transfer.Back() {
		return minus(sum, transfer)
	}
	return add(sum, transfer, 1)
}

func minus(sum money.Sum, transfer ledger.Transfer) money.Sum { return add(sum, transfer, -1) }

// add adds a transfer, or subtracts it if sign is -1. The payment of the rest of a sale adds its
// money, but does not count as another sale.
func add(sum money.Sum, transfer ledger.Transfer, sign int64) money.Sum {
	if !transfer.Rest || transfer.Kind == ledger.Refund {
		sum.Count += sign
	}
	sum.Amount += money.Ariary(sign) * transfer.Amount
	return sum
}

// openTransfers returns the transfers of a till since its last closing, and the transfer of that
// closing. last is the zero transfer before the first closing.
func openTransfers(tx Tx, till string) (open []ledger.Transfer, last ledger.Transfer, err error) {
	last, err = tx.LastClosing(till, math.MaxInt64)
	if err == nil {
		open, err = tx.Transfers(ledger.Query{Till: till, After: last.ID})
	}
	return open, last, err
}

// Account returns the till's account since its last closing. Until the account has a float,
// LastFloat is the float of the account before.
func (s *Service) Account(ctx context.Context, till string) (account Account, err error) {
	till = clean.Text(till, payments.MaxTillWidth)
	err = s.store.View(ctx, func(tx Tx) error {
		open, last, err := openTransfers(tx, till)
		if err != nil {
			return err
		}
		account = accountOf(till, last.At, open)
		if last.ID != 0 && account.Moves[Float].Count == 0 {
			former, err := readClosing(tx, last)
			if err != nil {
				return err
			}
			account.LastFloat = former.Moves[Float].Amount
		}
		if len(open) > 0 {
			last = open[len(open)-1]
		}
		customers, err := tx.Debtors(ledger.Query{})
		if err != nil {
			return err
		}
		account.addCustomers(customers)
		account.Blind = s.BlindCount && len(account.Counts) == 0
		account.Seal, err = sealOf(tx, last)
		return err
	})
	return account, err
}

// Close closes the till's account. If the money was counted, it first books the difference between
// the last count and the cash that was expected then. It then moves all money of the drawer to the
// owner, so that the next account begins with an empty drawer. by is the name for the closing in a
// shop without cashiers. vat is the shop's VAT in percent, or 0.
//
// In a shop with cashiers, only an owner may close an account with a transfer that was recorded on
// an earlier day; other cashiers get [ErrEarlierDay]. Close checks the day in the local zone and in
// that of the last closing: a change of the zone must not avoid the rule. Close also returns an
// [*UnknownError] and the errors of a [staff.Identity].
func (s *Service) Close(ctx context.Context, till, by string, vat int64, who staff.Identity) (Closing, error) {
	till = clean.Text(till, payments.MaxTillWidth)
	var made Closing
	asked := []any{"closing", till, by, vat, who.Name}
	err := s.once(ctx, &who, asked, func(tx Tx, cashier staff.Cashier, request *Request, stored bool) (err error) {
		if stored {
			made, err = closingOf(tx, till, *request)
			return err
		}
		now := s.Now()
		open, last, err := openTransfers(tx, till)
		if err != nil {
			return err
		}
		former, err := ReadClosingNote(last) // If ReadClosingNote fails, stop: the grand total would begin at zero again.
		if err != nil {
			return err
		}
		begin := s.DayOf(now).From
		if other := s.DayOf(now.In(former.Zone)).From; last.ID != 0 && other.After(begin) {
			begin = other
		}
		earlier := func(transfer ledger.Transfer) bool { return transfer.Booked.Before(begin) }
		if slices.ContainsFunc(open, earlier) && cashier.CheckOwner() != nil {
			return ErrEarlierDay
		}
		number, err := s.NextNumber(tx, payments.ClosingNumber, till)
		if err != nil {
			return err
		}
		made = Closing{Account: accountOf(till, last.At, open), Number: number, At: request.At.Truncate(time.Millisecond).In(now.Location()), VAT: vat}
		made.GrandTotal = former.Total + made.Taken().Amount
		made.By = cmp.Or(cashier.Name, clean.Text(by, staff.MaxNameWidth))
		request.Ref = number
		if err := s.postClosing(tx, made); err != nil {
			return err
		}
		made, err = closingOf(tx, till, *request)
		return err
	})
	return made, err
}

// closingNote is the format of the note in a closing's transfer: the grand total, the VAT in
// percent, and the offset of the local zone. The transfer's digest covers the note.
const (
	closingNote = "total %d, VAT %d %%, UTC%s"
	offset      = "-07:00"
)

// ClosingNote contains the values in the note of a closing's transfer.
type ClosingNote struct {
	Total money.Ariary // The grand total; see [Closing].GrandTotal.
	VAT   int64        // The shop's VAT in percent; 0 without one.
	Zone  *time.Location
}

// ReadClosingNote returns the values in the note of a closing's transfer. For a zero transfer it
// returns zeros and UTC, without an error. After an error, values that could not be read are 0 and
// UTC.
func ReadClosingNote(end ledger.Transfer) (note ClosingNote, err error) {
	note.Zone = time.UTC
	if end.ID == 0 {
		return note, nil
	}
	var zone string
	_, err = fmt.Sscanf(end.Note, closingNote, &note.Total, &note.VAT, &zone)
	at, zoneErr := time.Parse(offset, zone) // The zone is UTC after an error.
	_, seconds := at.Zone()
	note.Zone = time.FixedZone("", seconds)
	if err = cmp.Or(err, zoneErr); err != nil {
		err = fmt.Errorf("read the note of closing %s: %w", end.Payment.Ref, err)
	}
	return note, err
}

func closingOf(tx Tx, till string, request Request) (Closing, error) {
	ends, err := tx.Transfers(ledger.Query{
		Till: till, Kind: ledger.Closing, Payment: ledger.Payment{Kind: ledger.OfClosing, Ref: request.Ref},
	})
	if err != nil || len(ends) == 0 {
		return Closing{}, cmp.Or(err, ErrNotFound)
	}
	return readClosing(tx, ends[0])
}

func (s *Service) postClosing(tx Tx, c Closing) error {
	drawer := drawerOf(c.Till)
	last, _ := c.LastCount()
	difference := last.Difference()
	entry := ledger.Transfer{
		At: c.At, Booked: c.At, Till: c.Till, By: c.By, Payment: ledger.Payment{Kind: ledger.OfClosing, Ref: c.Number},
	}
	if difference != 0 {
		found := entry
		found.Kind = ledger.Missed
		found.From = ledger.Difference
		found.To = drawer
		found.Amount = difference
		if err := s.post(tx, found.Forward()); err != nil {
			return err
		}
	}
	entry.Kind = ledger.Closing
	entry.Note = fmt.Sprintf(closingNote, c.GrandTotal, c.VAT, c.At.Format(offset))
	entry.From = drawer
	entry.To = ledger.Owner
	entry.Amount = c.Expected() + difference
	return s.post(tx, entry.Forward())
}

// Closings returns the closings that any till made in a period, in the order of their transfers.
func (s *Service) Closings(ctx context.Context, period money.Period) (found []Closing, err error) {
	err = s.store.View(ctx, func(tx Tx) error {
		found = nil
		ends, err := tx.Transfers(ledger.Query{Period: period, Kind: ledger.Closing})
		if err != nil {
			return err
		}
		for _, end := range ends {
			closing, err := readClosing(tx, end)
			if err != nil {
				return err
			}
			found = append(found, closing)
		}
		return nil
	})
	return found, err
}

func readClosing(tx Tx, end ledger.Transfer) (Closing, error) {
	last, err := tx.LastClosing(end.Till, end.ID)
	if err != nil {
		return Closing{}, err
	}
	closed, err := tx.Transfers(ledger.Query{Till: end.Till, After: last.ID, Until: end.ID})
	if err != nil {
		return Closing{}, err
	}
	note, _ := ReadClosingNote(end) // Ignore an error: "till verify" reports it.
	made := Closing{
		Account: accountOf(end.Till, last.At, closed), Number: end.Payment.Ref, By: end.By, At: end.At.In(note.Zone),
		VAT: note.VAT, GrandTotal: note.Total,
	}
	customers, err := tx.Debtors(ledger.Query{Until: end.ID})
	if err != nil {
		return Closing{}, err
	}
	made.addCustomers(customers)
	made.Seal, err = sealOf(tx, end)
	return made, err
}

// sealOf returns the value of [Account].Seal for the till's last transfer.
func sealOf(tx Tx, of ledger.Transfer) (string, error) {
	if of.ID == 0 {
		return "", nil
	}
	digest, err := tx.Digest(of.ID)
	return hex.EncodeToString(digest[:min(SealBytes, len(digest))]), err
}
