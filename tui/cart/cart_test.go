package cart_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/cart"
	"checkout/till/tui/tuitest"
)

func opening() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }

// empty returns a cart that numbers its sales S1, S2 and so on.
func empty() cart.Cart {
	n := 0
	return cart.New(func() payments.Sale {
		n++
		return payments.Sale{ID: fmt.Sprintf("S%d", n), Till: "T1"}
	})
}

func item(label string, price money.Ariary, quantity int64) payments.Item {
	return payments.Item{Label: label, UnitPrice: price, Quantity: quantity}
}

func vary() payments.Item { return item("Vary", 3500, 1) }

func with(t *testing.T, items ...payments.Item) cart.Cart {
	t.Helper()
	c := empty()
	for _, item := range items {
		var err error
		if c, _, err = c.Add(item); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// drawn formats a cart: the ID, the lines and the note of the current sale, and then the held sales
// with their names.
func drawn(c cart.Cart) string {
	text := sold(c.Sale)
	for _, held := range c.Held {
		text += " | " + held.Name + "=" + sold(held)
	}
	return text
}

func sold(sale payments.Sale) string {
	words := []string{sale.ID + ":"}
	for _, item := range sale.Items {
		words = append(words, fmt.Sprintf("%d×%s@%d", item.Quantity, item.Label, item.UnitPrice))
	}
	if sale.Description != "" {
		words = append(words, "("+sale.Description+")")
	}
	return strings.Join(words, " ")
}

// written formats the sales that are queued for writing, in their order.
func written(c cart.Cart) string {
	var all []string
	for _, sale := range c.Unsaved {
		all = append(all, sale.Name+"="+sold(*sale))
	}
	return strings.Join(all, " | ")
}

func TestAnUnchangedLineCannotBeUndone(t *testing.T) {
	c := with(t, vary())
	same, _, err := c.Replace(0, vary())
	tuitest.Must(t, err)
	if undone, _ := same.Annotate("").Undo(); !undone.Empty() {
		t.Errorf("after undo the cart is %q, want it empty", drawn(undone))
	}
}

func TestANewSaleHasANewID(t *testing.T) {
	for name, end := range map[string]func(c cart.Cart) cart.Cart{
		"after dropping the sale":      cart.Cart.Drop,
		"after removing the last line": func(c cart.Cart) cart.Cart { return c.Remove(0) },
	} {
		t.Run(name, func(t *testing.T) {
			c := end(with(t, vary()))
			tuitest.Equal(t, drawn(c)+" > "+written(c), "S2: > =S1:", "the cart")
			c, _, err := c.Add(item("Coca", 2000, 1))
			if err != nil || drawn(c) != "S2: 1×Coca@2000" {
				t.Errorf("the next sale is %q, %v", drawn(c), err)
			}
			c, _ = c.Undo()
			c, ok := c.Undo()
			if got := drawn(c) + " > " + written(c); !ok || got != "S1: 1×Vary@3500 > =S2: | =S1: 1×Vary@3500" {
				t.Errorf("after two undos the cart is %q", got)
			}
		})
	}
	t.Run("after undoing the first line", func(t *testing.T) {
		c, _ := with(t, vary()).Undo()
		tuitest.Equal(t, drawn(c)+" > "+written(c), "S2: > =S1:", "the cart")
	})
	t.Run("a sale with only a note is not untouched", func(t *testing.T) {
		c := with(t, vary()).Annotate("Rina\x1b").Remove(0)
		if c.Untouched() || !c.Empty() || drawn(c) != "S1: (Rina)" {
			t.Errorf("the cart is %q", drawn(c))
		}
	})
	t.Run("a charged sale cannot be undone", func(t *testing.T) {
		c := with(t, vary())
		c = c.Charged(c.Sale)
		if _, ok := c.Undo(); ok || drawn(c) != "S2:" {
			t.Errorf("the cart is %q", drawn(c))
		}
	})
	t.Run("a sale that was charged elsewhere", func(t *testing.T) {
		c := with(t, vary())
		before := c.Sale
		tuitest.Equal(t, drawn(c.Charged(before)), "S2:", "the cart")
		c, _, _ = c.Add(vary())
		tuitest.Equal(t, drawn(c.Charged(before)), "S1: 2×Vary@3500", "with new lines the cart")
		c, _, _ = c.Hold("Rina", opening())
		tuitest.Equal(t, drawn(c.Charged(before)), "S3: | Rina=S1: 2×Vary@3500", "held with new lines the cart")
	})
}

func TestRestoringTwiceKeepsOneCopyOfASale(t *testing.T) {
	stored := []payments.Sale{{ID: "C", Items: []payments.Item{vary()}}, {ID: "B", Name: "Rina", Items: []payments.Item{vary()}}}
	c, _ := empty().Restore(stored, opening())
	c, _ = c.Restore(stored, opening())
	tuitest.Equal(t, drawn(c), "C: 1×Vary@3500 | Rina=B: 1×Vary@3500", "after two restores the cart")
	c, _ = with(t, item("Coca", 2000, 1)).Restore(stored, opening())
	tuitest.Equal(t, drawn(c), "S1: 1×Coca@2000 | Rina=B: 1×Vary@3500 | 1=C: 1×Vary@3500", "with lines that were entered before, the cart")
	if c, _, _ := empty().PutBack(payments.Terms{Items: stored[0].Items}, opening()); c.Sale.ID == "" {
		t.Error("the lines of an order without a sale get no ID")
	}
}

func TestAResumedSaleHasNoUndoAndKeepsItsName(t *testing.T) {
	c, _, held := with(t, vary()).Hold("Rina", opening())
	c, _, err := c.Add(item("Coca", 2000, 1))
	if !held || err != nil {
		t.Fatal(held, err)
	}
	c = c.Drop().Resume(0)
	if _, ok := c.Undo(); ok {
		t.Error("a change of the previous sale can be undone")
	}
	tuitest.Equal(t, c.Charged(c.Sale).FreeName(), "1", "the free name of the next customer's sale")
}

func TestARestoredSaleHasNoUndo(t *testing.T) {
	c, resumed := with(t, vary()).Drop().Restore([]payments.Sale{{ID: "C", Items: []payments.Item{vary()}}}, opening())
	undone, ok := c.Undo()
	if !resumed || ok {
		t.Errorf("the restored sale is replaced by a dropped one: resumed %v, the cart is %q", resumed, drawn(undone))
	}
}

func TestAQuantityOfZeroIsRefused(t *testing.T) {
	if c, _, err := with(t, vary()).SetQuantity(0, 0); !errors.Is(err, payments.ErrInvalidItem) || drawn(c) != "S1: 1×Vary@3500" {
		t.Errorf("got %v and the cart %q, want ErrInvalidItem and no change", err, drawn(c))
	}
}
