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
// # Deliveries
//
// Deliveries of one order never overlap, and their first tries go out in the
// order of the events. A delivery is tried again on anything but 2xx, with
// growing pauses, and given up after the last. Orders and deliveries are kept in
// memory, a bounded number of each, and forgotten when the program ends.
package sandbox
