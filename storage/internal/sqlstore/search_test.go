package sqlstore_test

import (
	"strings"
	"testing"

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
