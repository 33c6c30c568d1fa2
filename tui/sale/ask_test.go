package sale_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// TestTypingAtAQuestionClosesIt checks that text typed while a question is open is kept, and that
// Enter after the text does not charge the old total.
func TestTypingAtAQuestionClosesIt(t *testing.T) {
	for name, c := range map[string]struct {
		keys  func(d *tuitest.Driver)
		sees  string
		items int
	}{
		"letters":                              {func(d *tuitest.Driver) { d.Type("coca") }, "› coca", 1},
		"letters and Enter, which adds a line": {func(d *tuitest.Driver) { d.Type("coca").Press("enter") }, "charges 5 500", 2},
		"a blank":                              {func(d *tuitest.Driver) { d.Press(" ").Type("x") }, "› x", 1},
		"a paste":                              {func(d *tuitest.Driver) { d.Paste("coca\n") }, "› coca", 1},
		"a scan of three digits and an Enter":  {func(d *tuitest.Driver) { d.Type("201").Press("enter") }, "charges 3 701", 2},
		"a note":                               {func(d *tuitest.Driver) { d.Press("backspace").Type("n") }, "› n", 1},
	} {
		for question, asks := range map[string]string{"charge": "enter", "drop": "esc"} {
			t.Run(name+", at the "+question+" question", func(t *testing.T) {
				now := shoptest.Opening()
				d := enter(drive(t, on(t, open(t).Store(), func() time.Time { return now })), "Vary 3500").Press(asks).Sees("3 500 Ar?")
				c.keys(d)
				now = now.Add(time.Second)
				d.Send(tick)
				d.Lacks("3 500 Ar?").Sees(c.sees)
				if got := len(items(d)); got != c.items || len(charged(d)) != 0 {
					t.Errorf("the sale has %d lines and was charged %d times", got, len(charged(d)))
				}
			})
		}
	}
}

func TestASaleIsDroppedAfterAQuestion(t *testing.T) {
	c := open(t)
	d := enter(drive(t, desk(t, c.Store())), "Vary 3500 x2", "Coca 2000").Type("Sav")
	d.Press("esc").Lacks("Drop", "› Sav").Press("esc").Sees("Drop this sale, 9 000 Ar?", "keeps it     Enter   drops it")
	d.Press("esc").Sees("charges 9 000").Lacks("Drop this").Press("esc", "enter").Sees("The sale was dropped. Ctrl+Z brings it back.", "nothing yet")
	if got := stored(t, c); got != nil {
		t.Errorf("got the stored lines %v, want none", got)
	}
	d.Press("ctrl+z").Sees("2  Coca", "charges 9 000")
	if got := len(stored(t, c)); got != 2 {
		t.Errorf("got %d stored lines, want 2", got)
	}
	t.Run("an empty sale asks no question", func(t *testing.T) {
		d.Send(reset).Press("esc").Sees("Type what the customer takes").Lacks("Drop")
	})
}

func TestAQuestionBeginsInTheSameColumnWithoutSideBorders(t *testing.T) {
	for _, language := range i18n.Languages() {
		d := drive(t, with(t, open(t).Store(), language, unhurried(), theme.Plain()))
		d.Resize(50, 28)
		texts := i18n.Load(language)
		prompt := texts.Sale.Charge.With(i18n.Money(9_000))
		if view := enter(d, "Vary 7000", "Coca 2000", "").View(); !strings.Contains(view, "\n  "+prompt) || !strings.Contains(view, "\n  ▄████▄") {
			t.Errorf("%s: the question %q does not begin in the third column\n%s", language, prompt, view)
		}
	}
}

func TestTheQuestionForANameHasItsField(t *testing.T) {
	d := enter(drive(t, desk(t, open(t).Store())), "Vary 7000").Send(hold)
	for _, size := range [][2]int{{80, 22}, {50, 28}, {120, 34}} {
		rows := strings.Split(d.Resize(size[0], size[1]).View(), "\n")
		asks := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "Hold this sale") })
		if asks < 0 || !strings.Contains(rows[asks+1], "1 line") || !strings.Contains(rows[asks+2], "› ") {
			t.Errorf("%v: the field is not below the question and the facts\n%s", size, strings.Join(rows, "\n"))
		}
	}
}

func TestASmallWindowAsksWithoutAWarning(t *testing.T) {
	styles := theme.Full(theme.Auto)
	d := drive(t, with(t, open(t).Store(), "en", unhurried(), styles))
	d.Resize(40, 13)
	if view := enter(d, "Vary 7000", "").View(); !strings.Contains(view, styles.Strong.Render("Charge 7 000 Ar?")) {
		t.Errorf("the question is not in the strong style\n%s", view)
	}
	if view := d.Press("esc", "esc").View(); !strings.Contains(view, styles.Danger.Render("Drop this sale, 7 000 Ar?")) {
		t.Errorf("the question is not in the colour of danger\n%s", view)
	}
}
