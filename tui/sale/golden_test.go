package sale_test

import (
	"strings"
	"testing"

	"checkout/till/assets/i18n"
	"checkout/till/tui/tuitest"
)

func TestTheScreenLooksAsItDid(t *testing.T) {
	states := map[string]func(d *tuitest.Driver){
		"empty":    func(*tuitest.Driver) {},
		"lines":    func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Menaka ampalaza 1L 12500", "1500") },
		"typing":   func(d *tuitest.Driver) { enter(d, "Vary 3500 x2").Type("Coca 20") },
		"choosing": func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Coca 2000").Press("up", "up") },
		"editing":  func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Coca 2000").Press("up", "enter") },
		"asking":   func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Coca 2000", "") },
		"fault":    func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Savony") },
		"several":  func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "vary") },
		"long": func(d *tuitest.Driver) {
			for range 30 {
				enter(d, "Vary 3500 x2")
			}
			enter(d, strings.Repeat("label ", 20)+"999999999 x99")
		},
	}
	for _, language := range i18n.Languages() {
		for state, reach := range states {
			t.Run(state+" in "+language, func(t *testing.T) {
				d := drive(t, speaking(t, &drawer{}, language))
				reach(d)
				// Three rows of each window are the console's.
				d.Resize(40, 12).Golden(state + "-" + language + "-40x15")
				d.Resize(80, 21).Golden(state + "-" + language + "-80x24")
				d.Resize(120, 37).Golden(state + "-" + language + "-120x40")
			})
		}
	}
}
