package sheet

import (
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/component/badge"
)

// Cash returns the sheet of a sale at the counter.
func (t Teller) Cash(sale drawer.CounterSale) Sheet {
	words := t.Texts.Cash
	of := OfCash(t.Texts, sale)
	told := Sheet{
		Title: sale.Number, Badge: of, Till: sale.Till, Made: sale.At, Amount: sale.Amount, Total: max(sale.Amount, sale.Total), Items: sale.Items,
		Known: known(Row{Label: t.Texts.Debts.Name, Value: sale.Customer}),
		Steps: []Step{{sale.At, of.Sign, t.Theme.Strong, []string{badge.OfTender(t.Texts, sale.Tender()).Name + " " + t.Texts.Pay.By.With(sale.By)}}},
	}
	if sale.Amount < sale.Total {
		told.Sums = append(told.Sums, t.part(sale.Amount, sale.RestOf))
	}
	if way, _ := sale.Tender().Way(); way.Given {
		told.Sums = append(told.Sums, Row{Label: words.Gave, Value: i18n.Number(int64(sale.Given))},
			Row{Label: t.Texts.Receipt.Change, Value: i18n.Number(int64(sale.Change()))})
	}
	if sale.Refunded > 0 {
		told.Sums = append(told.Sums, Row{Label: t.Texts.Receipt.Refunded, Value: i18n.Number(-int64(sale.Refunded))})
	}
	for _, refund := range sale.Refunds {
		told.Steps = append(told.Steps, t.refund(refund, !sale.Account.IsDrawer()))
	}
	return told
}

// OfCash returns the badge of a sale at the counter: voided, wholly refunded, or else how it was
// paid.
func OfCash(texts i18n.Texts, sale drawer.CounterSale) badge.Badge {
	of := badge.OfTender(texts, sale.Tender())
	switch {
	case sale.Voided():
		of.Name, of.Short = texts.Cash.Voided, texts.Cash.Voided
	case sale.Refunded == sale.Amount:
		of.Name, of.Short = texts.Verdicts[payments.VerdictRefunded], texts.Verdicts[payments.VerdictRefunded]
	}
	return of
}
