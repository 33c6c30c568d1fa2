package storagetest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
)

func (m *model) query() (q payments.Query) {
	for range m.IntN(4) {
		switch m.IntN(12) {
		case 0:
			q.Till = pick(m, "T1", otherTill, "T3")
		case 1:
			q.Status = pick(m, payments.Statuses()...)
			q.Now = m.at()
		case 2:
			q.Sale = pick(m, "one", "two", "three")
		case 3:
			q.Since = m.at().In(time.FixedZone("EAT", 3*60*60))
		case 4:
			q.Until = m.at()
		case 5:
			q.Check = m.at()
			if len(m.orders) > 0 { // Choose a time near the end of the grace period of a link.
				q.Check = pick(m, m.orders...).Link.ExpiresAt.Add(payments.LinkGrace + time.Duration(m.IntN(3)-1))
			}
		case 6:
			q.Open = true
		case 7:
			q.Before = m.reference()
		case 8:
			q.Limit = 1 + m.IntN(5)
		case 9:
			q.Latest = true
		default:
			q.Search = m.part()
			if len(m.orders) > 0 && m.coin() {
				q.Amount = pick(m, m.orders...).Amount
			}
		}
	}
	if q.Latest {
		q.Before = ""
	}
	return q
}

func texts(order payments.Order) []string {
	found := []string{order.Reference, order.OrderReference, order.Description}
	for _, item := range order.Items {
		found = append(found, item.Label)
	}
	return found
}

func (m *model) part() string {
	text := pick(m, m.text(), m.orderReference())
	if len(m.orders) > 0 && m.coin() {
		text = pick(m, texts(pick(m, m.orders...))...)
	}
	all := []rune(text + "?")
	begin := m.IntN(len(all))
	part := string(all[begin:min(len(all), begin+1+m.IntN(8))])
	return pick(m, part, strings.ToUpper(part), strings.ToLower(part), plain(part), strings.ReplaceAll(part, "é", "e\u0301"))
}

func plain(text string) string {
	return strings.NewReplacer("é", "e", "â", "a", "e\u0301", "e").Replace(strings.ToLower(text))
}

func (m *model) queried(q payments.Query) (found []payments.Order) {
	newest := slices.Clone(m.orders)
	slices.Reverse(newest)
	if q.Search == "" && !q.Latest {
		slices.SortStableFunc(newest, func(a, b payments.Order) int { return b.CreatedAt.Compare(a.CreatedAt) })
	}
	if q.Before != "" {
		at := slices.IndexFunc(newest, func(o payments.Order) bool { return o.Reference == q.Before })
		if at < 0 {
			return nil
		}
		newest = newest[at+1:]
	}
	for _, o := range newest {
		fits := (q.Till == "" || o.Till == q.Till) && (q.Status == "" || o.At(q.Now).Status == q.Status) && (q.Sale == "" || o.Sale == q.Sale) &&
			(q.Since.IsZero() || !o.CreatedAt.Before(q.Since)) && (q.Until.IsZero() || o.CreatedAt.Before(q.Until)) &&
			(q.Check.IsZero() || len(o.Attention(q.Check)) > 0) && (!q.Open || o.Open()) &&
			(strings.Contains(plain(strings.Join(texts(o), "\n")), plain(q.Search)) || plain(q.Search) != "" && o.Amount == q.Amount)
		if fits && len(found) < cmp.Or(q.Limit, 50) {
			o.Findings = nil
			o.PaidWith = m.paidWith(o)
			found = append(found, o)
		}
	}
	return found
}

// paidWith returns the other orders with money of the order's sale, or none if the order is not
// superseded; see [payments.Facts].
func (m *model) paidWith(order payments.Order) []payments.Order {
	if !order.Facts.Superseded {
		return nil
	}
	others := m.find(func(o payments.Order) bool {
		return o.Sale == order.Sale && o.Sale != "" && o.Reference != order.Reference && o.Net() > 0
	})
	return append([]payments.Order{}, withoutItems(others...)...)
}

func (m *model) posted(query ledger.Query) []ledger.Transfer {
	return filtered(m.transfers, func(t ledger.Transfer) bool {
		return (query.Till == "" || t.Till == query.Till) && t.ID > query.After && (query.Until == 0 || t.ID <= query.Until) &&
			(query.Kind == "" || t.Kind == query.Kind) && (query.Period.To.IsZero() || query.Period.Contains(t.At)) &&
			(query.Payment.Ref == "" || t.Payment == query.Payment) && (query.Account == "" || t.From == query.Account || t.To == query.Account)
	})
}

func (m *model) compareLedger(t *testing.T, store Store) {
	t.Helper()
	from := m.at()
	period := money.Period{From: from, To: from.Add(time.Duration(m.IntN(120)) * time.Minute), Sold: m.coin()}
	query := ledger.Query{Till: pick(m, "", "T1", otherTill), After: m.Int64N(9), Until: m.Int64N(90), Kind: pick(m, "", ledger.Sale, ledger.Closing)}
	if m.coin() {
		query.Period = period
	}
	if m.coin() {
		query.Payment = ledger.Payment{Kind: ledger.ByOrder, Ref: m.reference()}
	}
	if m.coin() {
		query.Account = ledger.Customer(pick(m, "a", "b"))
	}
	check(t, "read the ledger", store.View(t.Context(), func(tx drawer.Tx) error {
		transfers, err := tx.Transfers(query)
		until := m.Int64N(90)
		last, lastErr := tx.LastClosing("T1", until)
		var want ledger.Transfer
		if all := m.posted(ledger.Query{Till: "T1", Kind: ledger.Closing}); until > 0 {
			for _, closing := range all {
				if closing.ID < until {
					want = closing
				}
			}
		}
		counted, countedErr := tx.Takings(period)
		return errors.Join(err, lastErr, countedErr, differs(fmt.Sprintf("the transfers of %+v", query), transfers, m.posted(query)),
			differs("the last closing", last, want), differs(fmt.Sprintf("the takings of %+v", period), sorted(counted), m.takings(period)))
	}))
}

// takings is [drawer.Tx].Takings in the model.
func (m *model) takings(period money.Period) (counted []drawer.Counted) {
	for _, order := range m.orders {
		moved := m.posted(ledger.Query{Payment: paymentOf(order)})
		sales := filtered(moved, func(t ledger.Transfer) bool { return t.Kind == ledger.Sale || t.Kind == ledger.Paid })
		inside := slices.ContainsFunc(moved, func(t ledger.Transfer) bool { return period.Contains(t.At) })
		at := order.CreatedAt
		if len(sales) > 0 {
			at = sales[0].At
		}
		order.Findings = nil
		if !inside || !period.Sold {
			order.Items = nil
		}
		if inside || period.Contains(order.CreatedAt) {
			counted = append(counted, drawer.Counted{Order: order, At: at})
		}
	}
	return sorted(counted)
}

// sorted sorts orders by their references, because orders that count at the same time have no order.
func sorted(counted []drawer.Counted) []drawer.Counted {
	return slices.SortedFunc(slices.Values(counted), func(a, b drawer.Counted) int { return cmp.Compare(a.Reference, b.Reference) })
}

func (m *model) post(tx payments.Tx) error {
	way := pick(m, [2]ledger.Account{ledger.Sales, ledger.Service}, [2]ledger.Account{ledger.Sales, ledger.Drawer("T1")},
		[2]ledger.Account{ledger.Customer("a"), ledger.Service}, [2]ledger.Account{ledger.Customer("b"), ledger.Drawer("T1")})
	if m.coin() {
		way[0], way[1] = way[1], way[0]
	}
	transfer := ledger.Transfer{
		At: m.at(), Booked: m.at(), Kind: pick(m, ledger.Sale, ledger.Sale, ledger.Paid, ledger.Refund, ledger.Refund, ledger.Count, ledger.Closing),
		From: way[0], To: way[1], Amount: money.Ariary(m.IntN(9000)),
		Till: pick(m, "T1", otherTill), By: pick(m, "", "Soa"), Corrects: m.Int64N(3), Note: m.text(),
		Payment: pick(m, ledger.Payment{}, ledger.Payment{Kind: ledger.AtCounter, Ref: m.reference()}, ledger.Payment{Kind: ledger.ByOrder, Ref: m.reference()}),
	}
	err := tx.Post(transfer)
	transfer.ID = int64(len(m.transfers) + 1)
	m.transfers = append(m.transfers, transfer)
	at := slices.IndexFunc(m.orders, func(o payments.Order) bool { return paymentOf(o) == transfer.Payment })
	if at < 0 {
		return err
	}
	m.orders[at].Refunds = m.refunds(m.orders[at].Reference)
	return errors.Join(err, tx.SaveOrder(m.orders[at])) // The stored open flag depends on the refunds.
}

func (m *model) refunds(reference string) (sums payments.Refunds) {
	payment := paymentOf(payments.Order{Reference: reference})
	for _, transfer := range m.posted(ledger.Query{Kind: ledger.Refund, Payment: payment}) {
		sums.Area -= transfer.Into(ledger.Service)
		sums.Cash -= transfer.Into(ledger.Drawer("T1"))
	}
	return sums
}

// readDebts compares a customer's debt, and the orders that may pay the debt, with the model.
func (m *model) readDebts(tx payments.Tx) error {
	account := ledger.Customer(pick(m, "a", "b"))
	var balance money.Ariary
	for _, transfer := range m.transfers {
		balance += transfer.Into(account)
	}
	want := []string{}
	for _, order := range m.orders {
		if order.Debt == account && !order.Paid() {
			want = append(want, order.Reference)
		}
	}
	owed, err := tx.Owed(account)
	orders, ordersErr := tx.DebtOrders(account)
	got := []string{}
	for _, order := range orders {
		got = append(got, order.Reference)
	}
	return errors.Join(err, ordersErr, differs("what a customer owes", owed, balance), differs("the orders of a debt", got, want))
}
