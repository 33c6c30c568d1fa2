package sqlite_test

import (
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/bulk"
)

// million adds a database with 1,000,000 orders to the benchmarks: a gigabyte
// and a few minutes.
var million = flag.Bool("million", false, "measure 1,000,000 orders, too")

// scaled is a database with so many orders.
type scaled struct {
	*sqlite.Store
	name  string
	path  string
	count int
	made  int // Orders that the benchmarks have added.
}

// scale makes the databases that are compared, the smallest first.
func scale(b *testing.B) []*scaled {
	b.Helper()
	all := []*scaled{{name: "1k", count: 1000}}
	if !testing.Short() {
		all = append(all, &scaled{name: "100k", count: 100_000})
	}
	if *million {
		all = append(all, &scaled{name: "1M", count: 1_000_000})
	}
	for _, s := range all {
		s.path = bulk.Make(b, s.count)
		s.Store = openAt(b, s.path)
	}
	return all
}

// middle is a reference in the middle of the database.
func (s *scaled) middle(b *testing.B) string {
	b.Helper()
	return s.reference(b, "id = ?", s.count/2)
}

func (s *scaled) reference(b *testing.B, where string, args ...any) (reference string) {
	b.Helper()
	row := raw(b, s.path).QueryRowContext(b.Context(), "SELECT reference FROM orders WHERE "+where, args...)
	if err := row.Scan(&reference); err != nil {
		b.Fatal(err)
	}
	return reference
}

// orders returns how to read the orders of a query, of which there must be so
// many at least.
func orders(query payments.Query, least int) func(*testing.B, *scaled) func() error {
	return func(b *testing.B, s *scaled) func() error {
		return func() error {
			found, err := s.Orders(b.Context(), query)
			if err == nil && len(found) < least {
				err = fmt.Errorf("%d orders, want %d", len(found), least)
			}
			return err
		}
	}
}

// measured is something that is done to each database. make prepares it.
type measured struct {
	name string
	make func(b *testing.B, s *scaled) func() error
}

func reads() []measured {
	day := payments.Day(bulk.End())
	sold := day
	sold.Sold = true
	takings := func(period payments.Period) func(*testing.B, *scaled) func() error {
		return func(b *testing.B, s *scaled) func() error {
			return func() error {
				counted := 0
				_, err := s.Takings(b.Context(), period, func(order payments.Order) bool {
					counted++
					return order.Verdict(payments.Conditions{}, bulk.End()) == payments.VerdictPaid
				})
				if err == nil && counted == 0 {
					err = fmt.Errorf("nothing was taken on %v", period.From)
				}
				return err
			}
		}
	}
	return []measured{
		{"newest", orders(payments.Query{}, 50)},
		{"page in the middle", func(b *testing.B, s *scaled) func() error {
			return orders(payments.Query{Before: s.middle(b)}, 50)(b, s)
		}},
		{"of a status", orders(payments.Query{Status: payments.StatusExpired}, 50)},
		{"of a till", orders(payments.Query{Till: "T1"}, 50)},
		{"to check", orders(payments.Query{Check: bulk.End()}, 50)},
		{"waiting board", orders(payments.Query{Till: "T1", Open: true, Limit: 200}, bulk.Waiting)},
		{"of a sale", func(b *testing.B, s *scaled) func() error {
			return orders(payments.Query{Sale: fmt.Sprintf("SALE%022d", s.count/2)}, 1)(b, s)
		}},
		{"one order", func(b *testing.B, s *scaled) func() error {
			reference := s.middle(b)
			return func() error {
				_, _, err := s.Order(b.Context(), reference)
				return err
			}
		}},
		{"day's sums", takings(day)},
		{"day with articles", takings(sold)},
	}
}

func writes() []measured {
	next := func(s *scaled) payments.Order {
		s.made++
		order := storagetest.Order(s.count + s.made)
		order.OrderReference, order.CreatedAt = fmt.Sprint("REF_B", s.made), bulk.End().Add(time.Duration(s.made)*time.Second)
		return order
	}
	return []measured{
		{"insert", func(b *testing.B, s *scaled) func() error {
			return func() error {
				order := next(s)
				return s.Update(b.Context(), func(tx payments.Tx) error { return tx.InsertOrder(order) })
			}
		}},
		{"event", func(b *testing.B, s *scaled) func() error {
			service := payments.New(s, nil, bulk.End)
			waiting := make([]payments.Order, 0, 512)
			return func() error {
				if len(waiting) == 0 {
					for range cap(waiting) {
						waiting = append(waiting, next(s))
					}
					b.StopTimer()
					err := s.Update(b.Context(), func(tx payments.Tx) error {
						for _, order := range waiting {
							if err := tx.InsertOrder(order); err != nil {
								return err
							}
						}
						return nil
					})
					b.StartTimer()
					if err != nil {
						return err
					}
					return errPrepared
				}
				order := waiting[len(waiting)-1]
				waiting = waiting[:len(waiting)-1]
				_, err := service.Receive(b.Context(), storagetest.Success(order), []byte("{}"))
				return err
			}
		}},
		{"open", func(b *testing.B, s *scaled) func() error {
			return func() error {
				store, err := sqlite.Open(b.Context(), s.path)
				if err == nil {
					err = store.Close()
				}
				return err
			}
		}},
	}
}

// errPrepared says that a round was only prepared, and is to be repeated.
var errPrepared = fmt.Errorf("prepared")

// BenchmarkScale does the same to databases of 1,000, 100,000 and 1,000,000
// orders in turn, and reports the median on the smallest and how many times
// that the others take.
func BenchmarkScale(b *testing.B) {
	all := scale(b)
	for _, m := range append(reads(), writes()...) {
		b.Run(m.name, func(b *testing.B) { compare(b, all, m) })
	}
	for name, text := range map[string]string{
		"common": "vary", "rare": "ravitoto", "none": "zzzz", "two words": "ravitoto sy", "number": "700042",
		"day": "20261121", "no day": "20261131", "letter": "q", "two letters": "qz", "three letters": "xqz",
	} {
		b.Run("search/"+name, func(b *testing.B) { search(b, all, text) })
	}
}

// compare reports how long something takes.
func compare(b *testing.B, all []*scaled, m measured) {
	b.Helper()
	works := make([]func() error, 0, len(all))
	for _, s := range all {
		works = append(works, m.make(b, s))
	}
	taken := make([][]time.Duration, len(all))
	for range max(b.N, 21) {
		for i, work := range works {
			taken[i] = append(taken[i], clocked(b, work))
		}
	}
	report(b, all, taken)
}

// clocked is how long something takes once.
func clocked(b *testing.B, work func() error) time.Duration {
	b.Helper()
	for {
		start := time.Now()
		err := work()
		if err == errPrepared { //nolint:errorlint // It is returned as it is.
			continue
		}
		if err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
}

// report reports the median on the first database, and for each other its
// ratio to that.
func report(b *testing.B, all []*scaled, taken [][]time.Duration) {
	b.Helper()
	b.ReportMetric(0, "ns/op")
	first := median(taken[0])
	b.ReportMetric(float64(first.Nanoseconds())/1000, "us@"+all[0].name)
	for i := 1; i < len(all); i++ {
		b.ReportMetric(float64(median(taken[i]))/float64(first), "x@"+all[i].name)
	}
}

func median(taken []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(taken))
	return sorted[len(sorted)/2]
}

// search reports how long a search takes on the largest database.
func search(b *testing.B, all []*scaled, text string) {
	b.Helper()
	s := all[len(all)-1]
	var searched []time.Duration
	for range max(b.N, 11) {
		searched = append(searched, clocked(b, func() error {
			_, err := s.Orders(b.Context(), payments.Query{Search: text})
			return err
		}))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(median(searched).Nanoseconds())/1000, "us@"+s.name)
}
