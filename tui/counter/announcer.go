package counter

import (
	"slices"

	"checkout/till/payments"
)

// announcer remembers what was announced. A method that takes a [Picture] returns the facts that
// are new in it.
type announcer struct {
	begun     bool                    // Whether the first read was announced.
	announced map[string]announcement // Outcomes that were announced and not acknowledged yet, by order reference.
	ending    map[ending]bool         // Links that were about to end, or had ended, at the last call of ends.
	orphaned  map[string]bool         // Payments without an order that were announced, by event ID.
	checked   int                     // Number of orders and payments to check at the last call of toCheck.
}

type announcement struct {
	verdict payments.Verdict
	status  payments.Status
}

// ending identifies an announcement: the link of an order ends soon or, if over is true, has ended.
type ending struct {
	reference string
	over      bool
}

func newAnnouncer() *announcer {
	return &announcer{announced: make(map[string]announcement), ending: make(map[ending]bool), orphaned: make(map[string]bool)}
}

// outcomes returns a [Became] for each new outcome that the cashier has not seen, and then an
// [Unseen]. While an announced order is [Picture.Hidden], it is not announced again.
func (a *announcer) outcomes(picture Picture) (facts []Fact) {
	before := a.announced
	a.announced = make(map[string]announcement)
	for _, order := range slices.Backward(picture.Open) {
		if order.Facts.Acknowledged {
			continue
		}
		told, known := before[order.Reference]
		now := announcement{picture.Verdict(order), order.Status}
		if known && (told == now || picture.Hidden(order)) {
			a.announced[order.Reference] = told
			continue
		}
		a.announced[order.Reference] = now
		facts = append(facts, Became{
			Order: order, Verdict: now.verdict, Old: !a.begun, Repeated: known && told.status == now.status,
		})
	}
	if len(facts) > 0 {
		facts = append(facts, Unseen{len(a.announced)})
	}
	return facts
}

func (a *announcer) orphans(picture Picture) (facts []Fact) {
	for _, orphan := range slices.Backward(picture.Orphans()) {
		id := string(orphan.ID[:])
		if !a.orphaned[id] {
			a.orphaned[id] = true
			facts = append(facts, OrphanCame{orphan})
		}
	}
	return facts
}

func (a *announcer) ends(picture Picture) (facts []Fact) {
	before := a.ending
	a.ending = make(map[ending]bool)
	for _, order := range picture.Awaited() {
		left, _ := picture.Remaining(order)
		end := ending{order.Reference, left <= 0}
		if left > payments.LinkEndsSoon {
			continue
		}
		a.ending[end] = true
		if !before[end] {
			facts = append(facts, LinkEnds{order, end.over})
		}
	}
	return facts
}

func (a *announcer) toCheck(picture Picture) (facts []Fact) {
	count := picture.ToCheck()
	if count > a.checked {
		facts = []Fact{ToCheck{count}}
	}
	a.checked = count
	return facts
}

// Announced reports whether the outcome of an order was announced but is not acknowledged yet.
func (a *announcer) Announced(order payments.Order) bool {
	_, told := a.announced[order.Reference]
	return told
}
