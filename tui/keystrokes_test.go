package tui_test

import (
	"strings"
	"testing"
	"time"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/sale"
)

// keystrokes counts the keys that a sale takes from the first one to the code
// of its payment, beyond the letters of labels and the digits of prices.
// Entries write a quantity as "x2" behind the price or "2*" before the label.
func keystrokes(t *testing.T, entries ...string) int {
	t.Helper()
	c := open(t)
	pressed, free := 0, 0
	c.gate.Hold(func(msg tea.Msg) bool {
		if _, is := msg.(tea.KeyMsg); is {
			pressed++
		}
		return false
	})
	for _, entry := range entries {
		free += labelsAndPrices(entry)
		c.enter(entry)
	}
	c.press("enter").Sees("Charge")
	c.after(sale.Settle).press("enter").Sees("… WAITING")
	if got := len(c.newest().Items); got != len(entries) {
		t.Fatalf("the order has %d lines", got)
	}
	return pressed - free
}

// labelsAndPrices is how many characters of an entry are letters of its label
// or digits of its price: all but its blanks and its quantity.
func labelsAndPrices(entry string) int {
	if _, rest, star := strings.Cut(entry, "*"); star {
		entry = rest
	}
	if at := strings.LastIndex(entry, "x"); at > 0 && strings.Trim(entry[at+1:], "0123456789") == "" {
		entry = entry[:at]
	}
	n := 0
	for _, r := range entry {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}

func TestAFiveLineSaleTakesFewKeys(t *testing.T) {
	for name, c := range map[string]struct {
		entries []string
		most    int
	}{
		"quantities at the price": {
			[]string{"Mofo 300x4", "Coca 2000x2", "Savony 1200x3", "Sira 500x2", "Kafe 800x6"}, 25,
		},
		"quantities before the label": {
			[]string{"4*Mofo 300", "2*Coca 2000", "3*Savony 1200", "2*Sira 500", "6*Kafe 800"}, 25,
		},
		"quantities behind, apart: the charge costs two keys more": {
			[]string{"Mofo 300 x4", "Coca 2000 x2", "Savony 1200 x3", "Sira 500 x2", "Kafe 800 x6"}, 27,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := keystrokes(t, c.entries...)
			t.Logf("%d keys", got)
			if got > c.most {
				t.Errorf("it takes %d keys beyond labels and prices, want at most %d", got, c.most)
			}
		})
	}
}

func TestAScannedArticleTakesNoKeyButTheScanners(t *testing.T) {
	c := open(t, sells)
	pressed := 0
	c.gate.Hold(func(msg tea.Msg) bool {
		if _, is := msg.(tea.KeyMsg); is {
			pressed++
		}
		return false
	})
	c.scan(varyGasy).Sees("1 Vary gasy", "TOTAL  3 500 Ar")
	if want := len(varyGasy) + 1; pressed != want {
		t.Errorf("it took %d keys, want the scanner's %d", pressed, want)
	}
	c.after(time.Second).charge()
	c.scan(varyGasy)
	c.serve().Sees("1 Vary gasy")
}
