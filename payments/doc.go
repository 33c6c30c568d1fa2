// Package payments holds the rules of money of a shop counter: what an order
// is, what an event of the payment service does to it, and what the cashier is
// told. It guarantees that an order is shown as paid only on proof, and that
// proof once seen is never taken back.
//
// The package imports the standard library alone. It knows no SQL, no HTTP, no
// JSON and no screen, and it never asks for the time: a [Clock] is handed in.
//
// # Glossary
//
//   - Sale: what one customer takes; a list of [Item], on disk while it is entered.
//   - Order: one request for payment of a sale. A sale may have another one
//     after one that is not paid ([Order.Repeatable]); all share the sale's id.
//   - Reference: the shop's own name of an order, unique for ever.
//   - Order reference: the payment service's name of the same order.
//   - Link: the hosted checkout page of an order. It cannot be cancelled.
//   - Event: what the service says of an order, at least once, in any order.
//   - Status: what the service said last ([Status]).
//   - Verdict: what the cashier sees ([Verdict]); it rests on facts.
//   - Attention: why a person must look at an order ([Attention]).
//   - Finding: what a person found out in the merchant area ([Finding]). The last
//     one decides until an event contradicts it.
//
// # Where it is decided
//
//   - What an event does to an order, proof of payment among it: [Order.Apply].
//   - What the cashier sees, PAID among it: [Order.Verdict].
//   - What is stored when an event arrives: [Service.Receive].
//   - What a change of one order means for the others of its sale: [Settle].
//   - Whether a sale may be charged again, and if not, why: [MayCharge].
//   - Whether an order is made, and what its call's answer means: [Service.Checkout].
//   - How long wrong PINs lock a cashier out: [Tries.Fail].
//
// # States of an order
//
//	         Checkout
//	            |
//	            v        refused (4xx)
//	        creating ------------------> rejected
//	         |    |
//	accepted |    | no sound answer, or a crash
//	         v    v
//	    pending  unknown
//	         |    |
//	         v    v  an event, matched by order reference
//	  success <-> failed <-> canceled <-> expired    (any to any)
//
// The status follows the events to the letter, so success then expired does
// give expired. [Order.PaidAt] is set by the first proof and stays, and
// [Order.Verdict] turns the contradiction into [VerdictCheck].
package payments
