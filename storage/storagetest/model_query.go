package storagetest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
)

func (m *model) query() (q payments.Query) {
	for range m.IntN(4) {
		switch m.IntN(11) {
		case 0:
			q.Till = pick(m, "T1", "T2", "T3")
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
			if len(m.orders) > 0 { // Choose a moment around the end of a link's grace period.
				q.Check = pick(m, m.orders...).Link.ExpiresAt.Add(payments.LinkGrace + time.Duration(m.IntN(3)-1))
			}
		case 6:
			q.Open = true
		case 7:
			q.Before = m.reference()
		case 8:
			q.Limit = 1 + m.IntN(5)
		default:
			q.Search = m.part()
		}
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
	if q.Search == "" {
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
			strings.Contains(plain(strings.Join(texts(o), "\n")), plain(q.Search))
		if fits && len(found) < cmp.Or(q.Limit, 50) {
			o.Findings = nil
			found = append(found, o)
		}
	}
	return found
}

type taken struct {
	at       time.Time
	paid     bool
	amount   payments.Ariary
	verdict  payments.Verdict
	gross    payments.Ariary
	refunded payments.Ariary
	items    []payments.Item // The sold items; only for a paid order, if period.Sold is set.
}

// compareTakings compares a period's takings with the model's, computed by the domain's methods.
func (m *model) compareTakings(t *testing.T, store Store) {
	t.Helper()
	from := m.at()
	period := payments.Period{From: from, To: from.Add(time.Duration(m.IntN(120)) * time.Minute), Sold: m.coin()}
	of := func(o payments.Order) taken {
		is := taken{at: o.CountedAt(), paid: o.Paid(), amount: o.Amount, verdict: o.Verdict(payments.Conditions{}, period.To)}
		begun, ended := o.Before(period.From), o.Before(period.To)
		is.gross, is.refunded = ended.Gross()-begun.Gross(), ended.Refunded()-begun.Refunded()
		if period.Sold && is.paid {
			is.items = slices.SortedFunc(slices.Values(o.Items), func(a, b payments.Item) int {
				return cmp.Or(cmp.Compare(a.Label, b.Label), cmp.Compare(a.UnitPrice, b.UnitPrice), cmp.Compare(a.Quantity, b.Quantity))
			})
		}
		return is
	}
	var want, got []taken
	for _, paid := range []bool{true, false} {
		counted := m.find(func(o payments.Order) bool {
			return o.Paid() == paid && !o.CountedAt().Before(period.From) && o.CountedAt().Before(period.To)
		})
		slices.SortStableFunc(counted, func(a, b payments.Order) int { return a.CountedAt().Compare(b.CountedAt()) })
		for _, o := range counted {
			want = append(want, of(o))
		}
	}
	orders, err := store.Takings(t.Context(), period)
	for _, order := range orders {
		if !order.CountedAt().Before(period.From) && order.CountedAt().Before(period.To) {
			got = append(got, of(order))
		}
	}
	// The sequence of unpaid orders is not defined, so sort them.
	for _, counted := range [][]taken{got, want} {
		paid := slices.IndexFunc(append(counted, taken{}), func(one taken) bool { return !one.paid })
		slices.SortFunc(counted[paid:], func(a, b taken) int {
			return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.amount, b.amount), cmp.Compare(a.verdict, b.verdict))
		})
	}
	what := fmt.Sprintf("the takings of %+v", period)
	check(t, what, err)
	check(t, what, differs(what, got, want))
}
