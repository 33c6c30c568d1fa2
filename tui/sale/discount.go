package sale

import (
	"errors"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
)

// ErrDiscount says that a text gives no new price above zero.
var ErrDiscount = errors.New("not a discount")

// Discounted reads a new unit price for what costs full: the price itself, a
// share that is taken off ("10%"), or an amount that is ("-500"). A share is
// rounded to the nearest ariary. The errors are ErrDiscount and
// payments.ErrTooLarge.
func Discounted(text string, full payments.Ariary) (payments.Ariary, error) {
	words := strings.Fields(payments.Clean(text, maxEntry))
	if len(words) == 0 {
		return 0, ErrDiscount
	}
	text = strings.Join(dropUnit(words), " ")
	if share, is := strings.CutSuffix(text, "%"); is {
		return less(strings.TrimSpace(strings.TrimPrefix(share, "-")), full)
	}
	off, isOff := strings.CutPrefix(text, "-")
	amount, err := payments.ParseAriary(off)
	switch {
	case errors.Is(err, payments.ErrTooLarge):
		return 0, err
	case err != nil, isOff && amount >= full:
		return 0, ErrDiscount
	case isOff:
		return full - amount, nil
	}
	return amount, nil
}

// less takes a share of hundredths off a price.
func less(share string, full payments.Ariary) (payments.Ariary, error) {
	hundredths, err := strconv.ParseUint(share, 10, 7)
	if err != nil || hundredths > 100 {
		return 0, ErrDiscount
	}
	price := (full*payments.Ariary(100-hundredths) + 50) / 100
	if price < 1 {
		return 0, ErrDiscount
	}
	return price, nil
}

// reduce gives the chosen line another unit price. What is taken off is taken
// off the price before any discount.
func (m Model) reduce(text string) (Model, tea.Cmd) {
	if text == "" {
		return m.told(), nil
	}
	item := m.sale.Items[m.cursor]
	item.UnitPrice, item.ListPrice = fullPrice(item), 0
	price, err := Discounted(text, item.UnitPrice)
	if err == nil {
		item, err = item.At(price)
	}
	var cmd tea.Cmd
	if err == nil {
		m, cmd, err = m.replace(item)
	}
	if err != nil {
		return m.Warn(m.hint(err)), nil
	}
	return m.told(), cmd
}

// fullPrice is the unit price of an item before any discount.
func fullPrice(item payments.Item) payments.Ariary { return max(item.ListPrice, item.UnitPrice) }
