package tui_test

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/help"
	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui"
	"checkout/till/tui/board"
	"checkout/till/tui/catalog"
	"checkout/till/tui/orders"
	"checkout/till/tui/pay"
	"checkout/till/tui/sale"
	"checkout/till/tui/theme"
	"checkout/till/tui/today"
	"checkout/till/tui/tuitest/counter"
)

//go:generate go test -run TestTheReadmeHasTheKeysOfEveryScreen -write-readme .

var writeReadme = flag.Bool("write-readme", false, "write the table of keys into the README")

// noDesk is a desk without a store, for a screen that is only asked for its keys.
type noDesk struct{ sale.Desk }

func (noDesk) NewSale(till string) payments.Sale { return payments.Sale{Till: till} }

// helped is the help of a screen.
type helped struct {
	name string
	keys [][]key.Binding
}

// everyHelp is the help of every screen.
func everyHelp(t *testing.T) []helped {
	t.Helper()
	texts, err := i18n.Load(assets.Locales, "en")
	if err != nil {
		t.Fatal(err)
	}
	return []helped{
		{"the console", [][]key.Binding{tui.CommonKeys(texts.Keys)}},
		{"sale", full(sale.New(sale.Config{Desk: noDesk{}, Texts: texts, Theme: theme.Plain()}))},
		{"payment", full(pay.New(pay.Config{Texts: texts, Theme: theme.Plain()}))},
		{"board", full(board.New(board.Config{Texts: texts, Theme: theme.Plain()}))},
		{"orders", full(orders.New(orders.Config{Texts: texts, Theme: theme.Plain()}))},
		{"today", full(today.New(today.Config{Texts: texts, Theme: theme.Plain()}))},
		{"articles", full(catalog.New(catalog.Config{Texts: texts, Theme: theme.Plain()}))},
	}
}

func TestEveryKeyIsCalledWhatStandsOnIt(t *testing.T) {
	english := regexp.MustCompile(`[a-z]{2,}`)
	for _, language := range []string{"fr", "mg"} {
		texts := counter.Texts(t, language)
		for _, screen := range everyHelp(t) {
			for _, binding := range slices.Concat(screen.keys...) {
				name := binding.Help().Key
				if english.MatchString(name) && texts.KeyNames.Of(name) == name {
					t.Errorf("%s has no name for the key %q of %s", language, name, screen.name)
				}
			}
		}
	}
}

// keyTable is the README's table of keys, made from the bindings that the
// program uses.
func keyTable(t *testing.T) string {
	t.Helper()
	var table strings.Builder
	table.WriteString("| screen | key | does |\n|---|---|---|\n")
	for _, screen := range everyHelp(t) {
		for _, column := range screen.keys {
			for _, binding := range column {
				help := binding.Help()
				table.WriteString("| " + screen.name + " | `" + help.Key + "` | " + help.Desc + " |\n")
			}
		}
	}
	return table.String()
}

func full(screen help.KeyMap) [][]key.Binding { return screen.FullHelp() }

func TestTheReadmeHasTheKeysOfEveryScreen(t *testing.T) {
	const path, from, to = "../README.md", "<!-- keys: written by go generate ./tui -->\n", "<!-- /keys -->"
	readme, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, begun := strings.Cut(string(readme), from)
	_, tail, ended := strings.Cut(rest, to)
	if !begun || !ended {
		t.Fatal("the README has lost the marks around its table of keys")
	}
	want := head + from + keyTable(t) + to + tail
	if *writeReadme {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(readme) != want {
		t.Error("the README's keys are not the program's: run go generate ./tui")
	}
}
