package tui_test

import (
	"os"
	"strings"
	"testing"
	"time"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/sale"
	"checkout/till/tui/tuitest/counter"
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

// basket are the labels, prices and quantities of a five-line sale.
func basket() [][3]string {
	return [][3]string{
		{"Mofo", "300", "4"}, {"Coca", "2000", "2"}, {"Savony", "1200", "3"}, {"Sira", "500", "2"}, {"Kafe", "800", "6"},
	}
}

// written writes the basket in the form of an example, which is "Vary", 3500
// and 2 in some order.
func written(example string) []string {
	var entries []string
	for _, line := range basket() {
		entries = append(entries, strings.NewReplacer("Vary", line[0], "3500", line[1], "2", line[2]).Replace(example))
	}
	return entries
}

func TestAFiveLineSaleTakesFewKeys(t *testing.T) {
	for name, c := range map[string]struct {
		example string
		most    int
	}{
		"in the form that is taught":                               {"Vary 3500x2", 25},
		"with quantities before labels":                            {"2*Vary 3500", 25},
		"with a blank before quantities, a key more for each line": {"Vary 3500 x2", 27},
	} {
		t.Run(name, func(t *testing.T) {
			got := keystrokes(t, written(c.example)...)
			t.Logf("%d keys", got)
			if got > c.most {
				t.Errorf("it takes %d keys beyond labels and prices, want at most %d", got, c.most)
			}
		})
	}
}

func TestOneFormIsTaughtEverywhere(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	const example = "Vary 3500x2"
	if !strings.Contains(string(readme), "1. Type `"+example+"` and press Enter") {
		t.Errorf("the README's first sale does not begin with %s", example)
	}
	for _, language := range i18n.Languages() {
		texts := counter.Texts(t, language)
		for _, text := range []string{
			texts.Welcome.Try, texts.Hints.NotUnderstood, texts.Plain.Hello,
		} {
			if !strings.Contains(text, example) {
				t.Errorf("%s teaches %q, not %s", language, text, example)
			}
		}
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
	c.scan(varyGasy).Sees("1  Vary gasy", "charges 3 500")
	if want := len(varyGasy) + 1; pressed != want {
		t.Errorf("it took %d keys, want the scanner's %d", pressed, want)
	}
	c.after(time.Second).charge()
	c.scan(varyGasy)
	c.serve().Sees("1  Vary gasy")
}
