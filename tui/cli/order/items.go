package order

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/tui/cli"
)

// parseItem reads LABEL:UNIT_PRICE[:QTY] from the right, so that a label may
// hold colons. Where the last two parts look like numbers they are price and
// quantity, and where one of them is no good number the item is refused: a
// label never swallows a mistyped price.
func parseItem(text string) (payments.Item, error) {
	rest, last, found := cutLast(text)
	if !found {
		return payments.Item{}, fmt.Errorf("item %q: write LABEL:UNIT_PRICE or LABEL:UNIT_PRICE:QTY", cli.Shown(text))
	}
	label, price, quantity := rest, last, "1"
	if before, middle, ok := cutLast(rest); ok && numeric(middle) {
		label, price, quantity = before, middle, last
	}
	unitPrice, err := payments.ParseAriary(price)
	if err != nil {
		return payments.Item{}, fmt.Errorf("item %q: unit price %q: %w", cli.Shown(text), cli.Shown(price), err)
	}
	count, err := payments.ParseAriary(quantity)
	if err != nil {
		return payments.Item{}, fmt.Errorf("item %q: the quantity %q is not a whole number above zero", cli.Shown(text), cli.Shown(quantity))
	}
	item, err := payments.NewItem(label, unitPrice, int64(count))
	if err != nil {
		return payments.Item{}, fmt.Errorf("item %q: %w", cli.Shown(text), err)
	}
	return item, nil
}

// cutLast parts a text at its last colon.
func cutLast(text string) (before, after string, found bool) {
	at := strings.LastIndexByte(text, ':')
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+1:], true
}

// numeric tells whether somebody meant a text as a number: it has a digit, and
// no letter but that of an exponent.
func numeric(text string) bool {
	letter := func(r rune) bool { return unicode.IsLetter(r) && r != 'e' && r != 'E' }
	return strings.ContainsFunc(text, unicode.IsDigit) && !strings.ContainsFunc(text, letter)
}

// maxItems bounds a list of items, in bytes.
const maxItems = 1 << 20

// readItems reads the "metadata" array of an order from a file, or from
// standard input when the name is "-".
func (a *app) readItems(name string) ([]payments.Item, error) {
	in, err := a.OpenInput(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	text, err := io.ReadAll(io.LimitReader(in, maxItems+1))
	if err != nil {
		return nil, fmt.Errorf("read items: %w", err)
	}
	if len(text) > maxItems {
		return nil, errors.New("the list of items is larger than 1 MiB")
	}
	decoded, err := gateway.DecodeItems(text)
	if err != nil {
		return nil, cli.Misused("%w", err)
	}
	items := make([]payments.Item, 0, len(decoded))
	for _, item := range decoded {
		items = append(items, item.Item())
	}
	return items, nil
}
