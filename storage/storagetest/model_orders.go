package storagetest

import (
	"errors"
	"fmt"
	"slices"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
)

func withoutItems(orders ...payments.Order) (bare []payments.Order) {
	for _, order := range orders {
		order.Items = nil
		order.Findings = nil
		bare = append(bare, order)
	}
	return bare
}

func filtered[T any](all []T, fits func(T) bool) (found []T) {
	for _, one := range all {
		if fits(one) {
			found = append(found, one)
		}
	}
	return found
}

func (m *model) find(fits func(payments.Order) bool) []payments.Order {
	return filtered(m.orders, fits)
}

func (m *model) orderOf(orderReference string) []payments.Order {
	return m.find(func(o payments.Order) bool { return o.OrderReference == orderReference && orderReference != "" })
}

func (m *model) byReference(reference string) []payments.Order {
	return m.find(func(o payments.Order) bool { return o.Reference == reference })
}

func (m *model) reference() string { return fmt.Sprintf("T1-20261121-GT-%04d", m.IntN(20)) }

func (m *model) orderReference() string { return pick(m, "", "REF_1", "REF_Été2", "REF_3", "REF_4") }

func (m *model) text() string {
	return pick(m, "Vary", "vary gasy", "Café ÉLITE", "Pâté", "100% pur", "a_b", `k\s`, "it's", "*b?c", "[a-z]", "2", "")
}

// order returns a random order. Its state may be one that cannot occur in practice.
func (m *model) order() payments.Order {
	order := payments.Order{
		Reference: m.reference(), Sale: pick(m, "", "one", "two"), Till: pick(m, "T1", otherTill), By: pick(m, "", "Soa"),
		Amount: money.Ariary(1 + m.IntN(9000)), Debt: pick(m, "", "", ledger.Customer("a")), Description: m.text(), CreatedAt: m.at(), SentAt: m.at(), OrderReference: m.orderReference(),
		Status: pick(m, payments.Statuses()...), Reason: payments.Reason{Fault: pick(m, "", payments.ErrNoAnswer), Detail: m.text()}, Facts: payments.Facts{
			SuccessSeen: m.coin(), ExpiredSeen: m.coin(), GivenUp: m.coin(), NotSent: m.coin(), Acknowledged: m.coin(), Superseded: m.coin(), PaidOtherwise: m.coin(),
		},
	}
	for range m.IntN(3) {
		order.Items = append(order.Items, payments.Item{
			Label: m.text() + "!", UnitPrice: pick(m, 1, 500, money.MaxAriary), ListPrice: money.Ariary(m.IntN(2)), Quantity: 1 + m.Int64N(4),
		})
	}
	if m.coin() {
		order.Link = payments.Link{URL: "https://pay.example/1", ExpiresAt: m.at(), Assumed: m.coin()}
	}
	if m.coin() {
		order.Facts.PaidAt = m.at()
	}
	if m.IntN(4) == 0 {
		order.Facts.Attention = []payments.Attention{payments.AmountMismatch, payments.PaidLate}[m.IntN(2):]
		order.Facts.ReportedAmount, order.Facts.ReportedUnit = "1500.0", "MGA"
	}
	return order
}

func (m *model) insertOrder(tx payments.Tx) error {
	order, want := m.order(), error(nil)
	order.Refunds = m.refunds(order.Reference)
	switch {
	case len(m.byReference(order.Reference)) > 0:
		want = payments.ErrReferenceTaken
	case len(m.orderOf(order.OrderReference)) > 0:
		want = payments.ErrOrderReferenceTaken
	default:
		m.orders = append(m.orders, order)
	}
	return fails("insert an order", tx.InsertOrder(order), want)
}

// saveOrder changes the state of an order. It expects [payments.ErrOrderReferenceTaken] if the
// order already has another order reference, or if another order has the new one.
func (m *model) saveOrder(tx payments.Tx) error {
	order, want := m.order(), error(nil)
	at := slices.IndexFunc(m.orders, func(o payments.Order) bool { return o.Reference == order.Reference })
	if at < 0 {
		return fails("save an order", tx.SaveOrder(order), payments.ErrNotFound)
	}
	stored := m.orders[at]
	if m.coin() {
		order.OrderReference = stored.OrderReference
	}
	if changed := order.OrderReference != stored.OrderReference; changed && (stored.OrderReference != "" || len(m.orderOf(order.OrderReference)) > 0) {
		want = payments.ErrOrderReferenceTaken
	} else {
		order.Finding = stored.Finding // Keep these, because the stored open flag depends on them.
		order.Refunds = stored.Refunds
		order.Amount = stored.Amount
		stored.OrderReference, stored.Link, stored.Status = order.OrderReference, order.Link, order.Status
		stored.Reason, stored.Facts, stored.SentAt = order.Reason, order.Facts, order.SentAt
		m.orders[at] = stored
	}
	return fails("save an order", tx.SaveOrder(order), want)
}

func (m *model) insertFinding(tx payments.Tx) error {
	finding := payments.Finding{
		Kind: pick(m, payments.FoundPaid, payments.FoundUnpaid), By: "Soa", Note: m.text(), At: m.at(), Seen: payments.VerdictCheck,
	}
	reference := m.reference()
	at := slices.IndexFunc(m.orders, func(o payments.Order) bool { return o.Reference == reference })
	if at < 0 {
		return fails("insert a finding", tx.InsertFinding(reference, finding), payments.ErrNotFound)
	}
	order := m.orders[at]
	order.Findings = slices.Clone(order.Findings)
	m.orders[at] = found(order, finding)
	return errors.Join(tx.InsertFinding(reference, finding), tx.SaveOrder(m.orders[at]))
}

// readOrders compares the orders that a transaction reads with the model's. A transaction reads
// orders without items.
func (m *model) readOrders(tx payments.Tx) error {
	single := func(what string, want []payments.Order, got payments.Order, err error) error {
		if len(want) == 0 {
			return fails(what, err, payments.ErrNotFound)
		}
		return errors.Join(err, differs(what, []payments.Order{got}, withoutItems(want...)))
	}
	reference, orderReference, sale := m.reference(), m.orderReference(), pick(m, "", "one", "two")
	order, err := tx.Order(reference)
	wrong := single("the order "+reference, m.byReference(reference), order, err)
	order, err = tx.OrderOf(orderReference)
	wrong = errors.Join(wrong, single("the order of "+orderReference, m.orderOf(orderReference), order, err))
	siblings, err := tx.Siblings(sale)
	want := m.find(func(o payments.Order) bool { return o.Sale == sale && sale != "" })
	return errors.Join(wrong, err, differs("the siblings of "+sale, siblings, withoutItems(want...)))
}

// bare returns events without their bodies, as stores return them.
func bare(records []payments.Record) (read []payments.Record) {
	for _, r := range records {
		r.Body = nil
		read = append(read, r)
	}
	return read
}

func (m *model) filter(fits func(payments.Record) bool) []payments.Record {
	return filtered(m.events, fits)
}

func (m *model) eventsOf(order payments.Order) []payments.Record {
	return m.filter(func(r payments.Record) bool { return r.Order == order.Reference })
}

// unmatched returns the events without an order, oldest first.
func (m *model) unmatched() []payments.Record {
	return m.filter(func(r payments.Record) bool { return r.Order == "" })
}

func unnoticed(r payments.Record) bool {
	return r.Event.Kind == payments.PaymentSuccess && r.Effect == payments.Unmatched
}

func (m *model) value() payments.Value {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	return pick(m, payments.Value{}, payments.Value{Kind: payments.Null}, payments.TextValue(""), payments.TextValue(string(all)),
		payments.Value{Kind: payments.Number, Text: "1.5e3"}, payments.Value{Kind: payments.Other, Text: `{"a":[1]}`})
}

func (m *model) insertEvent(tx payments.Tx) error {
	e := payments.Event{
		Kind: pick(m, payments.PaymentSuccess, payments.PaymentSuccess, payments.PaymentFailed, "payment.refunded"), OrderReference: "REF_" + pick(m, "1", "Été2", "9"),
		Reference: m.value(), Amount: m.value(), Currency: m.value(), Description: m.value(), Error: m.value(),
	}
	if len(m.events) > 0 && m.IntN(3) == 0 {
		e = pick(m, m.events...).Event
	}
	r := record(e)
	r.ReceivedAt, r.Body = m.at(), make([]byte, m.IntN(100))
	for _, order := range m.orderOf(e.OrderReference) {
		if m.coin() {
			r.Order, r.Effect = order.Reference, payments.Applied
		}
	}
	same := func(known payments.Record) bool { return known.ID == r.ID }
	if at := slices.IndexFunc(m.events, same); at >= 0 {
		m.events[at].Count++
		return tx.InsertEvent(r)
	}
	if m.IntN(20) == 0 {
		r.Order = "nobody's"
		if err := tx.InsertEvent(r); !errors.Is(err, payments.ErrNotFound) {
			return fmt.Errorf("an event of no order: %w", err)
		}
		return errRefused
	}
	r.Sequence = 1
	if len(m.events) > 0 {
		r.Sequence = m.events[len(m.events)-1].Sequence + 1
	}
	m.events = append(m.events, r)
	return tx.InsertEvent(r)
}

func (m *model) readEvents(tx payments.Tx) error {
	reference := "REF_" + pick(m, "1", "Été2", "9")
	all := m.filter(func(r payments.Record) bool { return r.Event.OrderReference == reference })
	waiting := slices.DeleteFunc(slices.Clone(all), func(r payments.Record) bool { return r.Order != "" })
	found, err := tx.UnmatchedEvents(reference)
	wrong := errors.Join(err, differs("the unmatched events", found, bare(waiting)))
	for _, r := range append(slices.Clone(all), payments.Record{}) {
		stored, count, err := tx.Event(reference, r.ID)
		if r.Count == 0 {
			err = fails("read an event that is not stored", err, payments.ErrNotFound)
		}
		r.Body = nil
		wrong = errors.Join(wrong, err, differs("an event", stored, r), differs("the number of events", count, len(all)))
	}
	return wrong
}

// saveEvent marks an unmatched event as reviewed, or assigns it to its order.
func (m *model) saveEvent(tx payments.Tx) error {
	waiting := m.unmatched()
	if len(waiting) == 0 {
		if tx.SaveEvent(record(payments.Event{})) == nil {
			return errors.New("an event that was never stored was saved")
		}
		return errRefused
	}
	r := pick(m, waiting...)
	r.Effect = payments.Reviewed
	for _, order := range m.orderOf(r.Event.OrderReference) {
		r.Order, r.Effect = order.Reference, payments.Unchanged
	}
	m.events[slices.IndexFunc(m.events, func(stored payments.Record) bool { return stored.ID == r.ID })] = r
	return tx.SaveEvent(r)
}

// trim drops unmatched events: first the oldest that are not successes, then the oldest
// reviewed successes, then the newest unreviewed ones.
func (m *model) trim(tx payments.Tx) error {
	rank := func(r payments.Record) [2]int64 {
		switch {
		case r.Event.Kind != payments.PaymentSuccess:
			return [2]int64{0, r.Sequence}
		case !unnoticed(r):
			return [2]int64{1, r.Sequence}
		}
		return [2]int64{2, -r.Sequence}
	}
	waiting, size, lost := m.unmatched(), int64(0), 0
	limit, most := m.IntN(len(waiting)+1), pick(m, 1<<20, m.Int64N(1000))
	slices.SortFunc(waiting, func(a, b payments.Record) int {
		x, y := rank(a), rank(b)
		return slices.Compare(x[:], y[:])
	})
	for _, r := range waiting {
		size += int64(len(r.Body))
	}
	for len(waiting) > limit || size > most {
		first := waiting[0]
		waiting, size = waiting[1:], size-int64(len(first.Body))
		m.events = slices.DeleteFunc(m.events, func(r payments.Record) bool { return r.ID == first.ID })
		if unnoticed(first) {
			lost++
		}
	}
	dropped, err := tx.TrimUnmatchedEvents(limit, most)
	return errors.Join(err, differs("dropped", dropped, lost))
}
