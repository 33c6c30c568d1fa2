package tui_test

import (
	"os"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/tuitest"
)

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
