package payments_test

import (
	"slices"

	"checkout/till/payments"
)

// eventLog is the part of a transaction that concerns events.
type eventLog struct{ tx *transaction }

func (l eventLog) Insert(record payments.Record) (payments.Record, bool, error) {
	m := l.tx.m
	if err := m.fault("insert event"); err != nil {
		return payments.Record{}, false, err
	}
	if known, found := m.events[record.ID]; found {
		known.Count++
		put(l.tx, m.events, record.ID, known)
		return known, false, nil
	}
	record.Sequence = int64(len(m.arrived)) + 1
	put(l.tx, m.events, record.ID, record)
	swap(l.tx, &m.arrived, append(m.arrived, record.ID))
	if record.Order == "" {
		swap(l.tx, &m.unmatched, append(m.unmatched, record.ID))
	}
	return record, true, nil
}

func (l eventLog) Save(record payments.Record) error {
	if err := l.tx.m.fault("save event"); err != nil {
		return err
	}
	put(l.tx, l.tx.m.events, record.ID, record)
	if record.Order != "" {
		l.unlist(record.ID)
	}
	return nil
}

func (l eventLog) Backlog(orderReference string) ([]payments.Record, error) {
	if err := l.tx.m.fault("backlog"); err != nil {
		return nil, err
	}
	var waiting []payments.Record
	for _, id := range l.tx.m.unmatched {
		if record := l.tx.m.events[id]; record.Event.OrderReference == orderReference {
			waiting = append(waiting, record)
		}
	}
	return waiting, nil
}

func (l eventLog) Known(_ string, id payments.EventID) (bool, error) {
	if err := l.tx.m.fault("known event"); err != nil {
		return false, err
	}
	_, known := l.tx.m.events[id]
	return known, nil
}

func (l eventLog) Count(orderReference string) (count int, err error) {
	if err := l.tx.m.fault("count events"); err != nil {
		return 0, err
	}
	for _, record := range l.tx.m.events {
		if record.Event.OrderReference == orderReference {
			count++
		}
	}
	return count, nil
}

func (l eventLog) TrimUnmatched(limit int, bytes int64) (dropped int, err error) {
	m := l.tx.m
	if err := m.fault("trim"); err != nil {
		return 0, err
	}
	for len(m.unmatched) > limit || m.unmatchedBytes() > bytes {
		id := m.firstToDrop()
		dropped += unnoticed(m.events[id])
		drop(l.tx, m.events, id)
		l.unlist(id)
	}
	return dropped, nil
}

func (m *memory) unmatchedBytes() (bytes int64) {
	for _, id := range m.unmatched {
		bytes += int64(len(m.events[id].Body))
	}
	return bytes
}

// firstToDrop returns the unmatched event that is dropped first.
func (m *memory) firstToDrop() payments.EventID {
	for _, goes := range []func(payments.Record) bool{
		func(r payments.Record) bool { return r.Event.Kind != payments.PaymentSuccess },
		func(r payments.Record) bool { return r.Outcome == payments.Noticed },
	} {
		i := slices.IndexFunc(m.unmatched, func(id payments.EventID) bool { return goes(m.events[id]) })
		if i >= 0 {
			return m.unmatched[i]
		}
	}
	return m.unmatched[len(m.unmatched)-1]
}

// unlist takes an event off the unmatched ones.
func (l eventLog) unlist(id payments.EventID) {
	if i := slices.Index(l.tx.m.unmatched, id); i >= 0 {
		swap(l.tx, &l.tx.m.unmatched, slices.Delete(slices.Clone(l.tx.m.unmatched), i, i+1))
	}
}

// desk is the part of a transaction that concerns a till's own work.
type desk struct{ tx *transaction }

func (d desk) NextNumber(series string) (int64, error) {
	if err := d.tx.m.fault("next number"); err != nil {
		return 0, err
	}
	next := d.tx.m.numbers[series] + 1
	put(d.tx, d.tx.m.numbers, series, next)
	return next, nil
}

func (d desk) SaveSale(sale payments.Sale) error {
	if err := d.tx.m.fault("save sale"); err != nil {
		return err
	}
	put(d.tx, d.tx.m.sales, sale.ID, sale)
	return nil
}

func (d desk) DropSale(id string) error {
	if err := d.tx.m.fault("drop sale"); err != nil {
		return err
	}
	drop(d.tx, d.tx.m.sales, id)
	return nil
}

func (d desk) SaveArticle(article payments.Article) error {
	if err := d.tx.m.fault("save article"); err != nil {
		return err
	}
	for id, other := range d.tx.m.articles {
		switch {
		case id == article.ID:
			article.Uses = other.Uses
		case other.Label == article.Label:
			return payments.ErrLabelTaken
		case other.Code == article.Code && other.Code != "":
			return payments.ErrCodeTaken
		case other.Favourite == article.Favourite && other.Favourite != 0:
			other.Favourite = 0
			put(d.tx, d.tx.m.articles, id, other)
		}
	}
	put(d.tx, d.tx.m.articles, article.ID, article)
	return nil
}

func (d desk) DropArticle(id string) error {
	if err := d.tx.m.fault("drop article"); err != nil {
		return err
	}
	drop(d.tx, d.tx.m.articles, id)
	return nil
}

func (d desk) CountUse(label string) error {
	if err := d.tx.m.fault("count use"); err != nil {
		return err
	}
	for id, article := range d.tx.m.articles {
		if article.Label == label {
			article.Uses++
			put(d.tx, d.tx.m.articles, id, article)
		}
	}
	return nil
}
