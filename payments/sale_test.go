package payments_test

import (
	"slices"
	"testing"
	"time"
)

func TestASaleIsKeptWhileItHasLinesOrADescription(t *testing.T) {
	s := newShop(t)
	woken := s.Watch(t.Context())
	sale, other := s.NewSale(" T1\n"), s.NewSale("T1")
	if sale.ID == "" || sale.ID == other.ID || sale.Till != "T1" {
		t.Errorf("new sales %+v, %+v", sale, other)
	}
	for i, step := range []struct {
		name   string
		change func()
		stored bool
	}{
		{"an empty sale is not kept", func() {}, false},
		{"a line is kept", func() { sale.Items = terms("").Items[:1] }, true},
		{"the next line is kept", func() { sale.Items = terms("").Items }, true},
		{"a sale without lines is dropped", func() { sale.Items = nil }, false},
		{"a sale with only a description is kept", func() { sale.Description = "Latabatra 4" }, true},
		{"a sale with a blank description is dropped", func() { sale.Description = " \u200b" }, false},
	} {
		t.Run(step.name, func(t *testing.T) {
			step.change()
			s.now = s.now.Add(time.Second)
			must(t, s.SaveSale(t.Context(), sale))
			sales, err := s.Sales(t.Context(), "T1")
			if err != nil || (len(sales) == 1) != step.stored {
				t.Fatalf("sales %+v, %v", sales, err)
			}
			if i > 0 {
				<-woken // The first step changes nothing and notifies no watcher.
			}
			if step.stored && (!slices.Equal(sales[0].Items, sale.Items) || !sales[0].UpdatedAt.Equal(s.Now())) {
				t.Errorf("sale %+v", sales[0])
			}
		})
	}
}
