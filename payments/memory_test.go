package payments_test

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"checkout/till/payments"
)

var (
	_ payments.Store    = (*memory)(nil)
	_ payments.Tx       = (*transaction)(nil)
	_ payments.EventLog = eventLog{}
	_ payments.Sales    = desk{}
	_ payments.Staff    = office{}
)

// memory is a store in memory. It runs one transaction at a time and takes an
// erroneous one back whole. Like a real store it never changes an order's
// terms, and gives items to readers alone.
type memory struct {
	mu sync.Mutex
	tables
	// fault is asked before each call; its error is what the call returns.
	fault func(call string) error
	woken chan struct{}
}

// tables are what is stored.
type tables struct {
	orders    map[string]payments.Order
	made      []string          // References, oldest first.
	named     map[string]string // From order reference to reference.
	events    map[payments.EventID]payments.Record
	arrived   []payments.EventID // Oldest first; dropped ones stay here.
	unmatched []payments.EventID // Oldest first.
	sales     map[string]payments.Sale
	articles  map[string]payments.Article
	numbers   map[string]int64
	cashiers  map[string]payments.Cashier
	sums      map[string]string // Of the cashiers' PINs.
	tries     map[string]string // Sums that are tried, by name and nonce.
	closings  map[string]payments.Closing
}

func newMemory() *memory {
	return &memory{
		tables: tables{
			orders: map[string]payments.Order{}, named: map[string]string{},
			events: map[payments.EventID]payments.Record{},
			sales:  map[string]payments.Sale{}, articles: map[string]payments.Article{}, numbers: map[string]int64{},
			cashiers: map[string]payments.Cashier{}, closings: map[string]payments.Closing{},
			sums: map[string]string{}, tries: map[string]string{},
		},
		fault: func(string) error { return nil },
		woken: make(chan struct{}, 1),
	}
}

// snapshot returns a copy of all that is stored.
func (m *memory) snapshot() tables {
	m.mu.Lock()
	defer m.mu.Unlock()
	return tables{
		orders: maps.Clone(m.orders), made: slices.Clone(m.made), named: maps.Clone(m.named),
		events: maps.Clone(m.events), arrived: slices.Clone(m.arrived),
		unmatched: slices.Clone(m.unmatched), sales: maps.Clone(m.sales), articles: maps.Clone(m.articles), numbers: maps.Clone(m.numbers),
		cashiers: maps.Clone(m.cashiers), closings: maps.Clone(m.closings), sums: maps.Clone(m.sums), tries: maps.Clone(m.tries),
	}
}

func (t tables) equal(other tables) bool { return reflect.DeepEqual(t, other) }

func (m *memory) Update(ctx context.Context, change func(payments.Tx) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := m.fault("begin"); err != nil {
		return err
	}
	m.rehearse(change)
	tx := &transaction{m: m}
	err := change(tx)
	if err == nil {
		err = m.fault("commit")
	}
	if err != nil {
		tx.takeBack()
		return err
	}
	select {
	case m.woken <- struct{}{}:
	default:
	}
	return nil
}

// rehearse makes a change and takes it back: a store may make it more than once.
func (m *memory) rehearse(change func(payments.Tx) error) {
	fault := m.fault
	defer func() { m.fault = fault }()
	m.fault = func(string) error { return nil }
	tx := &transaction{m: m}
	_ = change(tx)
	tx.takeBack()
}

func (tx *transaction) takeBack() {
	for _, undo := range slices.Backward(tx.undo) {
		undo()
	}
}

func (m *memory) Order(_ context.Context, ref string) (payments.Order, []payments.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fault("read order"); err != nil {
		return payments.Order{}, nil, err
	}
	order, found := m.orders[ref]
	if !found {
		order, found = m.orders[m.named[ref]]
	}
	if !found {
		return payments.Order{}, nil, payments.ErrNotFound
	}
	var records []payments.Record
	for _, id := range m.arrived {
		if m.events[id].Order == order.Reference {
			records = append(records, m.events[id])
		}
	}
	return order, records, nil
}

func (m *memory) Orders(_ context.Context, query payments.Query) ([]payments.Order, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fault("read orders"); err != nil {
		return nil, err
	}
	var found []payments.Order
	older := query.Before == ""
	for _, reference := range slices.Backward(m.made) {
		order := m.orders[reference]
		fits := older && (query.Till == "" || query.Till == order.Till) &&
			(query.Status == "" || query.Status == order.Status) && (query.Sale == "" || query.Sale == order.Sale) &&
			strings.Contains(order.Reference, query.Search) && (!query.Open || order.Open())
		if fits && len(found) < cmp.Or(query.Limit, 50) {
			found = append(found, order)
		}
		older = older || reference == query.Before
	}
	return found, nil
}

func (m *memory) Unmatched(_ context.Context, limit int) ([]payments.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var records []payments.Record
	for _, id := range slices.Backward(m.unmatched) {
		records = append(records, m.events[id])
	}
	slices.SortStableFunc(records, func(a, b payments.Record) int {
		return cmp.Compare(unnoticed(b), unnoticed(a))
	})
	return records[:min(limit, len(records))], nil
}

func (m *memory) Sales(_ context.Context, till string) ([]payments.Sale, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fault("read sales"); err != nil {
		return nil, err
	}
	var found []payments.Sale
	for _, sale := range m.sales {
		if sale.Till == till {
			found = append(found, sale)
		}
	}
	slices.SortFunc(found, func(a, b payments.Sale) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
	return found, nil
}

func (m *memory) Articles(context.Context) ([]payments.Article, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.SortedFunc(maps.Values(m.articles), func(a, b payments.Article) int {
		return cmp.Or(cmp.Compare(b.Uses, a.Uses), cmp.Compare(a.Label, b.Label))
	}), nil
}

func (m *memory) Takings(
	_ context.Context, period payments.Period, count func(payments.Order) bool,
) (sold []payments.Sold, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fault("takings"); err != nil {
		return nil, err
	}
	var counted []payments.Order
	for _, reference := range m.made {
		order := m.orders[reference]
		if at := order.CountedAt(); !at.Before(period.From) && at.Before(period.To) {
			counted = append(counted, order)
		}
	}
	slices.SortStableFunc(counted, func(a, b payments.Order) int { return a.CountedAt().Compare(b.CountedAt()) })
	for _, paid := range []bool{true, false} {
		for _, order := range counted {
			if order.Paid() != paid || !count(order) || !period.Sold {
				continue
			}
			for _, item := range order.Items {
				sold = append(sold, payments.Sold{Label: item.Label, Quantity: item.Quantity, Amount: item.Total()})
			}
		}
	}
	return sold, nil
}

func (m *memory) Watch(context.Context) <-chan struct{} { return m.woken }

// transaction remembers how to take back what it did.
type transaction struct {
	m    *memory
	undo []func()
}

// put writes a row of a table and remembers what stood there.
func put[K comparable, V any](tx *transaction, table map[K]V, key K, value V) {
	old, had := table[key]
	tx.undo = append(tx.undo, func() {
		delete(table, key)
		if had {
			table[key] = old
		}
	})
	table[key] = value
}

// drop removes a row of a table and remembers it.
func drop[K comparable, V any](tx *transaction, table map[K]V, key K) {
	if old, had := table[key]; had {
		tx.undo = append(tx.undo, func() { table[key] = old })
		delete(table, key)
	}
}

// swap replaces a list and remembers the old one.
func swap[T any](tx *transaction, list *[]T, now []T) {
	old := *list
	tx.undo = append(tx.undo, func() { *list = old })
	*list = now
}

func (tx *transaction) Order(reference string) (payments.Order, error) {
	if err := tx.m.fault("order"); err != nil {
		return payments.Order{}, err
	}
	order, found := tx.m.orders[reference]
	if !found {
		return payments.Order{}, payments.ErrNotFound
	}
	order.Items = nil
	return order, nil
}

func (tx *transaction) OrderOf(orderReference string) (payments.Order, error) {
	return tx.Order(tx.m.named[orderReference])
}

func (tx *transaction) Siblings(sale string) ([]payments.Order, error) {
	if err := tx.m.fault("siblings"); err != nil {
		return nil, err
	}
	var found []payments.Order
	for _, reference := range tx.m.made {
		if order := tx.m.orders[reference]; order.Sale == sale {
			order.Items = nil
			found = append(found, order)
		}
	}
	return found, nil
}

func (tx *transaction) InsertOrder(order payments.Order) error {
	if err := tx.m.fault("insert order"); err != nil {
		return err
	}
	if _, taken := tx.m.orders[order.Reference]; taken {
		return payments.ErrReferenceTaken
	}
	put(tx, tx.m.orders, order.Reference, order)
	swap(tx, &tx.m.made, append(tx.m.made, order.Reference))
	return nil
}

func (tx *transaction) SaveOrder(order payments.Order) error {
	if err := tx.m.fault("save order"); err != nil {
		return err
	}
	stored := tx.m.orders[order.Reference]
	if holder, named := tx.m.named[order.OrderReference]; named && holder != order.Reference {
		return payments.ErrOrderReferenceTaken
	}
	for _, record := range tx.m.events {
		if record.Order == order.Reference && record.Event.OrderReference != order.OrderReference {
			return payments.ErrOrderReferenceTaken
		}
	}
	if stored.OrderReference != order.OrderReference {
		drop(tx, tx.m.named, stored.OrderReference)
		put(tx, tx.m.named, order.OrderReference, order.Reference)
	}
	stored.OrderReference, stored.Link, stored.Status = order.OrderReference, order.Link, order.Status
	stored.Error, stored.Facts, stored.Finding = order.Error, order.Facts, order.Finding
	put(tx, tx.m.orders, order.Reference, stored)
	return nil
}

func (tx *transaction) Events() payments.EventLog { return eventLog{tx} }

func (tx *transaction) Sales() payments.Sales { return desk{tx} }

// unnoticed is 1 for a success that no order has and nobody has looked at.
func unnoticed(record payments.Record) int {
	if record.Outcome == payments.NoSuchOrder && record.Event.Kind == payments.PaymentSuccess {
		return 1
	}
	return 0
}
