// Package sandbox is the payment service's own side, on the desk: the order
// call, the hosted checkout page, the expiry of links and the sender of
// webhooks, with faults to order. It moves no money.
//
// It is faithful where the specification speaks, and strict where it is
// silent: the amount is the sum of the items, a trailing comma is not JSON, a
// reference is taken once. It guarantees that a link is paid at most once, that
// a link that is over takes nothing, that every order ends with exactly one of
// success, canceled and expired, and that only a POST from its own pages
// changes anything. The access token and the signatures stand in no page, log
// or error of it.
//
// # The life of a link
//
//	          failed (the link stays open: another try)
//	           |  ^
//	           v  |
//	order --> open ---> success    paid, once
//	              \---> canceled   the customer gave it up
//	               \--> expired    by itself, at the end of its lifetime
//
// An event is sent for each arrow but the first. What is over stays over: a
// POST to it answers 410, a GET shows the outcome.
//
// # Faults
//
// [Faults] say what goes wrong on purpose: answers to the order call that are
// none, events that are late, lost, doubled, wrong, contradictory or signed
// badly. A fault changes what the merchant is told, never what happened: the
// life above holds with every fault, and with no fault so does all that is
// said here of events. Faults are set for all orders, or the events' for one;
// by program, on the dashboard, by the name of one of [Scenarios], or by JSON.
//
// The fault lab's JSON API answers requests of this machine that name it by a
// name of its own and come from no other site's page. It answers 200 with JSON,
// or refuses with a 4xx and {"message": …}, which names the field and says what
// it may be. Fields that are unknown or repeated are refused.
//
//	GET            /lab/scenarios              [{"name", "summary", "faults"}]
//	POST           /lab/scenario               {"name": "drop"}; plays it for all orders
//	GET PUT DELETE /lab/faults                 {"call": {…}, "event": {…}} of all orders
//	GET            /lab/orders?limit=50        the newest first, at most 1000
//	GET PUT DELETE /lab/orders/{REF_…}/faults  the event faults of one order
//	POST           /lab/orders/{REF_…}/act     {"outcome": "success"}, failed, canceled, expired
//	GET            /lab/deliveries?limit=50    the newest first, with each try
//	POST           /lab/deliveries/{id}/resend sends one now
//
// A PUT sets exactly what it names; a DELETE ends the faults, those of one
// order so that those of all are its own again. Names are those of the fields
// in lower case, as "amount_off", spans of time are texts, as "90s".
//
// # The hosted page
//
// The customer chooses an operator, gives a phone number, confirms, and waits
// for the phone's answer. No phone is asked: the last two digits decide. 01 is
// a balance too low, 02 a refusal on the phone, 03 no answer; any other number
// pays. The answer comes after a few seconds, and only while the page is open:
// to close it, at any step, leads to no event but the expiry. Of the number
// only what is masked is kept, in memory, while the phone is asked. The page's
// outcome buttons do the same at once. Nothing needs a script.
//
// # Deliveries
//
// Deliveries of one order never overlap, and their first tries go out in the
// order of the events. A [Retry] says after which answers a delivery is tried
// again, with growing pauses that chance makes up to a fifth longer or shorter;
// after the last it is given up. A try waits 10 s for its answer, follows no
// redirect, and connects to this machine or the local network unless another
// target is allowed by its name.
//
// # Restarts
//
// Orders and deliveries are kept in memory, a bounded number of each, and
// forgotten when the program ends, unless [Reopen] was given an [Archive]. Then
// what was acknowledged outlives the program, however it ends: links are open
// for as long as they were, expiries that fell due happen, and what was on its
// way is sent, an event perhaps twice.
package sandbox
