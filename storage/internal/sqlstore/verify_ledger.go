package sqlstore

import (
	"bytes"
	"fmt"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
)

// postedFor is a column: the balance of an order's transfers on the account [ledger.Service].
const postedFor = `(SELECT coalesce(sum(CASE t.to_account WHEN 'service' THEN t.amount ELSE -t.amount END), 0) FROM transfers t
	WHERE t.ref = o.reference AND t.payment = 'order' AND 'service' IN (t.from_account, t.to_account)), `

// ledger reads all transfers in the order of their IDs. It reports each transfer whose digest does
// not match: that transfer, or the one before it, was changed, inserted or moved.
func (e examiner) ledger(t *tx) error {
	type row struct {
		ledger.Transfer
		digest []byte
	}
	columns := func(r *row) []any {
		return []any{
			&r.ID, instant(&r.At), instant(&r.Booked), &r.Kind, &r.From, &r.To, &r.Amount, &r.Till, &r.By, &r.Payment.Kind, &r.Payment.Ref, &r.Corrects,
			&r.Note, &r.digest,
		}
	}
	var head ledger.Head
	balances := make(map[ledger.Account]money.Ariary)
	takings := make(map[string]money.Ariary) // All sales of a till since the first one, minus refunds and voids.
	ahead, err := list(t, "read the clock", column[int64], `SELECT value FROM meta WHERE key = 'clock_ahead' AND value <> 0`)
	if err != nil {
		return err
	}
	seen := newWatcher(e.Audit, e.checks, ahead)
	err = each(t, "read transfers", columns, func(r row) bool {
		add := func(format string, arguments ...any) { e.add("transfers", fmt.Sprint(r.ID), format, arguments...) }
		if r.ID != head.Last+1 {
			add("%d transfers before it are not there", r.ID-head.Last-1)
		}
		if !bytes.Equal(r.digest, r.Digest(head.Digest)) {
			add("it, or the transfer before it, is not as it was stored")
		}
		head = ledger.Head{Last: r.ID, Digest: r.digest}
		if r.Amount < 0 || r.Corrects < 0 || r.Corrects >= r.ID {
			add("its amount or the transfer that it corrects cannot be")
		}
		if r.From == ledger.Sales || r.To == ledger.Sales {
			takings[r.Till] -= r.Into(ledger.Sales)
		}
		if r.Kind == ledger.Closing {
			if note, err := drawer.ReadClosingNote(r.Transfer); err != nil || note.Total != takings[r.Till] {
				add("its grand total is not the sum of the till's takings, %d Ar", takings[r.Till])
			}
		}
		seen.see(r.Transfer, r.digest)
		balances[r.From] -= r.Amount
		balances[r.To] += r.Amount
		if account := ledger.Drawer(payments.TillCode(r.Till)); r.Kind == ledger.Closing && balances[account] != 0 {
			add("after this closing %d Ar are in the drawer", balances[account])
		}
		return true
	}, `SELECT `+storedFields+`, t.digest FROM transfers t ORDER BY t.id`)
	if err != nil {
		return err
	}
	if e.checks.Seal != "" && !seen.sealed {
		e.NoSeal = true
		e.add("transfers", "", "none has the seal %s", e.checks.Seal)
	}
	kept, err := one(t, "read the head of the ledger", headColumns, selectHead)
	if err == nil && (kept.Last != head.Last || !bytes.Equal(kept.Digest, head.Digest)) {
		e.add("transfers", "", "the last transfer is %d, and should be %d", head.Last, kept.Last)
	}
	return err
}
