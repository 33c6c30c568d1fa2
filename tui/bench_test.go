package tui_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/storage/storagetest/bulk"
	"checkout/till/tui"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/counter"
)

// seasoned is the console of a shop that has made count orders, in all colours, and with what it
// reads from a real database.
func seasoned(b *testing.B, count int) *tuitest.Driver {
	b.Helper()
	store, err := storage.Open(b.Context(), bulk.Make(b, count))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := store.Close(); err != nil {
			b.Error(err)
		}
	})
	shop := counter.New(b, store)
	shop.Advance(bulk.End().Sub(counter.Opening()))
	if _, err := shop.SaveArticles(b.Context(), []payments.Article{{Label: "Vary gasy", UnitPrice: 3500}}); err != nil {
		b.Fatal(err)
	}
	d := tuitest.Drive(b, tui.New(b.Context(), tui.Config{
		Service: shop.Service, Place: tui.Place{Till: bulk.Till, Shop: "Épicerie Soa"}, Texts: counter.Texts(b, "en"),
		Theme: theme.Full(theme.Auto), Zone: counter.Zone(), Output: new(bytes.Buffer),
		Health: func() tui.Health { return tui.Health{Listening: true, Address: "127.0.0.1:8788"} },
	}), 120, 40)
	return d.Send(tui.Changed(), tui.Ticked())
}

// showHistory opens the list of all orders, where the newest of count stands
// first. Where there is something to check, that is shown before it.
func showHistory(shop *tuitest.Driver, count int) *tuitest.Driver {
	newest := fmt.Sprintf("-%06d", count)
	if shop.Press("f3"); !strings.Contains(shop.View(), newest) {
		shop.Press("tab")
	}
	return shop.Sees(newest)
}

// BenchmarkFrame presses keys on a screen of a shop with 100 orders and on that
// of one with 100,000, in turns: each is an Update, the commands that it gives
// and a View. It reports the median time of a key in the larger shop, for which
// 16 ms at most are wanted, and the median of what it costs over the smaller
// shop's key, for which 1 is wanted.
func BenchmarkFrame(b *testing.B) {
	counts := []int{100, 100_000}
	var shops []*tuitest.Driver
	for _, count := range counts {
		shops = append(shops, seasoned(b, count))
	}
	for _, screen := range []struct {
		name string
		open func(shop *tuitest.Driver, count int)
		keys []string
	}{
		{"sale", func(shop *tuitest.Driver, _ int) { shop.Sees("Type what the customer takes") }, []string{"v", "a", "backspace", "backspace"}},
		{"board", func(shop *tuitest.Driver, _ int) { shop.Press("f4").Sees("─ Waiting ─") }, []string{"down", "down", "up", "up"}},
		{"history", func(shop *tuitest.Driver, count int) { showHistory(shop, count) }, []string{"down", "down", "up", "up"}},
		{
			"order", func(shop *tuitest.Driver, count int) { showHistory(shop, count).Press("enter").Sees("Link until") },
			[]string{"down", "up", "esc", "enter"},
		},
	} {
		b.Run(screen.name, func(b *testing.B) {
			for i, shop := range shops {
				screen.open(shop, counts[i])
			}
			var times [2][]time.Duration
			var ratios []float64
			for n := 0; b.Loop(); n++ {
				for i, shop := range shops {
					begun := time.Now()
					shop.Press(screen.keys[n%len(screen.keys)]).View()
					times[i] = append(times[i], time.Since(begun))
				}
				ratios = append(ratios, float64(times[1][n])/float64(times[0][n]))
			}
			slices.Sort(ratios)
			slices.Sort(times[1])
			b.ReportMetric(float64(times[1][len(ratios)/2])/float64(time.Millisecond), "key-ms")
			b.ReportMetric(ratios[len(ratios)/2], "ratio")
			b.ReportMetric(0, "ns/op")
			for _, shop := range shops {
				shop.Press("esc", "esc", "esc")
			}
		})
	}
}
