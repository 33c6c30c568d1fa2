package payments_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/money"
)

func TestAMeasuredItemIsOneUnitAtTheRoundedPrice(t *testing.T) {
	for name, tt := range map[string]struct {
		thousandths int64
		price, want money.Ariary
		err         error
	}{
		"1.2 kg":                        {1200, 2500, 3000, nil},
		"half an ariary is rounded up":  {500, 2501, 1251, nil},
		"less than half is dropped":     {333, 1000, 333, nil},
		"half of the smallest price":    {500, 1, 1, nil},
		"a price that rounds to 0":      {499, 1, 0, payments.ErrTooSmall},
		"nothing":                       {0, 2500, 0, payments.ErrInvalidItem},
		"less than nothing":             {-1200, 2500, 0, payments.ErrInvalidItem},
		"no price":                      {1200, 0, 0, payments.ErrInvalidItem},
		"a price above the largest":     {1, money.MaxAriary + 1, 0, money.ErrTooLarge},
		"a result above the largest":    {1001, money.MaxAriary, 0, money.ErrTooLarge},
		"a result that overflows":       {math.MaxInt64, 3, 0, money.ErrTooLarge},
		"a result that overflows by .5": {math.MaxInt64, 1, 0, money.ErrTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			measure := payments.Measure{Article: "Vary", Thousandths: tt.thousandths, Unit: "kg", Price: tt.price}
			got, err := payments.NewMeasured(measure, "Vary 1,2 kg")
			want := payments.Item{Label: "Vary 1,2 kg", UnitPrice: tt.want, Quantity: 1, Measure: measure}
			if tt.err != nil {
				want = payments.Item{}
			}
			if got != want || !errors.Is(err, tt.err) {
				t.Errorf("%+v, %v; want %+v, %v", got, err, want, tt.err)
			}
		})
	}
	mustFail(t, failure(payments.NewMeasured(payments.Measure{Article: "Vary", Thousandths: 1, Price: 1000}, " ")), payments.ErrInvalidItem)
	mustFail(t, failure(payments.NewMeasured(payments.Measure{Thousandths: 1, Price: 1000}, "1 g")), payments.ErrInvalidItem)
}

func measured(t *testing.T, label string, measure payments.Measure) payments.Item {
	t.Helper()
	item, err := payments.NewMeasured(measure, label)
	must(t, err)
	return item
}

func TestAMeasureIsKeptThroughADiscountAndInAnOrder(t *testing.T) {
	rice := measured(t, "Vary 1,2 kg", payments.Measure{Article: "Vary", Thousandths: 1200, Unit: "kg", Price: 2500})
	cheaper, err := rice.At(2700)
	want := rice
	want.UnitPrice, want.ListPrice = 2700, 3000
	if err != nil || cheaper != want {
		t.Errorf("at 2700 it is %+v (%v), want %+v", cheaper, err, want)
	}
	asked := terms("S1")
	asked.Reference = "R-1"
	asked.Items = []payments.Item{cheaper}
	order, err := payments.NewOrder(asked, opening())
	if err != nil || order.Items[0] != cheaper || order.Amount != 2700 || !strings.Contains(order.Description, "Vary 1,2 kg") {
		t.Errorf("the order is %+v (%v)", order, err)
	}
	asked.Items[0].Quantity = 2
	mustFail(t, failure(payments.NewOrder(asked, opening())), payments.ErrInvalidItem)
}

func TestAnArticleSoldByMeasureCountsOneUse(t *testing.T) {
	s := newShop(t)
	must(t, s.AddArticles(t.Context(), []payments.Article{{Label: "Vary", UnitPrice: 2500, Unit: "kg"}}))
	order := terms("S1")
	order.Items = []payments.Item{measured(t, "Vary 1,2 kg", payments.Measure{Article: "Vary", Thousandths: 1200, Unit: "kg", Price: 2500})}
	must(t, failure(s.Checkout(t.Context(), order)))
	articles, err := s.Articles(t.Context())
	if err != nil || len(articles) != 1 || articles[0].Uses != 1 || articles[0].Unit != "kg" {
		t.Errorf("the article is %+v (%v), want the unit kg and one use", articles, err)
	}
	mustFail(t, s.AddArticles(t.Context(), []payments.Article{{Label: "Menaka", UnitPrice: 1, Unit: "cl"}}), payments.ErrInvalidArticle)
}

func TestADecimalHasNoZerosAtItsEnd(t *testing.T) {
	for thousandths, want := range map[int64]string{1200: "1,2", 333: "0,333", 2000: "2", 10: "0,01", 0: "0"} {
		if got := payments.Decimal(thousandths, ","); got != want {
			t.Errorf("%d is %s, want %s", thousandths, got, want)
		}
	}
}
