package sale_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/component/demo"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestTheScreenLooksAsItDid(t *testing.T) {
	states := map[string]func(d *tuitest.Driver){
		"empty":    func(*tuitest.Driver) {},
		"lines":    func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Menaka ampalaza 1L 12500", "1500") },
		"typing":   func(d *tuitest.Driver) { enter(d, "Vary 3500 x2").Type("Menaka 20") },
		"fitting":  func(d *tuitest.Driver) { enter(d, "Vary 3500 x2").Type("2*a") },
		"picking":  func(d *tuitest.Driver) { enter(d, "Vary 3500 x2").Type("co").Press("tab", "down") },
		"coded":    func(d *tuitest.Driver) { d.Type("12") },
		"merged":   func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Savony 500", "Vary 3500") },
		"choosing": func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Coca 2000").Press("up", "up") },
		"editing":  func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Coca 2000").Press("up", "enter") },
		"reducing": func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Coca 2000").Press("up", "up", "d").Type("10%") },
		"reduced": func(d *tuitest.Driver) {
			enter(d, "Menaka ampalaza avy any Vatomandry 12500 x2", "Coca 1500", "Vary 3500")
			enter(d.Press("up", "up", "up", "d"), "10%")
		},
		"regret": func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Coca 1500").Press("up") },
		"noting": func(d *tuitest.Driver) { enter(d, "Vary 3500 x2").Press("ctrl+n").Type("Misaotra, ho an'i Rina") },
		"noted": func(d *tuitest.Driver) {
			enter(enter(d, "Vary 3500 x2").Press("ctrl+n"), "Misaotra, ho an'i Rina sy ny ankohonany rehetra, ao ambonin'ny tsena")
		},
		"naming":        func(d *tuitest.Driver) { enter(d, "Vary 3500 x2").Send(hold) },
		"held":          func(d *tuitest.Driver) { enter(enter(d, "Vary 3500 x2").Send(hold), "") },
		"resuming":      func(d *tuitest.Driver) { three(d).Press("down") },
		"dropping":      func(d *tuitest.Driver) { three(d).Press("delete") },
		"dropping-sale": func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Coca 2000").Press("esc") },
		"dropped":       func(d *tuitest.Driver) { enter(d, "Vary 3500 x2").Press("esc", "enter") },
		"asking":        func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Coca 2000", "") },
		"cash":          func(d *tuitest.Driver) { enter(d, "Vary 12500", "").Press("tab", "alt+5") },
		"card":          func(d *tuitest.Driver) { enter(d, "Vary 12500", "").Press("tab", "tab") },
		"rest":          func(d *tuitest.Driver) { enter(enter(d, "Vary 12500", "").Press("tab"), "5000") },
		"begun":         func(*tuitest.Driver) {},
		"fault":         func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Savony") },
		"pieces":        func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Savony 1200 2") },
		"several":       func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "vary") },
		"unknown":       func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "6111000000018") },
		"long": func(d *tuitest.Driver) {
			for n := range 30 {
				enter(d, fmt.Sprintf("Vary%d 3500 x2", n))
			}
			enter(d, strings.Repeat("a name ", 18)+"999999999 x99")
			d.Type("a").Press("shift+tab")
		},
	}
	tuitest.Gallery{
		States: slices.Sorted(maps.Keys(states)), Beside: 2,
		Wide: []string{"cash", "lines", "picking"},
		Data: []string{"Misaotra, ho an'i Rina sy ny ankohonany rehetra"},
		Show: func(t *testing.T, state, language string, styles theme.Theme) *tuitest.Driver {
			shop := open(t)
			tenders := []drawer.Tender{drawer.TenderCash}
			switch state {
			case "card", "rest":
				tenders = append(tenders, drawer.TenderCard)
			case "begun":
				begun(t, shop)
			}
			d := drive(t, offering(t, shop.Store(), language, unhurried(), styles, tenders...))
			states[state](d)
			return d
		},
	}.Test(t)
}

// begun stores an unfinished sale that the customer has paid in part.
func begun(t *testing.T, shop *shoptest.Counter) {
	t.Helper()
	terms := shoptest.Terms("begun", payments.Item{Label: "Vary", UnitPrice: 12_500, Quantity: 1})
	tuitest.Must(t, shop.SaveSale(t.Context(), payments.Sale{ID: terms.Sale, Till: terms.Till, Items: terms.Items}))
	shop.SellPart(terms, 5000)
}

// three puts three sales on hold and opens the list of held sales.
func three(d *tuitest.Driver) *tuitest.Driver {
	for _, name := range []string{"", "Rina, ny lehilahy manana satroka mena", "3"} {
		enter(enter(d, "Vary 3500 x2", "Coca 2000").Send(hold), name)
	}
	return d.Send(hold)
}

// TestTheSaleFitsEveryWindow checks all forms of the sale: no row is too wide, a higher window
// shows all the lines that a lower window shows, and the answers to a question are never omitted.
func TestTheSaleFitsEveryWindow(t *testing.T) {
	reached := tuitest.Forms{}
	for _, language := range tuitest.Languages() {
		texts := i18n.Load(language)
		answers := func(labels ...string) []string { return labels }
		for state, tt := range map[string]struct {
			show    func(d *tuitest.Driver)
			answers []string
		}{
			"lines":  {func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Savony 12500", "1500") }, nil},
			"empty":  {func(*tuitest.Driver) {}, nil},
			"asking": {func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Savony 2000", "") }, answers(texts.TenderKeys["link"], texts.TenderKeys["cash"], texts.Sale.GoesBack)},
			"cash":   {func(d *tuitest.Driver) { enter(d, "Vary 12500", "").Press("tab") }, answers(texts.TenderTakes["cash"], texts.TenderKeys["link"])},
		} {
			d := drive(t, with(t, open(t).Store(), language, unhurried(), theme.Plain()))
			tt.show(d)
			draw := func(width, height int) string {
				view := d.Resize(width, height).Fits().View()
				if width >= 40 && height >= 14 {
					d.Sees(tt.answers...)
				}
				return view
			}
			tuitest.Windows(t, []int{20, 40, 50, 60, 80, 102, 103, 120, 160, 200}, draw, func(view string) []string {
				large, small := strings.Contains(view, "▄████▄") || strings.Contains(view, "██  ██"), strings.Contains(view, "█▄▄█")
				tiles := strings.Count(view, "Alt 1 ") + strings.Count(view, "Alt 4 ")
				reached[fmt.Sprintf("%s, large %t, small %t, tiles %d", state, large, small, tiles)] = true
				if state == "lines" {
					return tuitest.Among(view, "  Vary", "  Savony")
				}
				return nil
			})
		}
	}
	reached.Want(t,
		"lines, large true, small false, tiles 1", "lines, large false, small true, tiles 0", "lines, large false, small false, tiles 0",
		"empty, large false, small false, tiles 1",
		"asking, large true, small false, tiles 0", "asking, large false, small true, tiles 0", "asking, large false, small false, tiles 0",
		"cash, large true, small false, tiles 2", "cash, large false, small true, tiles 2", "cash, large false, small false, tiles 2",
	)
}

func TestAFontWithoutHalfBlocksHasATotalInFigures(t *testing.T) {
	styles := theme.Plain()
	styles.Charset = theme.Lines
	d := enter(drive(t, with(t, open(t).Store(), "en", unhurried(), styles)), "Vary 3500 x2", "Coca 2000")
	total := "████    ████    ████    ████ " // The upper edge of 9 000 in large digits.
	for name, view := range map[string]string{"the sale": d.View(), "the question": enter(d, "").View()} {
		if strings.Count(view, total[1:9]) < 1 || strings.Contains(view, " 9 000 Ar  ") {
			t.Errorf("%s has no figures\n%s", name, view)
		}
	}
}

func TestOnlyAVeryHighFirstScreenHasALarge0(t *testing.T) {
	d := drive(t, desk(t, open(t).Store()))
	d.Resize(120, 34).Lacks("▀████▀ Ar")
	d.Resize(200, 58).Sees("▀████▀ Ar")
}

func TestTheColumnOfFavouritesIsAsHighAsTheOthers(t *testing.T) {
	d := drive(t, desk(t, open(t).Store()))
	for _, height := range []int{43, 58} {
		d.Resize(160, height).Sees("On hold", "No sale is held.")
		rows := strings.Split(ansi.Strip(d.View()), "\n")
		if last := rows[len(rows)-1]; strings.Count(last, "╯") != 2 {
			t.Errorf("the last row is %q, want the lower borders of both columns", last)
		}
	}
}

func TestATotalDoesNotTouchTheTilesBelowIt(t *testing.T) {
	rows := strings.Split(ansi.Strip(enter(drive(t, desk(t, open(t).Store())), "Vary 3500").Resize(50, 28).View()), "\n")
	at := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "─ Alt 1 ─") })
	if at < 2 || strings.TrimSpace(rows[at-1]) != "" || !strings.Contains(rows[at-2], " Ar") {
		t.Errorf("no blank row is between the total and the tiles\n%s", strings.Join(rows, "\n"))
	}
}

func TestTheGreetingHasOneColumnOfTexts(t *testing.T) {
	screen := desk(t, open(t).Store())
	screen.Greeting.Steps = &demo.Steps{}
	d := drive(t, screen)
	seen := false
	for height := 20; height <= 58; height++ {
		view := ansi.Strip(d.Resize(80, height).View())
		before := func(text string) string {
			row, _, _ := strings.Cut(view, text)
			return row[strings.LastIndex(row, "\n")+1:]
		}
		if step, example := "a code to scan", "an article, by a part"; strings.Contains(view, step) && strings.Contains(view, example) {
			seen = true
			if rows := strings.Split(view[:strings.Index(view, step)], "\n"); strings.Trim(rows[len(rows)-2], "│ ") != "" {
				t.Errorf("the title touches the steps\n%s", view)
			}
			if theme.Width(before(step)) != theme.Width(before(example)) {
				t.Errorf("the steps and the examples begin in different columns\n%s", view)
			}
		}
	}
	if !seen {
		t.Error("no window shows the steps and the examples")
	}
}
