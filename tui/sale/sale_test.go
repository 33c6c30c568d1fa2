package sale_test

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

func TestEnterAddsALineAndPutsItOnDisk(t *testing.T) {
	c := open(t)
	d := drive(t, desk(t, c.Store()))
	d.Sees("Type what the customer takes", "› ", "nothing yet")
	enter(d, "Vary 3500 x2", "A1", "stock x2")
	d.Sees(
		" 1  Vary", "3 500", "7 000", " 2  Coca 1L", "6 000", " 3  Vary stock",
		"charges 19 000", "› ",
	)
	stores(t, c, item("Vary", 3500, 2), item("Coca 1L", 6000, 1), item("Vary stock", 3000, 2))
}

func TestAnInvalidEntryStaysInTheEntryLine(t *testing.T) {
	for text, hint := range map[string]string{
		"Savony 1.500":         "Write the price without a dot or comma",
		"Savony 1200x":         "The quantity must be above zero",
		"Savony 50x10":         "Below 100 Ar, put a space before the quantity, as in: 50 x2",
		"2*":                   "Not understood",
		"vary":                 "Several articles match: Vary gasy, Vary stock",
		"Savony 1000000000000": "The amount is too large",
		"Savony 1200 2":        "Price or quantity? For a quantity of 2 type Savony 1200 x2",
		"12345678":             "No article has the code 12345678. F6 adds one.",
	} {
		d := enter(drive(t, desk(t, open(t).Store())), "Vary 3500", text).Sees("› "+text, hint)
		sells(t, d, item("Vary", 3500, 1))
		d.Type("!").Sees("› " + text + "!").Lacks(hint).Press("esc").Lacks("› " + text).Sees("1  Vary")
	}
}

func TestAPasteIsTextAndNeverAKey(t *testing.T) {
	for name, paste := range map[string]string{
		"one newline at the end":      "Vary 3500\n",
		"several newlines at the end": "Vary 3500\r\n\r\n\r\n",
		"a newline in the middle":     "Vary\n3500",
		"control characters":          "\x1b[2JVary\u202e\u200b 3500\x00\a\b",
	} {
		t.Run(name, func(t *testing.T) {
			d := drive(t, desk(t, open(t).Store())).Paste(paste)
			sells(t, d)
			enter(d, " x2").Sees("charges 7 000").Paste("up").Paste("enter").Sees("› upenter")
		})
	}
	d := enter(drive(t, desk(t, open(t).Store())), "Vary 3500", "").Paste("\nenter\n").Sees("› enter").Lacks("Charge")
	tuitest.Equal(t, len(charged(d)), 0, "charges")
}

func TestPastedLinesAreEnteredExceptTheLast(t *testing.T) {
	vary, coca := item("Vary", 3500, 1), item("Coca", 2000, 1)
	for name, c := range map[string]struct {
		paste, line string
		want        []payments.Item
	}{
		"two":                            {"Vary 3500\nCoca 2000", "Coca 2000", []payments.Item{vary}},
		"three, as a terminal ends them": {"Vary 3500\r\rcoca\r\nSav\r", "Sav", []payments.Item{vary, coca}},
		"with blank lines":               {"\n \nVary 3500\n \t\n\x00\nCoca 2000\n\n", "Coca 2000", []payments.Item{vary}},
		"with an invalid line, which stays with the rest": {"Vary 3500\nSavony\nmena\n1500", "Savony mena 1500", []payments.Item{vary}},
		"appended to typed text":                          {"ry 3500\nCoca", "Coca", []payments.Item{vary}},
	} {
		t.Run(name, func(t *testing.T) {
			d := drive(t, desk(t, open(t).Store()))
			if strings.HasPrefix(c.paste, "ry") {
				d.Type("Va")
			}
			d.Paste(c.paste).Sees("› "+c.line).Lacks("No price is known", "Charge")
			sells(t, d, c.want...)
		})
	}
	d := enter(drive(t, desk(t, open(t).Store())), "Riz 100").Press("ctrl+n").Paste("Ho an'i\nRina").Sees("› Ho an'i Rina")
	sells(t, d.Press("enter"), item("Riz", 100, 1))
}

func TestAnEntryBeginsWithoutBlanks(t *testing.T) {
	d := drive(t, desk(t, open(t).Store())).Type("Vary").Press("home").Type("n\u0308  ").Type("B").Sees("› n\u0308 BVary")
	d.Press("home").Type("   ").Sees("› n\u0308 BVary")
}

func TestALineIsChosenAndCorrected(t *testing.T) {
	for name, play := range map[string]func(d *tuitest.Driver){
		"up chooses the last line, then those above": func(d *tuitest.Driver) {
			d.Press("up").Sees("› 3  Savony").Press("up", "up", "up").Sees("› 1  Vary").Press("down").Sees("› 2  Coca")
		},
		"plus and minus change the quantity, at least 1": func(d *tuitest.Driver) {
			d.Press("up", "+", "+", "-").Sees("2 ×     1 200         2 400")
			d.Press("-").Lacks("Del removes the line.").Press("-").Sees("› 3  Savony", "1 ×     1 200         1 200", "Del removes the line.").Press("ctrl+z").Sees("charges 11 400")
		},
		"a quantity with a too large total is refused": func(d *tuitest.Driver) {
			enter(d, "Tany 999999989800").Press("up", "up", "+").Sees("The amount is too large.").Press("-").Lacks("The amount is too large.")
		},
		"enter corrects the line in its place": func(d *tuitest.Driver) {
			d.Press("up", "up", "enter").Sees("Line 2: correct it", "› Coca 2000", "› 2  Coca")
			d.Type(" x5").Press("enter").Sees("2  Coca", "10 000", "charges 18 200").Lacks("Line 2", "› 2")
		},
		"an invalid correction stays open": func(d *tuitest.Driver) {
			d.Press("up", "enter").Type("x").Press("enter").Sees("› Savony 1200x", "The quantity must be")
			d.Press("backspace", "enter").Sees("charges 10 200").Lacks("Line")
		},
		"esc cancels a correction": func(d *tuitest.Driver) {
			d.Press("up", "enter").Type("99").Press("esc").Sees("charges 10 200").Lacks("Line", "Savony 120099").Press("enter").Sees("Charge 10 200 Ar?")
		},
		"letters go on in the entry line": func(d *tuitest.Driver) { d.Press("up").Type("Di").Sees("› Di").Lacks("› 3") },
		"an undo cancels a correction": func(d *tuitest.Driver) {
			d.Press("up", "up", "enter").Sees("› Coca 2000").Press("ctrl+z").Sees("charges 9 000").Lacks("Line").Press("enter").Sees("Charge 9 000 Ar?")
		},
	} {
		t.Run(name, func(t *testing.T) {
			play(enter(drive(t, desk(t, open(t).Store())), "Vary 3500 x2", "Coca 2000", "Savony 1200"))
		})
	}
}

func TestALineIsRemoved(t *testing.T) {
	for _, key := range []string{"delete", "backspace", "ctrl+d"} {
		c := open(t)
		d := enter(drive(t, desk(t, c.Store())), "Vary 3500", "Coca 2000")
		d.Press("up", key).Sees("› 1  Vary", "3 500", "Removed: Coca").Lacks("2  Coca")
		d.Press(key).Sees("Removed: Vary", "Type what the customer takes", "nothing yet").Lacks("› 1").Type("S").Sees("› S")
		stores(t, c)
	}
}

func TestChangesAreUndoneOneByOne(t *testing.T) {
	c := open(t)
	d := enter(drive(t, desk(t, c.Store())), "Vary 3500", "Coca 2000")
	d.Press("up", "+", "delete").Sees("1  Vary").Lacks("2  Coca")
	d.Press("ctrl+z").Sees("2  Coca", "charges 7 500")
	d.Press("ctrl+z").Sees("charges 5 500").Type("typed").Press("ctrl+z")
	d.Sees("1  Vary", "› typed").Lacks("5 500").Press("ctrl+z").Sees("Type what the customer takes")
	stores(t, c)
	d.Press("ctrl+z").Sees("Type what the customer takes", "› typed")
}

func TestEveryStateNamesItsKeys(t *testing.T) {
	d := drive(t, desk(t, open(t).Store()))
	for _, step := range []struct {
		name  string
		do    func()
		want  string
		blank bool // "?" opens the help.
	}{
		{"an empty sale", func() {}, "Enter adds ── Tab favourites", true},
		{"a sale", func() { enter(d, "Vary 3500") }, "Enter charges 3 500 ── ↑↓ a line ── Ctrl+Z undo", true},
		{"an entry", func() { d.Type("Savony 100") }, "Enter adds", false},
		{"letters that fit", func() { d.Press("ctrl+u").Type("C") }, "Tab choose an article ── Esc back", false},
		{"a chosen line", func() { d.Press("esc", "up") }, "Enter correct ── +/- quantity ── d discount ── Del remove ── Esc back", false},
		{"a correction", func() { d.Press("enter") }, "then Enter · Esc keeps it", false},
		{"a new price", func() { d.Press("esc", "up", "d") }, "Esc keeps it", false},
		{"a note", func() { d.Press("esc", "ctrl+n") }, "Enter saves it · Esc keeps it", false},
		{"the charge question", func() { d.Press("esc", "enter") }, "Enter mobile money  Tab cash  Esc goes back to the sale", false},
		{"the drop question", func() { d.Press("esc", "esc") }, "keeps it     Enter   drops it", false},
	} {
		step.do()
		d.Sees(step.want)
		if got := alone(d).Screen.Meaning().Typing; got == step.blank {
			t.Errorf("in the state %q Typing is %v", step.name, got)
		}
	}
}

func TestManyLinesScroll(t *testing.T) {
	d := drive(t, desk(t, open(t).Store())).Resize(80, 10)
	for n := range 200 {
		enter(d, fmt.Sprintf("Vary%d 100", n+1))
	}
	d.Sees("+200 Vary200", "20 000 Ar").Lacks(" 194 Vary").Fits()
	d.Press("up").Sees("›200 Vary")
	for range 199 {
		d.Press("up")
	}
	d.Sees("› 1  Vary").Lacks(" 200 Vary").Fits()
	d.Press("esc").Type(strings.Repeat("Menaka ", 14)).Press("left", "left").Resize(40, 10).Fits().Sees("Menaka").Lacks("…")
	d.Press("home").Resize(30, 10).Fits().Sees("› Menaka Menaka").Resize(80, 10).Press("ctrl+u", "ctrl+k")
	d.Paste(strings.Repeat("\u260e\ufe0f", 60)).Fits().Press("ctrl+u")
	enter(d, strings.Repeat("long ", 31)+"500").Fits()
	d.Send(tea.WindowSizeMsg{Width: 20, Height: 6}).Sees("20 ")
}

func TestAChosenLineShowsAllItsKeys(t *testing.T) {
	for _, language := range i18n.Languages() {
		d := enter(drive(t, with(t, open(t).Store(), language, unhurried(), theme.Plain())), "Vary 3500").Press("up")
		words := i18n.Load(language).Keys
		d.Resize(80, 22).Sees(words.Edit, words.Count, words.Reduce, words.Remove, words.Back)
	}
}

func TestAWriteErrorIsShownAndNoLineIsLost(t *testing.T) {
	const fault = "It could not be written to disk."
	c := open(t)
	d := drive(t, desk(t, c.Store()))
	c.Break()
	drive(t, desk(t, c.Store())).Sees("The saved sales could not be read.")
	enter(d, "Vary 3500").Sees(" 1  Vary", "charges 3 500", fault)
	c.Mend()
	enter(d, "Coca 2000").Lacks(fault)
	stores(t, c, item("Vary", 3500, 1), item("Coca", 2000, 1))
}
