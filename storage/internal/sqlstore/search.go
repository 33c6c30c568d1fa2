package sqlstore

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"checkout/till/payments"
)

const (
	// maxSearch bounds a text that is searched for, in characters. A longer one
	// is cut: databases limit the length of a pattern.
	maxSearch = 1000
	// trigram is the minimum length of a text that the index finds, in characters.
	trigram = 3
	// fewOrders is up to how many rows a scan is cheaper than the index.
	fewOrders = 2_000
	// recentOrders is how many of the newest orders are scanned for a shorter text.
	recentOrders = 10_000
)

// searchText is the content of an order's column search: its terms and its order
// reference, folded.
func searchText(order payments.Order) string {
	text := fold(order.Reference) + "\n" + fold(order.Description)
	for _, item := range order.Items {
		// A description that was made from the items names them already.
		if label := fold(item.Label); !strings.Contains(text, label) {
			text += "\n" + label
		}
	}
	return text + lateText(order.OrderReference)
}

// lateText is the part of searchText that is known after the order call.
func lateText(orderReference string) string {
	if orderReference == "" {
		return ""
	}
	return "\n" + fold(orderReference)
}

// fold normalizes a text for searching: NFKD without combining marks, in lower
// case, every white space as a blank, nothing that is not printable.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsMark(r), !unicode.IsPrint(r):
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(strings.ToValidUTF8(text, "")))
}

// searchPattern returns a query's text, folded and truncated.
func searchPattern(text string) string {
	text = fold(text)
	if utf8.RuneCountInString(text) > maxSearch {
		text = string([]rune(text)[:maxSearch])
	}
	return text
}

// search restricts a query to the orders that contain a text, newest first by
// insertion. The trigram index is used where the other conditions match many
// orders; a text that is too short for it is searched among the newest.
func (c *conditions) search(t *tx, index bool, query payments.Query) error {
	text, key := searchPattern(query.Search), "o.id"
	few, err := c.leaveFew(t)
	if err != nil {
		return err
	}
	short := utf8.RuneCountInString(text) < trigram
	if index && !few && !short {
		c.from, key = "orders_search s JOIN orders o ON o.id = s.rowid", "s.rowid"
		c.add("s.search GLOB $?", "*"+strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]").Replace(text)+"*")
	} else {
		c.add(`o.search LIKE $? ESCAPE '\'`, "%"+strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)+"%")
	}
	if short && !few {
		c.add("o.id > (SELECT max(id) FROM orders) - $?", recentOrders)
	}
	if query.Before != "" {
		c.add(key+" < (SELECT b.id FROM orders b WHERE b.reference = $?)", query.Before)
	}
	c.order = key + " DESC"
	return nil
}

// leaveFew tells whether the conditions match few orders.
func (c *conditions) leaveFew(t *tx) (bool, error) {
	if len(c.where) == 0 {
		return false, nil
	}
	text, args := c.statement(fewOrders)
	count, err := one(t, scanOne[int], "SELECT count(*) FROM (SELECT 1 FROM "+text+") few", args...)
	return count < fewOrders, err
}
