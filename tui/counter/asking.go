package counter

import (
	"time"

	"checkout/till/payments"
)

type asking struct {
	*queue
	question *Question
	asked    int // Number of questions that were asked.
	charging charging
}

// Charging reports whether a confirmed charge is under way: the sale is being written, or a payment
// at the counter is being recorded.
func (a *asking) Charging() bool { return a.charging.confirmed != nil }

// Question returns the open question, or nil.
func (a *asking) Question() *Question { return a.question }

// Asking returns the kind of the open question, or "" if none is open.
func (a *asking) Asking() Kind {
	if a.question == nil {
		return ""
	}
	return a.question.Kind
}

func (a *asking) ask(question Question) {
	a.asked++
	a.question = &question
	a.tell(Asked{question})
}

// ReviewOrphan asks whether a person has reviewed a payment without an order.
func (a *asking) ReviewOrphan(record payments.Record) {
	a.ask(Question{Kind: AskReview, Record: record})
}

// DismissQuestion closes the question without an answer. If the question has a part that the
// customer gave, DismissQuestion reports [PartForgotten]. It does nothing while a confirmed charge
// is under way.
func (a *asking) DismissQuestion() {
	if a.question == nil || a.Charging() {
		return
	}
	if part := a.question.Part; part > 0 {
		a.tell(PartForgotten{part})
	}
	a.question = nil
}

// stopCharging ends the confirmed charge, and closes its question.
func (a *asking) stopCharging() {
	if a.Charging() && a.question != nil && (a.question.Kind.OfSale() || a.question.Tender != "") {
		a.question = nil
	}
	a.charging.end()
}

// Sending returns the terms of the last order call and when it began.
func (a *asking) Sending() (terms payments.Terms, since time.Time) {
	return a.charging.call.terms, a.charging.call.began
}
