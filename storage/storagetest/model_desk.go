package storagetest

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

func (m *model) saveSale(tx payments.Tx) error {
	sale := payments.Sale{ID: pick(m, "a", "b", "c"), Till: pick(m, "T1", otherTill), Name: m.text(), Description: m.text(), Debt: pick(m, "", ledger.Customer("a")), UpdatedAt: m.at()}
	sale.Items = m.order().Items
	m.sales[sale.ID] = sale
	return tx.SaveSale(sale)
}

func (m *model) dropSale(tx payments.Tx) error {
	id := pick(m, "a", "b", "nobody's")
	delete(m.sales, id)
	return tx.DropSale(id)
}

func (m *model) takeNumber(tx payments.Tx) error {
	series := pick(m, "a", "b", "")
	m.numbers[series]++
	number, err := tx.NextNumber(series)
	last, lastErr := tx.LastSeries("a", "c")
	want := ""
	for series := range m.numbers {
		want = max(want, series)
	}
	return errors.Join(err, lastErr, differs("the number", number, m.numbers[series]), differs("the last series", last, want))
}

func (m *model) tillOf(tx payments.Tx) error {
	code, name := pick(m, "A", "B"), pick(m, "a", "A", "b")
	if m.tills[code] == "" {
		m.tills[code] = name
	}
	got, err := tx.ClaimTill(code, name)
	return errors.Join(err, differs("the till's name", got, m.tills[code]))
}

func (m *model) saveArticle(tx payments.Tx) error {
	article := payments.Article{
		ID: pick(m, "1", "2", "3", "4"), Label: pick(m, "Vary", "Akoho", "Coca", "Mofo", "Koba “gasy”"), UnitPrice: money.MaxAriary,
		Code: pick(m, "", "", "6111000000017", "7"), Favourite: m.IntN(4), Uses: m.Int64N(3),
	}
	handed := article
	got, failed := tx.Article(article.ID)
	stored, is := m.articles[article.ID]
	if is {
		article.Uses = stored.Uses // SaveArticle keeps the stored use count.
	} else if errors.Is(failed, payments.ErrNotFound) {
		failed = nil
	}
	others, want := maps.Clone(m.articles), error(nil)
	delete(others, article.ID)
	for id, other := range others {
		switch {
		case other.Label == article.Label:
			want = payments.ErrLabelTaken
		case other.Code == article.Code && article.Code != "" && want == nil:
			want = payments.ErrCodeTaken
		case other.Favourite == article.Favourite:
			other.Favourite = 0
			others[id] = other
		}
	}
	if want == nil {
		others[article.ID] = article
		m.articles = others
	}
	return errors.Join(failed, differs("the article", got, stored), fails("save an article", tx.SaveArticle(handed), want))
}

func (m *model) dropArticle(tx payments.Tx) error {
	id := pick(m, "1", "2", "nobody's")
	delete(m.articles, id)
	return tx.DropArticle(id)
}

func (m *model) countUse(tx payments.Tx) error {
	label := pick(m, "Vary", "Akoho", "nobody's")
	for id, article := range m.articles {
		if article.Label == label {
			article.Uses++
			m.articles[id] = article
		}
	}
	return tx.CountUse(label)
}

func (m *model) saveCashier(tx payments.Tx) error {
	cashier := staff.Cashier{
		Name: pick(m, "Soa", "Hasina “R”", "Rado"), Role: pick(m, staff.RoleOwner, staff.RoleCashier),
		PIN: staff.PINHash{Salt: []byte{0, byte(m.IntN(9))}, Sum: []byte{255}, Iterations: 1 + m.IntN(600_000)},
	}
	if m.coin() {
		cashier.Tries = map[string]staff.Tries{"T1": {Failed: 4, Until: m.at()}}
	}
	err := tx.SaveCashier(cashier)
	m.cashiers[cashier.Name] = cashier
	return err
}

func (m *model) saveTries(tx payments.Tx) error {
	name := pick(m, "Soa", "Rado", "nobody")
	var tries map[string]staff.Tries
	if m.coin() {
		tries = map[string]staff.Tries{"T1": {Failed: 1 + m.IntN(9)}, "Caisse “2”": {Failed: 9, Until: m.at()}}
	}
	if cashier, is := m.cashiers[name]; is {
		cashier.Tries = tries
		m.cashiers[name] = cashier
	}
	return tx.SaveTries(name, tries)
}

func (m *model) dropCashier(tx payments.Tx) error {
	name := pick(m, "Soa", "nobody")
	delete(m.cashiers, name)
	return tx.DropCashier(name)
}

func (m *model) sortedCashiers() []staff.Cashier {
	return slices.SortedFunc(maps.Values(m.cashiers), func(a, b staff.Cashier) int { return cmp.Compare(a.Name, b.Name) })
}

func (m *model) readStaff(tx payments.Tx) error {
	cashiers, err := tx.Cashiers()
	return errors.Join(err, differs("the cashiers", cashiers, m.sortedCashiers()))
}
