package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
)

func TestSearchTextIsFolded(t *testing.T) {
	for _, c := range []struct {
		name  string
		order payments.Order
		want  string
	}{
		{"lower case", payments.Order{Reference: "T1-0001", Description: "VARY"}, "t1-0001\nvary"},
		{"no accents", payments.Order{Reference: "a", Description: "Crème BRÛLÉE ñ"}, "a\ncreme brulee n"},
		{"no ligatures and wide forms", payments.Order{Reference: "a", Description: "ﬁn ＡＢＣ"}, "a\nfin abc"},
		{"blanks as blanks", payments.Order{Reference: "a", Description: "b\tc\u00a0d\u202fe"}, "a\nb c d e"},
		{"nothing invisible", payments.Order{Reference: "a", Description: "b\x00c\u200bd\xff"}, "a\nbcd"},
		{
			"a label only when the description does not name it",
			payments.Order{Reference: "a", Description: "2 × Vary", Items: []payments.Item{{Label: "vary"}, {Label: "Coca"}}},
			"a\n2 × vary\ncoca",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := sqlstore.SearchText(c.order); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAPatternMatchesItsTextAlone(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "%%",
		"Vary":                    "%vary%",
		`50%_\`:                   `%50\%\_\\%`,
		"é\n":                     "%e %",
		strings.Repeat("a", 5000): "%" + strings.Repeat("a", 1000) + "%",
	} {
		if got := sqlstore.Pattern(text); got != want {
			t.Errorf("%.20q: got %.40q, want %.40q", text, got, want)
		}
	}
}

func TestWhatIsLookedUpStandsInWhatIsSearched(t *testing.T) {
	query := dialect{}.Grams().Query
	for text, want := range map[string]string{
		"v":        `"v" *`,
		"var":      `"var" *`,
		"vary":     `"vary"`,
		"ravito":   `"ravi" AND "avit" AND "vito"`,
		"99999999": `"9999"`,
		"a-":       `"a` + string(rune(0x4E00+'-')) + `" *`,
	} {
		if got := query(sqlstore.GramsOf(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if got := query(sqlstore.GramsOf(strings.Repeat("abcdefghij", 100))); strings.Count(got, "AND") > 15 {
		t.Errorf("%d runs are looked up", strings.Count(got, "AND")+1)
	}
}

// letters are what the texts of these tests are made of: few, so that there is
// something to find, and some of them awkward.
func letters() []string {
	return []string{
		"a", "b", "a", "B", "é", "e\u0301", "c", "1", "2", "0", "-", " ", "%", "_", `\`, `"`, "'", "*", "ﬁ", "Ж", "ж",
		"\u200b", "世", "\u4e0a", "🙂", "ab", "ab", "İ", "ß",
	}
}

func anyText(random *rand.Rand, length int) string {
	var text strings.Builder
	for range 1 + random.IntN(length) {
		text.WriteString(letters()[random.IntN(len(letters()))])
	}
	return text.String()
}

// muddle fills a store with orders that were hardly made in their order, and of
// which some learn their order references late or get another one.
func muddle(t *testing.T, store *sqlstore.Store, random *rand.Rand, count int) {
	t.Helper()
	var orders []payments.Order
	at := time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)
	err := store.Update(t.Context(), func(tx payments.Tx) error {
		for n := range count {
			at = at.Add(time.Duration(random.IntN(3)) * time.Millisecond)
			made := at
			if random.IntN(20) == 0 {
				made = made.Add(time.Duration(random.IntN(2*count)-count) * time.Millisecond)
			}
			order := payments.Order{
				Reference: fmt.Sprintf("%s-%d-%d", anyText(random, 4), n, random.Uint32()), Till: []string{"T1", "T2"}[n%2], Sale: fmt.Sprint(n / 3),
				Items: []payments.Item{{Label: anyText(random, 6), UnitPrice: 1, Quantity: 1}}, Amount: 1,
				Description: anyText(random, 12), CreatedAt: made, Status: payments.Statuses()[random.IntN(8)],
				Facts: payments.Facts{Acknowledged: random.IntN(4) > 0},
			}
			if random.IntN(2) == 0 {
				order.OrderReference = fmt.Sprint("REF-", anyText(random, 3), n, "-", random.Uint32())
			}
			orders = append(orders, order)
			if err := tx.InsertOrder(order); err != nil {
				return err
			}
			if random.IntN(3) == 0 {
				late := orders[random.IntN(len(orders))]
				late.OrderReference = fmt.Sprint("LATE-", anyText(random, 3), n, "-", random.Uint32())
				if err := tx.SaveOrder(late); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// anyQuery searches for part of a text that is there, or for one that may not
// be.
func anyQuery(random *rand.Rand, orders []payments.Order) payments.Query {
	order := orders[random.IntN(len(orders))]
	texts := []string{order.Reference, order.OrderReference, order.Description, order.Items[0].Label, anyText(random, 3)}
	text := []rune(texts[random.IntN(len(texts))] + "a")
	from := random.IntN(len(text))
	query := payments.Query{
		Search: string(text[from:min(len(text), from+1+random.IntN(7))]),
		Limit:  []int{0, 1, 5, 40, 1000}[random.IntN(5)],
	}
	if random.IntN(3) == 0 {
		query.Before = orders[random.IntN(len(orders))].Reference
	}
	switch random.IntN(10) {
	case 0:
		query.Till = "T2"
	case 1:
		query.Status = order.Status
	case 2:
		query.Since = order.CreatedAt
	case 3:
		query.Until = order.CreatedAt
	case 4:
		query.Open, query.Till = true, order.Till
	case 5:
		query.Check = order.CreatedAt
	case 6:
		query.Sale, query.Since, query.Until = order.Sale, order.CreatedAt.Add(-time.Second), order.CreatedAt.Add(time.Second)
	}
	return query
}

func TestASearchFindsWhatComparingEachOrderFinds(t *testing.T) {
	for _, few := range []int{0, sqlstore.BlockSize} { // Whether a search among few orders compares each.
		random := rand.New(rand.NewPCG(7, uint64(few)))
		path := empty(t)
		store, _, _ := open(t, path)
		muddle(t, store, random, 10*sqlstore.BlockSize+17)
		orders, err := store.Compared(t.Context(), payments.Query{Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for range 500 {
			query := anyQuery(random, orders)
			got, err := store.Searched(t.Context(), query, few)
			if err != nil {
				t.Fatalf("%+v: %v", query, err)
			}
			want, err := store.Compared(t.Context(), query)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(references(got), references(want)) {
				t.Fatalf("%+v:\n got %q\nwant %q", query, references(got), references(want))
			}
			found += len(got)
		}
		if found < 500 {
			t.Errorf("only %d orders were found", found)
		}
	}
}

func references(orders []payments.Order) []string {
	names := []string{}
	for _, order := range orders {
		names = append(names, order.Reference)
	}
	return names
}

func TestTheIndexStaysSound(t *testing.T) {
	path := empty(t)
	store, _, _ := open(t, path)
	random := rand.New(rand.NewPCG(7, 7))
	for range 8 {
		muddle(t, store, random, 3*sqlstore.BlockSize)
	}
	db, _ := pool(t, path, 1)
	for _, check := range []string{"integrity-check", "optimize", "integrity-check"} {
		if _, err := db.ExecContext(t.Context(), "INSERT INTO order_grams (order_grams) VALUES ($1)", check); err != nil {
			t.Errorf("%s: %v", check, err)
		}
	}
	if blocks := single(t, db, "SELECT count(*) FROM order_blocks"); blocks != 8*3-1 {
		t.Errorf("%d blocks are indexed, want %d", blocks, 8*3-1)
	}
	orders, err := store.Compared(t.Context(), payments.Query{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		query := anyQuery(random, orders)
		got, err := store.Searched(t.Context(), query, 0)
		want, compared := store.Compared(t.Context(), query)
		if err != nil || compared != nil || !slices.Equal(references(got), references(want)) {
			t.Fatalf("%+v:\n got %q, %v\nwant %q, %v", query, references(got), err, references(want), compared)
		}
	}
}

func TestASearchThatIsLeftEnds(t *testing.T) {
	store, _, _ := open(t, empty(t))
	muddle(t, store, rand.New(rand.NewPCG(7, 8)), 5*sqlstore.BlockSize)
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if _, err := store.Orders(ctx, payments.Query{Search: "ab"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if found, err := store.Orders(t.Context(), payments.Query{Search: "ab"}); err != nil || len(found) == 0 {
		t.Errorf("%d orders afterwards, %v", len(found), err)
	}
}
