// Package drawer records the cash of a till: cash sales, money that is put into the drawer or taken
// out of it, and the count in the evening. It also issues receipt numbers and makes closings. It
// uses the orders of package payments, which does not import it.
//
// It guarantees that
//   - a cash sale and a move of money are never changed or deleted: a mistake is voided, and
//     the void is a separate move;
//   - each cash sale, each move and each ariary of an order is in exactly one closing, even
//     if a payment arrives late or the clock is set back;
//   - the numbers of cash sales, receipts and closings of a till have no gaps.
package drawer
