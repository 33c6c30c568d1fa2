package payments_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
)

func TestNewItem(t *testing.T) {
	for _, test := range []struct {
		name      string
		label     string
		unitPrice money.Ariary
		quantity  int64
		want      error
	}{
		{"an item is sold", "Vary", 3500, 2, nil},
		{"the dearest item is sold", "Vary", money.MaxAriary, 1, nil},
		{"a blank label is refused", " \t\u00a0", 3500, 2, payments.ErrInvalidItem},
		{"a label of invisible characters is refused", "\u200b\u3164\ufeff", 3500, 2, payments.ErrInvalidItem},
		{"a price of zero is refused", "Vary", 0, 2, payments.ErrInvalidItem},
		{"a quantity of zero is refused", "Vary", 3500, 0, payments.ErrInvalidItem},
		{"a total above the largest amount is refused", "Vary", money.MaxAriary/2 + 1, 2, money.ErrTooLarge},
		{"a total that overflows is refused", "Vary", 1 << 32, 1 << 32, money.ErrTooLarge},
	} {
		t.Run(test.name, func(t *testing.T) {
			item, err := payments.NewItem(test.label, test.unitPrice, test.quantity)
			if !errors.Is(err, test.want) {
				t.Fatalf("NewItem: %v, want %v", err, test.want)
			}
			if err != nil && item != (payments.Item{}) {
				t.Errorf("a refused item is %+v", item)
			}
			if err == nil && item.Total() != test.unitPrice*money.Ariary(test.quantity) {
				t.Errorf("total %d", item.Total())
			}
		})
	}
	t.Run("a label of 500 characters is cut by width", func(t *testing.T) {
		item, err := payments.NewItem(strings.Repeat("x", 500), 1, 1)
		if err != nil || item.Label != strings.Repeat("x", payments.MaxLabelWidth-1)+"…" {
			t.Errorf("label %q, %v", item.Label, err)
		}
	})
}

func TestTotalReportsOverflow(t *testing.T) {
	one := payments.Item{Label: "Vary", UnitPrice: 1, Quantity: 1}
	for _, large := range []payments.Item{{UnitPrice: math.MaxInt64, Quantity: 2}, {UnitPrice: math.MaxInt64, Quantity: 1}} {
		mustFail(t, failure(payments.Total([]payments.Item{one, large})), money.ErrTooLarge)
	}
}

func TestNewOrderRefusesInvalidTerms(t *testing.T) {
	dear := payments.Item{Label: "Vary", UnitPrice: money.MaxAriary, Quantity: 1}
	almost := payments.Item{Label: "Vary", UnitPrice: money.MaxAriary - 1, Quantity: 1}
	for _, test := range []struct {
		name   string
		change func(*payments.Terms)
		want   error
	}{
		{"valid terms are accepted", func(*payments.Terms) {}, nil},
		{"a reference of 64 wide characters is accepted", func(t *payments.Terms) { t.Reference = strings.Repeat("漢", 64) }, nil},
		{"no items", func(t *payments.Terms) { t.Items = nil }, payments.ErrNoItems},
		{"a blank label", func(t *payments.Terms) { t.Items[1].Label = " " }, payments.ErrInvalidItem},
		{"a price of zero", func(t *payments.Terms) { t.Items[1].UnitPrice = 0 }, payments.ErrInvalidItem},
		{"a line that is too large", func(t *payments.Terms) { t.Items[1].Quantity = math.MaxInt64 }, money.ErrTooLarge},
		{"the largest sum is accepted", func(t *payments.Terms) { t.Items = []payments.Item{almost, {Label: "Coca", UnitPrice: 1, Quantity: 1}} }, nil},
		{"a sum that is too large", func(t *payments.Terms) { t.Items = []payments.Item{dear, dear} }, money.ErrTooLarge},
		{"no reference", func(t *payments.Terms) { t.Reference = "" }, payments.ErrInvalidReference},
		{"a reference of 65 characters", func(t *payments.Terms) { t.Reference = strings.Repeat("x", 65) }, payments.ErrInvalidReference},
		{"a reference with a space", func(t *payments.Terms) { t.Reference = "A 1" }, payments.ErrInvalidReference},
		{"a reference with a no-break space", func(t *payments.Terms) { t.Reference = "A\u00a01" }, payments.ErrInvalidReference},
		{"a reference with invalid UTF-8", func(t *payments.Terms) { t.Reference = "A\xff" }, payments.ErrInvalidReference},
	} {
		t.Run(test.name, func(t *testing.T) {
			given := terms("S1")
			given.Reference = "A-1"
			test.change(&given)
			order, err := payments.NewOrder(given, opening())
			if !errors.Is(err, test.want) {
				t.Fatalf("NewOrder: %v, want %v", err, test.want)
			}
			if err != nil && order.Reference != "" {
				t.Errorf("a refused order is %+v", order)
			}
		})
	}
}

func TestNewOrderCleansItsTexts(t *testing.T) {
	given := terms("S1")
	given.Reference, given.Till, given.By = "A-1", "  T1\x1b[31m\n", "Soa\x1b"
	given.Items[0].Label = " Vary\tmena "
	order, err := payments.NewOrder(given, opening().In(time.FixedZone("EAT", 10_800)))
	must(t, err)
	if order.Amount != 9000 || order.Status != payments.StatusCreating || order.Sale != "S1" || order.Reference != "A-1" {
		t.Errorf("order %+v", order)
	}
	if order.Items[0].Label != "Vary mena" || order.Till != "T1[31m" || order.By != "Soa" || order.Terms().By != "Soa" {
		t.Errorf("label %q, till %q, seller %q are not clean", order.Items[0].Label, order.Till, order.By)
	}
	if given.Items[0].Label != " Vary\tmena " {
		t.Error("the caller's items were changed")
	}
	if order.CreatedAt.Location() != time.UTC || !order.CreatedAt.Equal(opening()) {
		t.Errorf("created at %v", order.CreatedAt)
	}
	if order.Paid() || !order.Facts.Acknowledged || order.OrderReference != "" {
		t.Errorf("facts %+v", order.Facts)
	}
}

// TestAnOrderForTheRestOfASale tests the part.
func TestTheTermsOfAnOrderMakeTheSameOrder(t *testing.T) {
	given := terms("S1")
	given.Reference, given.Till, given.By, given.Description, given.Debt = "A-1", "T1", "Soa", "Sakafo", ledger.Customer("a")
	given.Despite = []payments.ObjectionKind{"any"}
	fields := reflect.ValueOf(given)
	for i := range fields.NumField() {
		if name := fields.Type().Field(i).Name; name != "Part" && fields.Field(i).IsZero() {
			t.Errorf("the test gives no %s", name)
		}
	}
	order, err := payments.NewOrder(given, opening())
	must(t, err)
	repeated := order.Terms()
	repeated.Reference = order.Reference
	again, err := payments.NewOrder(repeated, opening())
	must(t, err)
	if !reflect.DeepEqual(again, order) {
		t.Errorf("got %+v, want %+v", again, order)
	}
}

func TestABlankDescriptionListsTheItems(t *testing.T) {
	for _, test := range []struct{ name, given, want string }{
		{"a given one is kept", "Sakafo", "Sakafo"},
		{"a given one is cleaned", " Sakafo\n\x1b]0;x\a ", "Sakafo ]0;x"},
		{"a blank one is made from the items", " \t", "2 × Vary, Coca"},
		{"a long one is cut", strings.Repeat("é", 200), strings.Repeat("é", payments.MaxDescriptionWidth-1) + "…"},
	} {
		t.Run(test.name, func(t *testing.T) {
			given := terms("S1")
			given.Reference, given.Description = "A-1", test.given
			order, err := payments.NewOrder(given, opening())
			if err != nil || order.Description != test.want {
				t.Errorf("description %q, %v, want %q", order.Description, err, test.want)
			}
			repeated := order.Terms()
			if repeated.Sale != "S1" || len(repeated.Items) != 2 || (repeated.Description == "") != (test.want == "2 × Vary, Coca") {
				t.Errorf("the terms for another order are %+v", repeated)
			}
		})
	}
}

func TestTheLaterClockDecidesTheTimeLeft(t *testing.T) {
	const life, slack = 10 * time.Minute, payments.ClockSlack
	for _, test := range []struct {
		name          string
		wall, elapsed time.Duration // Time since the link was opened, by each clock.
		left          time.Duration
		moved         bool
	}{
		{"a minute later", time.Minute, time.Minute, 9 * time.Minute, false},
		{"at the end", life, life, 0, false},
		{"after the end", 2 * life, 2 * life, 0, false},
		{"the machine slept: the wall clock counts", 8 * time.Minute, time.Second, 2 * time.Minute, true},
		{"the wall clock was put back: elapsed time counts", -time.Hour, time.Minute, 9 * time.Minute, true},
		{"the wall clock was put forward: the time is over", time.Hour, time.Minute, 0, true},
		{"the clocks differ by two seconds", time.Minute, time.Minute + slack, life - time.Minute - slack, false},
		{"the clocks differ by more", time.Minute, time.Minute + slack + 1, life - time.Minute - slack - 1, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			link := payments.Link{ExpiresAt: opening().Add(life)}
			left, moved := link.Remaining(opening(), opening().Add(test.wall), test.elapsed)
			if left != test.left || moved != test.moved {
				t.Errorf("left %v, moved %v, want %v, %v", left, moved, test.left, test.moved)
			}
		})
	}
}
