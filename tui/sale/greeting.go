package sale

import (
	"slices"

	"checkout/till/tui/component/demo"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

// Greeting is what the screen shows for an empty sale: how to begin and, in the demo or at a first
// start, what the program is.
type Greeting struct {
	// Path of the settings file, for a welcome text about real payments; blank for no such text.
	Welcome string
	// Steps that the demo suggests while the sale is empty; nil outside the demo, and without a
	// sample day.
	Steps *demo.Steps
	// Row about the day's last outcome, for a high window.
	LastSale string
	// The day's takings, for the title; blank if they are shown elsewhere.
	Taken string
}

// welcomed removes the welcome text. With Steps, the text stays for the help (F1).
func (g Greeting) welcomed() Greeting {
	if g.Steps == nil {
		g.Welcome = ""
	}
	return g
}

// Guide returns the rows above the help (F1): how to begin with real payments, or nil if the welcome
// text does not say it.
func (g Greeting) Guide(console live.Console, width int) []string {
	if g.Steps == nil || g.Welcome == "" {
		return nil
	}
	return theme.Indent(theme.Paragraph(console.Theme.Text, console.Texts.Demo.Live.With(g.Welcome), width-1, 0), 1)
}

type greeter struct {
	Greeting
	live.Console
	width int
	room  int // Maximum number of rows.
}

func (g greeter) rows() []string {
	words := g.Texts
	switch {
	case g.Steps != nil:
		if proposed := g.proposed(); proposed != nil {
			return theme.Indent(proposed, 1)
		}
	case g.Welcome != "":
		rows := slices.Concat(g.what(), []string{""}, theme.Paragraph(g.Theme.Text, words.Demo.Try, g.width-1, 0))
		return theme.Indent(g.live(rows), 1)
	}
	rows := theme.Paragraph(g.Theme.Strong, words.Sale.Empty, g.width-1, 0)
	if g.room > examples {
		rows = append(rows, "")
	}
	return theme.Indent(append(rows, g.typing(false)...), 1)
}

func (g greeter) what() []string {
	return theme.Paragraph(g.Theme.Strong, g.Texts.Demo.What, g.width-1, 0)
}

func (g greeter) toTry() string { return g.Theme.Strong.Render(g.Texts.Demo.ToTry) }

// proposed returns what the demo suggests, in the largest form that fits, or nil.
func (g greeter) proposed() []string {
	what, title := g.what(), []string{g.toTry()}
	blank := []string{""}
	steps := g.Steps.Rows(g.Theme, g.Texts, g.width-1)
	aired := slices.Concat(what, blank, title)
	for _, step := range steps {
		aired = append(aired, "", step)
	}
	last := slices.Concat(aired, blank, blank, []string{g.Theme.Strong.Render(g.Texts.Sale.LastSale), "", g.LastSale})
	forms := [][]string{g.live(aired)}
	if g.LastSale != "" {
		typed := append([]string{g.Theme.Strong.Render(g.Texts.Sale.Empty)}, g.typing(true)...)
		longest := slices.Concat(what, blank, blank, typed, blank, last[len(what):])
		forms = [][]string{g.live(longest), g.live(last), forms[0]}
	}
	titled := slices.Concat(what, blank, title, blank, steps)
	typed := g.typing(false)
	forms = append(forms, slices.Concat(titled, blank, typed), slices.Concat(titled, blank, typed[:len(typed)-1]),
		g.live(titled), g.live(slices.Concat(what, blank, title, steps)))
	if pairs := g.Steps.Pairs(g.Theme, g.Texts, g.width-1); pairs != nil {
		forms = append(forms, slices.Concat(what, blank, pairs), slices.Concat(what, pairs))
	}
	brief := g.Steps.Brief(g.Theme, g.Texts, g.width-1)
	short := theme.Paragraph(g.Theme.Strong, g.Texts.Demo.Brief, g.width-1, 0)
	forms = append(forms, steps, slices.Concat(what, blank, brief), slices.Concat(short, blank, brief), slices.Concat(what, brief), brief)
	for _, rows := range forms {
		if len(rows) <= g.room {
			return rows
		}
	}
	return nil
}

// typing returns examples of what can be typed, with blank rows if aired is true.
func (g greeter) typing(aired bool) (rows []string) {
	words := g.Texts.Sale
	column := theme.Width(words.Own) + 3 // words.Own is the longest example.
	if g.Steps != nil {                  // All texts of the greeting begin in the same column.
		column = max(column, g.Steps.Column(g.Texts))
	}
	for _, example := range [][2]string{{"vary", words.ByName}, {"2 coca", words.TwoOfIt}, {words.Own, words.OwnAmount}} {
		if aired {
			rows = append(rows, "")
		}
		rows = append(rows, theme.Hang(g.Theme.Strong.Render(theme.AlignLeft(example[0], column)), example[1], g.width-1)...)
	}
	return rows
}

// live appends how to begin with real payments, if Welcome is set and there is room.
func (g greeter) live(rows []string) []string {
	if g.Welcome == "" {
		return rows
	}
	longer := append(slices.Clip(rows), "")
	longer = append(longer, theme.Paragraph(g.Theme.Text, g.Texts.Demo.Live.With(g.Welcome), g.width-1, 0)...)
	if len(longer) > g.room {
		return rows
	}
	return longer
}
