package tui_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui"
	"checkout/till/tui/entry"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

//go:generate go test -run TestTheShopsGuideHasThe -update .

func everyHelp(t *testing.T, language string) []tui.Help {
	t.Helper()
	return tui.Helps(t.Context(), tui.Config{
		Console: live.Console{Tenders: drawer.CounterTenders(), Texts: i18n.Load(language), Theme: theme.Plain(), Zone: shoptest.Zone(), Service: shoptest.Open(t).Service},
		Health:  func() payments.Health { return payments.Health{} },
	})
}

func TestEveryKeyNameIsTranslated(t *testing.T) {
	english := regexp.MustCompile(`[a-z]{2,}`)
	for _, language := range []string{"fr", "mg"} {
		texts := i18n.Load(language)
		for _, screen := range everyHelp(t, "en") {
			for _, binding := range screen.Keys {
				name := binding.Help().Key
				if english.MatchString(name) && texts.KeyNames.Of(name) == name {
					t.Errorf("%s has no name for the key %q of %s", language, name, screen.Title)
				}
			}
		}
	}
}

func TestTheShopsGuideHasTheKeysOfEveryScreen(t *testing.T) {
	heads := map[string]string{
		"en": "| screen | key | does |\n", "fr": "| écran | touche | effet |\n", "mg": "| efijery | kitendry | ataony |\n",
	}
	for language, head := range heads {
		texts, table := i18n.Load(language), head+"|---|---|---|\n"
		for _, screen := range everyHelp(t, language) {
			for _, binding := range screen.Keys {
				help := binding.Help()
				table += "| " + screen.Title + " | `" + texts.KeyNames.Of(help.Key) + "` | " + help.Desc + " |\n"
			}
		}
		tuitest.Table(t, "../assets/docs/"+language+"/shop.md", "keys", table)
	}
}

func TestTheShopsGuideHasTheTableOfEntries(t *testing.T) {
	for language, head := range map[string]string{
		"en": "| you type | the sale gets |\n", "fr": "| vous tapez | la vente reçoit |\n", "mg": "| soratanao | tafiditra amin'ny varotra |\n",
	} {
		texts, table := i18n.Load(language), head+"|---|---|\n"
		for row, typed := range entry.Forms(texts.Sale.DecimalMark) {
			table += "| `" + strings.Join(typed, "`, `") + "` | " + texts.Guide.Forms[row] + " |\n"
		}
		tuitest.Table(t, "../assets/docs/"+language+"/shop.md", "entries", table)
	}
}

// TestTheShopsGuideUsesTheWordsOfTheScreen checks that the capitalized words in the first column of
// the guide's tables are in the console's texts.
func TestTheShopsGuideUsesTheWordsOfTheScreen(t *testing.T) {
	words := regexp.MustCompile(`\p{Lu}[\p{Lu}' ]{3,}\p{Lu}`)
	for _, language := range i18n.Languages() {
		shown := strings.Join(slices.Collect(maps.Values(i18n.Load(language).All())), "\n")
		guide, err := assets.Files.ReadFile("docs/" + language + "/shop.md")
		tuitest.Must(t, err)
		found := 0
		for line := range strings.Lines(string(guide)) {
			cell, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
			if !strings.HasPrefix(line, "| ") {
				continue
			}
			for _, word := range words.FindAllString(cell, -1) {
				found++
				if !strings.Contains(shown, word) {
					t.Errorf("the guide explains %q, which no text in %s contains", word, language)
				}
			}
		}
		if found < 10 {
			t.Errorf("the guide in %s explains %d words, want at least 10", language, found)
		}
	}
}

func TestTheHelpUsesTheWidth(t *testing.T) {
	c := open(t)
	c.Resize(120, 36)
	help := strings.Split(c.press("f6", "f1").Fits().View(), "\n")
	side := func(row string) bool {
		return strings.Contains(row, "Lists ─") && strings.Contains(row, "One article ─") && strings.Contains(row, "Everywhere ─")
	}
	if !slices.ContainsFunc(help, side) {
		t.Errorf("no three groups are side by side:\n%s", strings.Join(help, "\n"))
	}
}

// A page that is one row too high would move the title of the next page out of its place.
func TestEachPageOfTheHelpBeginsWithATitle(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 28}} {
		for _, language := range i18n.Languages() {
			c := open(t, in(language), demo)
			c.Resize(size[0], size[1]).Press("f1")
			pages := 0
			for last := ""; c.View() != last && pages < 20; pages++ {
				last = c.View()
				if top := strings.Split(last, "\n")[3]; !strings.Contains(top, " ──") {
					t.Errorf("%s, %v: a page begins with %q", language, size, top)
				}
				c.Press("pgdown")
			}
			if pages < 2 {
				t.Errorf("%s, %v: the help has only one page", language, size)
			}
		}
	}
}

// TestAFiveLineSaleTakesFewKeys counts the key presses from an empty sale to the QR code. The
// letters of labels and the digits of prices are not counted.
func TestAFiveLineSaleTakesFewKeys(t *testing.T) {
	lines := [][3]string{{"Mofo", "300", "4"}, {"Coca", "2000", "2"}, {"Savony", "1200", "3"}, {"Sira", "500", "2"}, {"Kafe", "800", "6"}}
	for form, most := range map[string]int{"Vary 3500x2": 25, "2*Vary 3500": 25, "Vary 3500 x2": 27} {
		t.Run(form, func(t *testing.T) {
			c := open(t)
			pressed := c.pressed()
			free := 0
			for _, line := range lines {
				c.enter(strings.NewReplacer("Vary", line[0], "3500", line[1], "2", line[2]).Replace(form))
				free += len(line[0]) + len(line[1])
			}
			c.enter("").Sees("Charge")
			c.enter("").Sees("… WAITING")
			if got := *pressed - free; got > most || len(c.newest().Items) != len(lines) {
				t.Errorf("got %d keys besides labels and prices, want at most %d; the items are %+v", got, most, c.newest().Items)
			}
		})
	}
}

// pressed returns a pointer to the number of keys that the console receives from now on.
func (c *console) pressed() *int {
	count := new(int)
	c.gate.HoldMessages(func(msg tea.Msg) bool {
		if _, is := msg.(tea.KeyMsg); is {
			*count++
		}
		return false
	})
	return count
}

func TestAllTextsTeachTheSameEntryForm(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	tuitest.Must(t, err)
	const example = "Vary 3500x2"
	if !strings.Contains(string(readme), "1. Type `"+example+"` and press Enter") {
		t.Errorf("the README's first sale does not begin with %s", example)
	}
	for _, language := range i18n.Languages() {
		texts := i18n.Load(language)
		for _, text := range []string{
			texts.Demo.Try, texts.Hints.NotUnderstood, texts.Plain.Hello,
		} {
			if !strings.Contains(text, example) {
				t.Errorf("%s teaches %q, not %s", language, text, example)
			}
		}
	}
}
