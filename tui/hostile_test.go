package tui_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/storage/storagetest"
	"checkout/till/tui/counter"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// harm returns the first dangerous text in a view, or "" if there is none. It ignores colour
// sequences.
func harm(view string) string {
	for line := range strings.SplitSeq(colours.ReplaceAllString(view, ""), "\n") {
		if found := storagetest.Harm(line); found != "" {
			return found
		}
	}
	return ""
}

// colourful sets a true-colour theme, so that the views contain colour sequences.
func colourful(c *console) {
	renderer := lipgloss.NewRenderer(c.out)
	renderer.SetColorProfile(termenv.TrueColor)
	c.config.Theme = theme.New(renderer, theme.Auto)
}

// hostileTexts returns the hostile texts and a text that is wider than the window. It joins short
// texts: there are fewer texts to test, but the screens still show each of them whole.
func hostileTexts() []string {
	joined := []string{strings.Repeat("中文\U0001f468\u200d", 60), ""}
	for _, text := range storagetest.HostileTexts() {
		last := &joined[len(joined)-1]
		if len([]rune(clean.Text(*last+text.Raw, 1000))) > 50 {
			joined = append(joined, text.Raw)
			continue
		}
		*last += " " + text.Raw
	}
	return joined
}

func TestNoHostileTextReachesTheTerminal(t *testing.T) {
	rendering(t)
	texts := hostileTexts()
	if !tuitest.Long() {
		texts = texts[:2]
	}
	for _, raw := range texts {
		t.Run(clean.Text(raw, 60), func(t *testing.T) {
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
				shown := clean.Text(raw, 60)
				shown = strings.TrimSuffix(shown, "…")
				if text := ansi.Strip(c.View()); !strings.Contains(text, shown) {
					t.Errorf("%s does not say %q\n%s", where, shown, text)
				}
			}
			walk(c, raw, check, says)
		})
	}
}

// walk makes the console show the text raw in all places that show texts from the payment service
// or from the store. In each place, walk calls check.
func walk(c *console, raw string, check, says func(where string)) {
	c.press("tab")
	check("the chosen favourite")
	c.press("esc")
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
	tuitest.Must(c.t, err)
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
	check("a payment to check")
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

// stock tries to save articles with texts that contain raw. payments.Service may refuse such
// articles.
func stock(c *console, raw string) {
	for _, article := range []payments.Article{
		{Label: raw, UnitPrice: 5, Code: clean.Text(raw, payments.MaxCodeLength), Favourite: 1},
		{Label: raw + "a", UnitPrice: 6, Favourite: 3},
		{Label: "b" + raw, UnitPrice: 7, Favourite: 4},
	} {
		_ = c.AddArticles(c.t.Context(), []payments.Article{article})
	}
}
