package orders

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/component/list"
	"checkout/till/tui/entry"
)

const cashDays = 7 // Number of days, with today, in the list of cash sales.

// readCash returns the shop's cash sales of the last cashDays days, newest first. It includes sales
// in the future, from before the clock was set back. If the sale with the given number is older, it
// is added at the end.
func readCash(ctx context.Context, service *drawer.Service, zone *time.Location, number string) ([]drawer.CounterSale, error) {
	now := service.Now().In(zone)
	sales, err := service.CounterSales(ctx, money.Period{From: service.DayOf(now.AddDate(0, 0, 1-cashDays)).From, To: now.AddDate(100, 0, 0)})
	slices.Reverse(sales)
	listed := slices.ContainsFunc(sales, func(sale drawer.CounterSale) bool { return sale.Number == number })
	if err != nil || number == "" || listed {
		return sales, err
	}
	older, err := service.CounterSale(ctx, number)
	return append(sales, older), err
}

// findCash returns the cash sales that match the text or the amount of wanted. If wanted names a
// day, findCash searches the cash sales of that day instead of the given sales.
func findCash(ctx context.Context, service *drawer.Service, sales []drawer.CounterSale, wanted payments.Query) ([]drawer.CounterSale, error) {
	if !wanted.Since.IsZero() {
		ofDay, err := service.CounterSales(ctx, money.Period{From: wanted.Since, To: wanted.Until})
		if err != nil {
			return nil, err
		}
		slices.Reverse(ofDay)
		sales = ofDay
	}
	if wanted.Search == "" {
		return sales, nil
	}
	text := entry.Fold(wanted.Search)
	return slices.DeleteFunc(sales, func(sale drawer.CounterSale) bool {
		found := []string{sale.Number, sale.Description, sale.Customer}
		for _, item := range sale.Items {
			found = append(found, item.Label)
		}
		byAmount := wanted.Amount != 0 && (sale.Amount == wanted.Amount || sale.Total == wanted.Amount)
		return !byAmount && !strings.Contains(entry.Fold(strings.Join(found, "\n")), text)
	}), nil
}

func (m Model) openCash(number string) (Model, tea.Cmd) {
	m, _ = m.show(cash)
	m.number = number
	m.detail.focused = true
	cmd := m.renew()
	return m, cmd
}

func (m Model) chosenCash() (drawer.CounterSale, bool) {
	return list.Chosen(m.master.List, m.page.cash)
}

func (h history) created(row int) time.Time {
	if h.tab == cash {
		return h.page.cash[row].At
	}
	order, _ := h.at(row)
	return order.CreatedAt
}

// cashOf adds up the cash sales of a day, minus refunds, without voided sales and paid debts. The
// rest of a sale adds its money but does not count as another sale.
func cashOf(sales []drawer.CounterSale, day money.Period) money.Sum {
	var sum money.Sum
	for _, sale := range sales {
		if !day.Contains(sale.At) || sale.Voided() || sale.Debt != "" {
			continue
		}
		if sale.RestOf == "" {
			sum.Count++
		}
		sum.Amount += sale.Amount - sale.Refunded
	}
	return sum
}
