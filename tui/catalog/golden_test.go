package catalog_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
)

// states are the ways in which the screen can stand there, and how it comes to
// that.
func states() map[string]func(s *till) {
	return map[string]func(s *till){
		"list":        func(s *till) { s.press("down", "down", "down") },
		"filter":      func(s *till) { s.Type("vary") },
		"no-fit":      func(s *till) { s.Type("mofo") },
		"new":         func(s *till) { s.press("ctrl+n").Type("Mofo gasy") },
		"edit":        func(s *till) { s.press("enter", "tab") },
		"bad-price":   func(s *till) { s.press("enter", "tab").Type(",50").Press("ctrl+s") },
		"code-taken":  func(s *till) { s.press("enter", "tab", "tab", "ctrl+u").scan("5449000000996") },
		"label-taken": func(s *till) { s.press("enter", "ctrl+u").Type("Koba").Press("ctrl+s") },
		"saved":       func(s *till) { s.press("enter", "tab", "ctrl+u").Type("4 800").Press("ctrl+s") },
		"delete":      func(s *till) { s.press("delete") },
		"deleted":     func(s *till) { s.press("delete", "enter") },
		"discard":     func(s *till) { s.press("enter").Type("!").Press("esc") },
		"fault":       func(s *till) { s.Break(); s.press("alt+3") },
	}
}

func TestTheScreenLooksAsItDid(t *testing.T) {
	articles := append(shop(), payments.Article{
		Label: strings.Repeat("Menaka ampalaza ", 5), UnitPrice: payments.MaxAriary, Code: strings.Repeat("9", payments.MaxCodeLength),
	})
	look := func(t *testing.T, name, language string, articles []payments.Article, come func(s *till)) {
		t.Run(name+" in "+language, func(t *testing.T) {
			s := speaking(t, language, articles...)
			come(s)
			// Three rows of each window are the console's.
			s.Resize(40, 12).Golden(name + "-" + language + "-40x15")
			s.Resize(80, 21).Golden(name + "-" + language + "-80x24")
			s.Resize(120, 37).Golden(name + "-" + language + "-120x40")
		})
	}
	for _, language := range i18n.Languages() {
		look(t, "empty", language, nil, func(*till) {})
		look(t, "thousands", language, many(1000), func(s *till) { s.press("pgdown", "pgdown") })
		for _, state := range slices.Sorted(maps.Keys(states())) {
			look(t, state, language, articles, states()[state])
		}
	}
}

func TestTheScreenFitsIntoAnyWindow(t *testing.T) {
	for _, state := range slices.Sorted(maps.Keys(states())) {
		t.Run(state, func(t *testing.T) {
			s := open(t, shop()...)
			states()[state](s)
			for width := 1; width < 130; width += 9 {
				for height := 1; height < 15; height++ {
					s.Resize(width, height).Fits()
				}
			}
		})
	}
}
