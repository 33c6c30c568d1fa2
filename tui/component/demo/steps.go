package demo

import (
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/tui/theme"
)

// Step is a suggestion to try something in the demo.
type Step int

// The steps, in the order of [i18n.Demo.Steps]. Each comment says when the step is done.
const (
	Charge  Step = iota // A QR code was shown.
	Paid                // An order was paid.
	Refused             // A payment failed.
	Next                // The payment screen was left without a payment.
	Cash                // A sale was paid at the counter.
	Check               // The screen with the orders was opened.
	stepCount
)

// Steps records which steps the user has done.
type Steps [stepCount]bool

// Rows lists the steps with their keys, and marks the completed ones.
func (s Steps) Rows(styles theme.Theme, texts i18n.Texts, width int) []string {
	return s.list(styles, texts, texts.Demo.Steps[:], width, Charge, stepCount)
}

// Brief lists the steps like Rows, with the part of each text before its colon.
func (s Steps) Brief(styles theme.Theme, texts i18n.Texts, width int) []string {
	return s.list(styles, texts, brief(texts), width, Charge, stepCount)
}

func brief(texts i18n.Texts) (short []string) {
	for _, does := range texts.Demo.Steps {
		before, _, _ := strings.Cut(does, ":")
		short = append(short, strings.TrimSpace(before))
	}
	return short
}

// Table returns the keys of the steps, and for each the part of its text before the colon.
func Table(styles theme.Theme, texts i18n.Texts) (rows [][2]string) {
	keys := stepKeys(texts)
	for i, does := range brief(texts) {
		rows = append(rows, [2]string{styles.Accent.Render(keys[i]), does})
	}
	return rows
}

// Pairs lists the steps in two columns, with the part of each text before its colon, or returns nil
// if they are too wide.
func (s Steps) Pairs(styles theme.Theme, texts i18n.Texts, width int) []string {
	const half, gap = stepCount / 2, 3
	short := brief(texts)
	left := s.list(styles, texts, short, width, Charge, half)
	right := s.list(styles, texts, short, width, half, stepCount)
	at := theme.Width(strings.Join(left, "\n")) + gap
	if len(left)+len(right) > int(stepCount) || at+theme.Width(strings.Join(right, "\n")) > width {
		return nil
	}
	for i, row := range right {
		left[i] = theme.AlignLeft(left[i], at) + row
	}
	return left
}

const markWidth = 2 // Width of the mark before a step, with a blank after it.

// Column returns the column in which the texts of [Steps.Rows] begin.
func (s Steps) Column(texts i18n.Texts) int { return markWidth + column(stepKeys(texts)) }

func stepKeys(texts i18n.Texts) []string {
	name := texts.KeyNames.Of
	return []string{
		Charge: "Alt 1 " + name("enter") + " " + name("enter"), Paid: "p", Refused: "f", Next: name("esc"),
		Cash: name("enter") + " " + name("tab"), Check: "F3",
	}
}

func column(keys []string) int { return theme.Width(strings.Join(keys, "\n")) + 2 }

func (s Steps) list(styles theme.Theme, texts i18n.Texts, does []string, width int, first, end Step) []string {
	keys := stepKeys(texts)
	column := column(keys[first:end])
	var rows []string
	for step := first; step < end; step++ {
		key := styles.Accent.Render(theme.AlignLeft(keys[step], column))
		rows = append(rows, theme.Hang(s.mark(styles, step)+key, does[step], width)...)
	}
	return rows
}

func (s Steps) mark(styles theme.Theme, step Step) string {
	if s[step] {
		return styles.Paid.Render("✓ ")
	}
	return styles.Muted.Render("○ ")
}
