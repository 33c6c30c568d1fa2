// Package drawer records payments at the counter, and what a till does with cash, as transfers of
// the ledger: sales, voids, refunds, money put in and taken out, counts. It computes closings,
// reports and the journal from these transfers, and issues the numbers of receipts. Package drawer
// imports package payments for the orders, not the other way round.
//
// An account of a till usually begins with a float; it ends with a closing. A closing covers all
// transfers of the till since the closing before it, including the payments by link. It empties only
// the drawer: it first books the difference that the last count found, and then moves all that is
// left to the owner.
//
// It guarantees that
//   - no transfer is changed or deleted: a mistake is corrected by another transfer;
//   - each transfer of a till is in the till's next closing and in no other, even if a payment
//     arrives late or the clock is set back;
//   - the numbers of cash sales, receipts and closings of a till have no gaps, except where a
//     backup was restored.
package drawer
