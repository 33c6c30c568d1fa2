package demo

import (
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/tui/theme"
)

// Step is something to try in the demo.
type Step int

// The steps, in the order of [i18n.Demo.Steps]. The comment of a step says when it is done.
const (
	Charge  Step = iota // A QR code was shown.
	Paid                // An order was paid.
	Refused             // A payment failed.
	Next                // The next sale was begun while an order was waiting for its payment.
	Cash                // A sale was paid in cash.
	Check               // The screen with the orders was opened.
	stepCount
)

// Steps tells which steps the user has done.
type Steps [stepCount]bool

// Rows lists the steps with their keys, and marks the done ones.
func (s Steps) Rows(styles theme.Theme, texts i18n.Texts, width int) []string {
	name := texts.KeyNames.Of
	keys := [stepCount]string{
		Charge: name("alt+1") + "  " + name("enter") + "  " + name("enter"), Paid: "p", Refused: "f", Next: name("esc"),
		Cash: name("enter") + "  " + name("tab"), Check: "F3",
	}
	column := theme.Width(keys[Charge]) + 3
	rows := []string{styles.Strong.Render(texts.Demo.ToTry)}
	for step, does := range texts.Demo.Steps {
		mark := styles.Muted.Render("○ ")
		if s[step] {
			mark = styles.Paid.Render("✓ ")
		}
		key := styles.Accent.Render(theme.AlignLeft(keys[step], column))
		rows = append(rows, strings.Split(theme.Beside(mark+key, theme.Wrap(does, width-2-column)), "\n")...)
	}
	return rows
}
