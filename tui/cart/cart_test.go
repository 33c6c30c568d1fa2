package cart_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/entry"
)

func opening() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }

// empty is a cart whose sales are called S1, S2 and so on.
func empty() cart.Cart {
	n := 0
	return cart.New(func() payments.Sale {
		n++
		return payments.Sale{ID: fmt.Sprintf("S%d", n), Till: "T1"}
	})
}

func item(label string, price payments.Ariary, quantity int64) payments.Item {
	return payments.Item{Label: label, UnitPrice: price, Quantity: quantity}
}

func reduced(label string, price, list payments.Ariary, quantity int64) payments.Item {
	return payments.Item{Label: label, UnitPrice: price, Quantity: quantity, ListPrice: list}
}

func vary() payments.Item { return item("Vary", 3500, 1) }

// with is a cart with lines.
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

// hold holds the sale, and enters another one.
func hold(t *testing.T, c cart.Cart, name string, next ...payments.Item) cart.Cart {
	t.Helper()
	c, _, err := c.Hold(name, opening())
	for _, item := range next {
		if err == nil {
			c, _, err = c.Add(item)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// drawn is a cart as a text: the sale's ID, its lines and its note, and then the
// held sales by their names.
func drawn(c cart.Cart) string {
	text := sold(c.Sale())
	for _, held := range c.Held() {
		text += " | " + held.Name + "=" + sold(held)
	}
	return text
}

func sold(sale payments.Sale) string {
	words := []string{sale.ID + ":"}
	for _, item := range sale.Items {
		word := fmt.Sprintf("%d×%s@%d", item.Quantity, item.Label, item.UnitPrice)
		if item.ListPrice > 0 {
			word += fmt.Sprintf("/%d", item.ListPrice)
		}
		words = append(words, word)
	}
	if sale.Description != "" {
		words = append(words, "("+sale.Description+")")
	}
	return strings.Join(words, " ")
}

// written are the sales of the write queue, in their order.
func written(c cart.Cart) string {
	var all []string
	for _, sale := range c.Unsaved() {
		all = append(all, sale.Name+"="+sold(*sale))
	}
	return strings.Join(all, " | ")
}

func TestLinesChangeByTheirRules(t *testing.T) {
	two := []payments.Item{vary(), reduced("Coca", 1800, 2000, 2)}
	type change func(c cart.Cart) (cart.Cart, cart.Line, error)
	add := func(item payments.Item) change {
		return func(c cart.Cart) (cart.Cart, cart.Line, error) { return c.Add(item) }
	}
	replace := func(index int, item payments.Item) change {
		return func(c cart.Cart) (cart.Cart, cart.Line, error) { return c.Replace(index, item) }
	}
	correct := func(item payments.Item) change {
		return func(c cart.Cart) (cart.Cart, cart.Line, error) { return c.Correct(1, item) }
	}
	quantity := func(quantity int64) change {
		return func(c cart.Cart) (cart.Cart, cart.Line, error) { return c.SetQuantity(1, quantity) }
	}
	discount := func(text string) change {
		return func(c cart.Cart) (cart.Cart, cart.Line, error) { return c.Discount(1, text) }
	}
	first, second, third, joined := cart.Line{}, cart.Line{Index: 1}, cart.Line{Index: 2}, cart.Line{Joined: true}
	for name, c := range map[string]struct {
		change change
		want   string
		line   cart.Line
		err    error
	}{
		"another item is the last line":     {add(item("Savony", 500, 1)), "1×Vary@3500 2×Coca@1800/2000 1×Savony@500", third, nil},
		"the same item joins its line":      {add(item("Vary", 3500, 2)), "3×Vary@3500 2×Coca@1800/2000", joined, nil},
		"at another price it does not":      {add(item("Vary", 3000, 1)), "1×Vary@3500 2×Coca@1800/2000 1×Vary@3000", third, nil},
		"with another list price neither":   {add(item("Coca", 1800, 1)), "1×Vary@3500 2×Coca@1800/2000 1×Coca@1800", third, nil},
		"T4 a line too many":                {add(item("Zebu", payments.MaxAriary, 1)), "", first, payments.ErrTooLarge},
		"T4 a line too much":                {add(item("Vary", 3500, int64(payments.MaxAriary)/3500)), "", first, payments.ErrTooLarge},
		"a line is replaced in its place":   {replace(0, item("Vary", 3000, 5)), "5×Vary@3000 2×Coca@1800/2000", first, nil},
		"one that becomes another joins it": {replace(1, item("Vary", 3500, 2)), "3×Vary@3500", joined, nil},
		"a correction keeps the list price": {correct(item("Coca", 1700, 1)), "1×Vary@3500 1×Coca@1700/2000", second, nil},
		"another article has its own":       {correct(item("Fanta", 1700, 1)), "1×Vary@3500 1×Fanta@1700", second, nil},
		"at the full price there is none":   {correct(item("Coca", 2000, 1)), "1×Vary@3500 1×Coca@2000", second, nil},
		"a quantity leaves the discount":    {quantity(5), "1×Vary@3500 5×Coca@1800/2000", second, nil},
		"a quantity of nothing is refused":  {quantity(0), "", first, payments.ErrInvalidItem},
		"a discount is off the list price":  {discount("-500"), "1×Vary@3500 2×Coca@1500/2000", second, nil},
		"one to the list price is none":     {discount("2000"), "1×Vary@3500 2×Coca@2000", second, nil},
		"what is no discount is refused":    {discount("?"), "", first, entry.ErrDiscount},
	} {
		t.Run(name, func(t *testing.T) {
			before := with(t, two...)
			after, line, err := c.change(before)
			if !errors.Is(err, c.err) || err == nil && line != c.line {
				t.Errorf("it changed %+v, %v; want %+v, %v", line, err, c.line, c.err)
			}
			want := c.want
			if err != nil {
				want = "1×Vary@3500 2×Coca@1800/2000"
			}
			if got := drawn(after); got != "S1: "+want {
				t.Errorf("the cart is %q, want %q", got, want)
			}
			if got := drawn(before); got != "S1: 1×Vary@3500 2×Coca@1800/2000" {
				t.Errorf("the cart before became %q", got)
			}
			if undone, ok := after.Undo(); err == nil && (!ok || drawn(undone) != drawn(before)) {
				t.Errorf("undone, it is %q", drawn(undone))
			}
		})
	}
}

func TestAnUnchangedLineIsNothingToUndo(t *testing.T) {
	c := with(t, vary())
	same, _, err := c.Replace(0, vary())
	if err != nil {
		t.Fatal(err)
	}
	if undone, _ := same.Annotate("").Undo(); !undone.Empty() {
		t.Errorf("undone, the cart is %q", drawn(undone))
	}
}

func TestUndoHasAHundredSteps(t *testing.T) {
	c := with(t, vary())
	for n := range int64(2 * cart.MaxUndo) {
		c, _, _ = c.SetQuantity(0, n+2)
	}
	for range cart.MaxUndo {
		var ok bool
		if c, ok = c.Undo(); !ok {
			t.Fatal("there are fewer")
		}
	}
	if _, ok := c.Undo(); ok || c.Items()[0].Quantity != cart.MaxUndo+1 {
		t.Errorf("there are more, and the line is %+v", c.Items()[0])
	}
}

func TestANewCustomerHasASaleOfAnotherID(t *testing.T) {
	for name, end := range map[string]func(c cart.Cart) cart.Cart{
		"after the sale was dropped":        cart.Cart.Drop,
		"after the last line was taken out": func(c cart.Cart) cart.Cart { return c.Remove(0) },
	} {
		t.Run(name, func(t *testing.T) {
			c := end(with(t, vary()))
			if got := drawn(c) + " > " + written(c); got != "S2: > =S1:" {
				t.Errorf("the cart is %q", got)
			}
			c, _, err := c.Add(item("Coca", 2000, 1))
			if err != nil || drawn(c) != "S2: 1×Coca@2000" {
				t.Errorf("the next sale is %q, %v", drawn(c), err)
			}
			c, _ = c.Undo()
			c, ok := c.Undo()
			if got := drawn(c) + " > " + written(c); !ok || got != "S1: 1×Vary@3500 > =S2: | =S1: 1×Vary@3500" {
				t.Errorf("undone, the cart is %q", got)
			}
		})
	}
	t.Run("a note is something to lose", func(t *testing.T) {
		c := with(t, vary()).Annotate("Rina\x1b").Remove(0)
		if c.Untouched() || !c.Empty() || drawn(c) != "S1: (Rina)" {
			t.Errorf("the cart is %q", drawn(c))
		}
	})
	t.Run("an order was made of the sale, which is gone for good", func(t *testing.T) {
		c := with(t, vary()).Charged("S1")
		if _, ok := c.Undo(); ok || drawn(c) != "S2:" {
			t.Errorf("the cart is %q", drawn(c))
		}
	})
	t.Run("an order was made of it elsewhere", func(t *testing.T) {
		c := with(t, vary())
		before := c.Sale()
		if got := drawn(c.ChargedAs(before)); got != "S2:" {
			t.Errorf("the cart is %q", got)
		}
		c, _, _ = c.Add(vary())
		if got := drawn(c.ChargedAs(before)); got != "S1: 2×Vary@3500" {
			t.Errorf("with other lines by now it is %q", got)
		}
	})
}

func TestSalesAreHeldByNames(t *testing.T) {
	coca, savony := item("Coca", 2000, 1), item("Savony", 500, 1)
	c := hold(t, with(t, vary()), "", coca)
	c = hold(t, c, "Rina\x1b", savony)
	if got, want := drawn(c), "S3: 1×Savony@500 | 1=S1: 1×Vary@3500 | Rina=S2: 1×Coca@2000"; got != want {
		t.Fatalf("held, it is %q, want %q", got, want)
	}
	t.Run("of which each is there once, whatever its letters look like", func(t *testing.T) {
		if _, name, err := c.Hold("RÍNA", opening()); !errors.Is(err, cart.ErrNameTaken) || name != "RÍNA" {
			t.Errorf("the second %q gives %v", name, err)
		}
		if at := c.HeldAs("rina"); at != 1 {
			t.Errorf("it is held at %d", at)
		}
		if name := c.FreeName(); name != "2" {
			t.Errorf("the free name is %q", name)
		}
	})
	t.Run("and resumed, the name being free for them again", func(t *testing.T) {
		resumed := hold(t, c, "").Resume(1)
		if got, want := drawn(resumed), "S2: 1×Coca@2000 | 1=S1: 1×Vary@3500 | 2=S3: 1×Savony@500"; got != want {
			t.Errorf("it is %q, want %q", got, want)
		}
		if name := resumed.FreeName(); name != "Rina" {
			t.Errorf("the free name is %q", name)
		}
		if _, ok := resumed.Undo(); ok {
			t.Error("what was done to another sale can be undone")
		}
	})
	t.Run("and dropped, or charged", func(t *testing.T) {
		for how, after := range map[string]cart.Cart{"dropped": c.DropHeld(0), "charged": c.Charged("S1")} {
			if got, want := drawn(after), "S3: 1×Savony@500 | Rina=S2: 1×Coca@2000"; got != want {
				t.Errorf("%s, it is %q, want %q", how, got, want)
			}
		}
	})
}

func TestLinesThatComeBackReplaceNothing(t *testing.T) {
	terms := payments.Terms{Sale: "S7", Till: "T1", Items: []payments.Item{vary()}, Description: "Rina"}
	for name, c := range map[string]struct {
		cart   cart.Cart
		heldAs string
		want   string
	}{
		"into an empty sale":            {empty(), "", "S7: 1×Vary@3500 (Rina)"},
		"beside one that has something": {with(t, vary()), "1", "S1: 1×Vary@3500 | 1=S7: 1×Vary@3500 (Rina)"},
	} {
		t.Run(name, func(t *testing.T) {
			after, heldAs, ok := c.cart.GiveBack(terms, opening())
			if !ok || heldAs != c.heldAs || drawn(after) != c.want {
				t.Errorf("held as %q, the cart is %q; want %q, %q", heldAs, drawn(after), c.heldAs, c.want)
			}
			if again, _, ok := after.GiveBack(terms, opening()); ok || drawn(again) != c.want {
				t.Errorf("the second time it is %q", drawn(again))
			}
		})
	}
	terms.Sale = ""
	if after, _, _ := empty().GiveBack(terms, opening()); after.Sale().ID == "" {
		t.Error("lines of an order without a sale have no ID")
	}
}

func TestUnfinishedSalesAreBackAfterARestart(t *testing.T) {
	sale := func(id, name string) payments.Sale {
		return payments.Sale{ID: id, Name: name, Items: []payments.Item{item(id, 100, 1)}}
	}
	stored := []payments.Sale{sale("C", ""), sale("B", "Rina"), sale("A", "")}
	for name, c := range map[string]struct {
		cart    cart.Cart
		resumed bool
		want    string
	}{
		"the newest one without a name goes on": {empty(), true, "C: 1×C@100 | Rina=B: 1×B@100 | 1=A: 1×A@100"},
		"unless something was entered meanwhile": {
			with(t, vary()), false, "S1: 1×Vary@3500 | Rina=B: 1×B@100 | 1=A: 1×A@100 | 2=C: 1×C@100",
		},
	} {
		t.Run(name, func(t *testing.T) {
			after, resumed := c.cart.Restore(stored, opening())
			if resumed != c.resumed || drawn(after) != c.want {
				t.Errorf("%v, the cart is %q; want %q", resumed, drawn(after), c.want)
			}
			if again, _ := after.Restore(stored, opening()); drawn(again) != c.want {
				t.Errorf("restored twice, it is %q", drawn(again))
			}
		})
	}
}

func TestTheWriteQueueHasTheNewestStateOfEachSale(t *testing.T) {
	c := hold(t, with(t, vary(), vary()), "", item("Coca", 2000, 1))
	first := c.Unsaved()[0]
	for _, step := range []struct {
		name string
		cart cart.Cart
		want string
	}{
		{"at first", c, "1=S1: 2×Vary@3500 | =S2: 1×Coca@2000"},
		{"after the first write", c.Written(first), "=S2: 1×Coca@2000"},
		{"with a newer state of what was written", c.DropHeld(0).Written(first), "=S2: 1×Coca@2000 | =S1:"},
	} {
		if got := written(step.cart); got != step.want {
			t.Errorf("%s there wait %q, want %q", step.name, got, step.want)
		}
	}
}

func TestTheTermsOfAnOrderAreTheSales(t *testing.T) {
	terms := with(t, vary()).Annotate("Rina").Terms()
	if terms.Sale != "S1" || terms.Till != "T1" || terms.Description != "Rina" || !slices.Equal(terms.Items, []payments.Item{vary()}) {
		t.Errorf("the terms are %+v", terms)
	}
}
