package tui_test

import (
	"testing"

	"checkout/till/assets/i18n"
	"checkout/till/tui"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/counter"
)

// Whatever is on the screen, it looks as if the console had spoken the language
// from the beginning.
func TestTheLanguageChangesWhileTheConsoleRuns(t *testing.T) {
	rendering(t)
	for place, reach := range spoken() {
		t.Run(place, func(t *testing.T) { speaks(t, reach) })
	}
	t.Run("the help of an order", func(t *testing.T) { speaks(t, func(c *console) { c.charge(); c.press("f1") }) })
	t.Run("the question whether to leave till", func(t *testing.T) {
		speaks(t, func(c *console) { c.charge(); c.press("ctrl+c") })
	})
}

// speaks goes through the languages where reach leads to.
func speaks(t *testing.T, reach func(c *console)) {
	t.Helper()
	show := func(language string) *console {
		c := open(t, in(language))
		reach(c)
		return c
	}
	c := show("en")
	before := c.View()
	for _, language := range []string{"fr", "mg"} {
		if got, want := c.press("f7").Fits().View(), show(language).View(); got != want {
			t.Fatalf("after F7 in %s:\n%s\nfrom the beginning:\n%s", language, got, want)
		}
	}
	if got := c.press("f7").View(); got != before {
		t.Errorf("it was\n%s\nand is\n%s", before, got)
	}
}

// spoken are the places in which a change of the language is tried: all of
// them, and those with something half done.
func spoken() map[string]func(c *console) {
	all := places()
	all["half a line"] = func(c *console) { c.enter("Vary 3500 x2").Type("Coca 20"); c.Press("left", "left") }
	all["a line that was not understood"] = func(c *console) { c.enter("Vary") }
	all["an amount that is too large"] = func(c *console) { c.enter("Vary 99999999999999999999") }
	all["a payment"] = func(c *console) { c.charge() }
	all["a payment turned to the customer"] = func(c *console) { c.charge(); c.press("f9") }
	all["the question whether to leave"] = func(c *console) { c.charge(); c.press("esc") }
	all["an order that was refused"] = func(c *console) { c.Reply(counter.Refuse("non")); c.charge() }
	all["an order that was not sent"] = func(c *console) { c.Reply(counter.Unreachable()); c.charge() }
	all["no charge"] = func(c *console) { c.health.Listening = false; c.after(0).enter("Vary 3500", "", "") }
	all["an outcome"] = func(c *console) { c.Pay(c.charge()); c.wake() }
	all["a finding to confirm"] = func(c *console) { c.charge(); c.serve().press("f3", "tab", "enter", "y") }
	all["the articles"] = func(c *console) { c.press("f6").Type("var") }
	all["an article"] = func(c *console) { c.press("f6", "ctrl+n").Type("Koba") }
	all["an article to throw away"] = func(c *console) { c.press("f6", "ctrl+n").Type("Koba"); c.Press("esc") }
	return all
}

func TestAConsoleOfOneLanguageHasNoKeyForAnother(t *testing.T) {
	config := open(t).config
	config.Language = tui.Language{}
	alone := tuitest.Drive(t, tui.New(t.Context(), config), 120, 40).Lacks("F7")
	alone.Press("f7").Sees("Type what the customer takes")
}

func TestTextsThatCannotBeLoadedChangeNothing(t *testing.T) {
	config := open(t).config
	config.Language.Load = func(string) (i18n.Texts, error) { return i18n.Texts{}, i18n.ErrLanguage }
	tuitest.Drive(t, tui.New(t.Context(), config), 120, 40).Type("Vary").Press("f7").Sees("Type what the customer takes", "› Vary")
}
