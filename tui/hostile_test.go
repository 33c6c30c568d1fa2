package tui_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"checkout/till/payments"
	"checkout/till/tui/counter"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest/shoptest"
)

// hostile are texts that harm a terminal or its reader.
func hostile() map[string]string {
	return map[string]string{
		"NUL":                                "a\x00b",
		"bell":                               "a\ab",
		"backspaces that rub out a word":     "NOT PAID\b\b\b\b\b\b\b\bPAID",
		"a carriage return":                  "1 500 Ar\rPAID",
		"line breaks":                        "a\n\nPAID\n",
		"tabs":                               "a\t\tb",
		"vertical tab and form feed":         "a\vb\fc",
		"shift out and shift in":             "a\x0eb\x0fc",
		"delete":                             "a\x7fb",
		"colours":                            "\x1b[32mPAID\x1b[0m",
		"clearing the screen":                "\x1b[2J\x1b[HPAID",
		"moving the cursor":                  "a\x1b[1A\x1b[9Db",
		"OSC 0, the window's title":          "\x1b]0;owned\a",
		"OSC 52, the clipboard":              "\x1b]52;c;cm0gLXJm\x1b\\",
		"OSC 8, a link":                      "\x1b]8;;https://evil.example\x1b\\pay\x1b]8;;\x1b\\",
		"DCS, a query of the terminal":       "\x1bP+q544e\x1b\\",
		"APC and PM":                         "\x1b_x\x1b\\\x1b^y\x1b\\",
		"C1 as UTF-8":                        "a\u009b31mb\u009d0;x\u009c\u0090",
		"C1 as a raw byte":                   "a\x9b31mb",
		"next line":                          "a\u0085b",
		"bidirectional overrides":            "amount \u202e0051\u202c",
		"bidirectional isolates":             "\u2066a\u2067b\u2068c\u2069\u200e\u200f\u061c",
		"zero-width characters":              "P\u200bA\u200cI\u200dD\u2060",
		"byte order mark and soft hyphen":    "\ufeffPA\u00adID",
		"tag characters":                     "PAID\U000e0041\U000e007f",
		"line and paragraph separators":      "a\u2028b\u2029c",
		"private use":                        "\ue000a\uf8ff\U000f0000\U0010fffd",
		"a flood of combining marks":         "e" + strings.Repeat("\u0301", 500) + "x",
		"broken UTF-8":                       "caf\xe9 \xc0\xaf\xed\xa0\x80\xf8",
		"invisible letters":                  "a\u3164\u115f\u034f\u2065\u0378\uffffb",
		"a text that is wider than a window": strings.Repeat("中文\U0001f468\u200d", 60),
	}
}

// harm says what a view holds that a terminal must not get, but for our own
// colours; nothing of a harmless one.
func harm(view string) string {
	rest := regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(view, "")
	marks := 0
	for _, r := range rest {
		switch {
		case r == '\n':
		case r == unicode.ReplacementChar && !strings.Contains(view, "\ufffd"):
			return "broken UTF-8"
		case r < 0x20, r >= 0x7f && r <= 0x9f:
			return fmt.Sprintf("the control character %U", r)
		case unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs):
			return fmt.Sprintf("%U", r)
		case unicode.IsMark(r):
			if marks++; marks > 4 {
				return "a flood of marks"
			}
			continue
		}
		marks = 0
	}
	return ""
}

// colourful is a theme in all colours, so that our own sequences are there.
func colourful(c *console) {
	renderer := lipgloss.NewRenderer(c.out)
	renderer.SetColorProfile(termenv.TrueColor)
	c.config.Theme = theme.New(renderer, theme.Auto)
}

func TestNoHostileTextReachesTheTerminal(t *testing.T) {
	rendering(t)
	for name, raw := range hostile() {
		t.Run("T1 "+name, func(t *testing.T) {
			c := open(t, colourful, func(c *console) {
				c.config.Shop, c.config.Till = raw, raw
				stock(c, raw)
				c.config.Customer = func(context.Context, string, payments.EventKind) error { return errors.New(raw) }
			})
			check := func(where string) {
				t.Helper()
				for _, size := range [][2]int{{120, 40}, {80, 24}, {40, 15}, {20, 5}} {
					c.Resize(size[0], size[1])
					if found := harm(c.Fits().View()); found != "" {
						t.Errorf("%s holds %s: %q", where, found, c.View())
					}
				}
				c.Resize(200, 40)
			}
			says := func(where string) {
				t.Helper()
				check(where)
				shown := payments.Clean(raw, 60)
				shown = strings.TrimSuffix(shown, "…")
				if text := ansi.Strip(c.View()); !strings.Contains(text, shown) {
					t.Errorf("%s does not say %q\n%s", where, shown, text)
				}
			}
			walk(c, raw, check, says)
		})
	}
}

// walk brings a text to every place where one from outside is shown.
func walk(c *console, raw string, check, says func(where string)) {
	typing(c, raw, check)
	c.Reply(shoptest.Refuse(raw))
	c.enter("Vary 3500", "", "")
	says("a refusal")
	c.Reply(shoptest.Lose(raw))
	c.after(counter.Grace).press("enter", "enter", "enter")
	says("an unknown outcome")
	lost := c.newest()
	c.after(counter.Grace).press("enter")

	c.Reply(func(order payments.Order) (payments.Created, error) {
		created, err := c.Accept(order)
		created.OrderReference = raw
		return created, err
	})
	terms := shoptest.Terms("S9", payments.Item{Label: raw, UnitPrice: 3500, Quantity: 1})
	terms.Till = raw
	order, err := c.Checkout(c.t.Context(), terms)
	if err != nil {
		c.t.Fatal(err)
	}
	c.wake().press("f4")
	says("the board")
	c.press("enter")
	says("a code")
	c.press("p")
	check("the demo's failure")

	c.Fail(order, raw)
	c.wake()
	says("a failure")
	event := shoptest.Event(order, payments.PaymentSuccess, "")
	event.Amount = payments.Value{Kind: payments.Other, Text: raw}
	event.Currency, event.Description = payments.TextValue(raw), payments.TextValue(raw)
	c.Hear(event)
	c.wake()
	says("a payment to check")
	c.after(counter.Grace).press("esc").wake()
	check("the news")

	orphan := shoptest.Event(lost, payments.PaymentSuccess, "")
	orphan.OrderReference = raw + "2"
	c.Hear(orphan)
	c.Hear(payments.Event{Kind: payments.EventKind(raw), OrderReference: order.OrderReference, Error: payments.TextValue(raw)})
	c.press("f3")
	says("what there is to check")
	c.press("tab")
	says("the history")
	c.press("enter")
	says("an order")
	c.press("y", "enter")
	says("a finding")
	c.press("esc", "down", "enter", "m")
	says("a match")
	c.press("enter")
	check("a matched order")
	c.press("esc", "esc", "f1")
	check("the help")
	c.press("x", "ctrl+c")
	check("the end")
}

// typing brings a text to every place where one that is typed is shown.
func typing(c *console, raw string, check func(where string)) {
	check("the header")
	c.Paste(raw)
	check("the entry line")
	c.press("enter")
	check("the hint")
	check("the greeting")
	c.press("ctrl+u").Type("a")
	check("the articles that fit")
	c.press("tab")
	check("the article that is chosen")
	c.press("enter")
	check("the hint that several fit")
	c.press("ctrl+u").Paste(raw + " 3500").Press("enter")
	check("a line")
	c.press("ctrl+u", "up", "enter")
	check("a correction")
	c.press("esc", "up", "d").Paste("10%").Press("enter")
	check("a discount")
	c.press("ctrl+n").Paste(raw)
	check("a note that is typed")
	c.press("enter")
	check("a note")
	c.press("f5").Paste(raw)
	check("a name to hold a sale by")
	c.press("enter")
	check("a sale that was held")
	c.press("f5")
	check("the sales that are held")
	c.press("delete")
	check("a sale that is dropped")
	c.press("esc", "enter", "esc", "enter")
	check("the charge question")
	c.press("esc", "ctrl+z", "ctrl+u")
}

// stock puts articles with a text into the catalogue, as far as it takes them.
func stock(c *console, raw string) {
	for _, article := range []payments.Article{
		{Label: raw, UnitPrice: 5, Code: payments.Clean(raw, payments.MaxCodeLength), Favourite: 1},
		{Label: raw + "a", UnitPrice: 6, Favourite: 3},
		{Label: "b" + raw, UnitPrice: 7, Favourite: 4},
	} {
		_ = c.SaveArticles(c.t.Context(), []payments.Article{article})
	}
}
