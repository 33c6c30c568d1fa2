// Package payments holds the payment rules of a shop counter: what an order is, what an event of
// the payment service does to it, and what the cashier sees. It guarantees that an order gets
// [VerdictPaid] only with proof of payment, and that no event takes the proof away.
//
// The package imports only the standard library and the packages barcode, clean, ledger, money,
// secret and staff. It contains no SQL, HTTP, JSON or screens, and takes the time from a [Clock].
//
// # Which function decides
//
//   - What an event does to an order, and whether it proves payment: [Order.Apply].
//   - What the cashier sees, including PAID: [Order.Verdict].
//   - What is stored when an event arrives: [Service.Receive].
//   - What a change of one order does to the others of its sale: [Settle].
//   - Whether a sale may be charged again, and if not, why: [MayCharge].
//   - Whether an order is created, and what the answer to its call means: [Service.Checkout].
//   - How long wrong PINs lock a cashier out: [staff.Tries.Fail].
//
// # States of an order
//
//	         Checkout
//	            |
//	not sent    v        refused
//	    +-- creating ------------------> rejected
//	    +->  |    |
//	accepted |    | no valid answer, or a crash
//	         v    v
//	    pending  unknown
//	         |    |
//	         v    v  an event, matched by order reference
//	  success <-> failed <-> canceled <-> expired    (any to any)
//
// An order that was not sent stays creating and may be sent again. The status follows the last
// event: success and then expired gives expired. The first proof sets PaidAt, which no event
// removes. If the shop has money for a paid order, a later failed, canceled or expired event makes
// the verdict [VerdictCheck], until a person decides.
package payments
