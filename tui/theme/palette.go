package theme

import (
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Mode is a colour scheme, by its name in the settings. An unknown name means [Auto].
type Mode string

// The colour schemes that the settings offer.
const (
	// Auto is readable on dark and on light backgrounds. [Theme.Adapt] replaces its colours by
	// those of Dark or Light.
	Auto  Mode = "auto"
	Dark  Mode = "dark"  // Brighter colours, for dark backgrounds.
	Light Mode = "light" // Deeper colours, for light backgrounds.
	// Contrast uses no colours, only bold, reverse and underlined text. NO_COLOR selects it, too.
	Contrast Mode = "contrast"
)

// Colours that the colour schemes of terminals do not change.
const (
	black     = lipgloss.Color("16")
	white     = lipgloss.Color("231")
	lightGrey = lipgloss.Color("253") // #dadada
	darkGrey  = lipgloss.Color("236") // #303030
)

const (
	middleGround = 0.2  // Minimum luminance of a light background.
	whiteGround  = 0.93 // Minimum luminance of a white background.
)

// stylesOf returns the styles that depend on the mode. The colour schemes of terminals change the
// first 16 colours. Only the colours 1 and 5 are readable in all common schemes, so the others are
// used only on a dark background.
func stylesOf(bold Style, mode Mode, profile termenv.Profile) Styles {
	word := func(text lipgloss.Color) Style { return bold.Foreground(text) }
	block := func(text, ground lipgloss.Color) Style { return word(text).Background(ground) }
	// tint returns a style with the colour text. A terminal of 256 colours gets the colour number
	// instead, because the one nearest to text may have too little contrast.
	tint := func(text, number lipgloss.Color) Style {
		if profile == termenv.ANSI256 {
			return word(number)
		}
		return word(text)
	}
	bar := lipgloss.Color("#2a2b36")
	if profile == termenv.ANSI256 {
		bar = "236" // A grey; the one of the 256 colours that is nearest to #2a2b36 is blue.
	}
	switch {
	case mode == Contrast:
		return reversed(bold, bold, bold)
	case profile == termenv.ANSI && mode == Dark:
		return sixteen(bold)
	case profile == termenv.ANSI:
		return reversed(bold, word("1"), word("5"))
	case mode == Dark:
		return Styles{
			Muted: tint("#a2a7bb", "248"), Rule: tint("#6b7089", "243"), Accent: tint("#a78bfa", "141"),
			Flow: tint("#22d3ee", "44"), FlowMiddle: tint("#1097b2", "31"), FlowLow: tint("#1a7a93", "30"),
			Paid: tint("#34d399", "42"), Danger: tint("#f87171", "210"), Warning: tint("#fbbf24", "220"),
			Unknown: tint("#60a5fa", "75"), Demo: tint("#f9a8d4", "218"),
			PaidBlock: block("#04130d", "#10b981"), DangerBlock: block(white, "#dc2626"),
			WarningBlock: block(black, "#f59e0b"), UnknownBlock: block(white, "#2563eb"),
			Selected: block(white, "#6d4aff"), FlowBlock: block("#04130d", "#22d3ee"), DemoBlock: block("#1a0510", "#f9a8d4"),
			Header: block("#e5e7eb", bar), HeaderMuted: block("#a9adbd", bar), HeaderFlow: block("#22d3ee", bar),
			HeaderAbsent: tint("#6f7388", "244").Background(bar), BarKeyBlock: block(white, "#4c4580"),
			Paper: block("#22201c", "#f5f2e9"),
		}
	case mode == Light:
		s := stylesOf(bold, Dark, profile) // Blocks that are not set below are those of Dark.
		s.Muted = tint("#565c6c", "240")
		s.Rule = tint("#878c9d", "245")
		s.Accent = tint("#6d28d9", "55")
		s.Flow = tint("#0e7490", "24")
		s.FlowMiddle = tint("#2789a3", "31")
		s.FlowLow = tint("#4fa3b8", "67")
		s.Paid = tint("#047857", "22")
		s.Danger = tint("#b91c1c", "124")
		s.Warning = tint("#a14608", "94")
		s.Unknown = tint("#1d4ed8", "25")
		s.Demo = tint("#be185d", "161")
		s.Selected = block(white, "#6d28d9")
		s.FlowBlock = block(white, "#0e7490")
		s.DemoBlock = block(white, "#be185d")
		s.Header = block("#1f2330", "#e7e5f3")
		s.HeaderMuted = block("#4b5063", "#e7e5f3")
		s.HeaderFlow = tint("#0e7490", "24").Background(lipgloss.Color("#e7e5f3"))
		s.HeaderAbsent = tint("#7a7d93", "243").Background(lipgloss.Color("#e7e5f3"))
		s.BarKeyBlock = block("#2e1065", "#c9c2ea")
		s.Paper = block("#22201c", "#eeebe3")
		return s
	}
	flow := word("31")
	return Styles{
		Muted: bold, Rule: word("244"), Accent: word("99"), Flow: flow, FlowMiddle: flow, FlowLow: flow,
		Paid: word("29"), Danger: word("167"), Warning: word("166"), Unknown: word("32"), Demo: word("169"),
		PaidBlock: block(black, "35"), DangerBlock: block(white, "160"),
		WarningBlock: block(black, "214"), UnknownBlock: block(white, "25"),
		Selected: block(white, "99"), FlowBlock: block(black, "44"), DemoBlock: block(black, "218"),
		Header: block("253", "236"), HeaderMuted: block("248", "236"), HeaderFlow: block("44", "236"),
		HeaderAbsent: block("244", "236"), BarKeyBlock: block(white, "60"), Paper: block(black, "255"),
	}
}

// sixteen returns styles for 16 colours on a dark background.
func sixteen(bold Style) Styles {
	word := func(text lipgloss.Color) Style { return bold.Foreground(text) }
	s := reversed(bold, word("1"), word("5"))
	s.Rule = bold.UnsetBold().Faint(true) // In some colour schemes, the grey is equal to the background.
	s.Paid = word("2")
	s.PaidBlock = s.Paid.Reverse(true).UnsetBold()
	s.Warning = word("3")
	s.WarningBlock = s.Warning.Reverse(true).UnsetBold()
	s.DangerBlock = word("15").Background(lipgloss.Color("1")).UnsetBold()
	s.UnknownBlock = word("15").Background(lipgloss.Color("4")).UnsetBold()
	return s
}

// reversed returns styles for few or no colours. Blocks are not bold, because the Linux console
// changes the colour of bold text.
func reversed(bold, danger, accent Style) Styles {
	block := bold.Reverse(true).UnsetBold()
	return Styles{
		Muted: bold, Rule: bold, Accent: accent, Flow: accent, FlowMiddle: accent, FlowLow: accent,
		Paid: bold, Danger: danger, Warning: bold, Unknown: bold, Demo: bold,
		PaidBlock: block, DangerBlock: danger.Reverse(true).UnsetBold(), WarningBlock: block, UnknownBlock: block,
		Selected: accent.Reverse(true).UnsetBold(), FlowBlock: accent.Reverse(true).UnsetBold(), DemoBlock: block,
		Header: bold, HeaderMuted: bold, HeaderFlow: accent, HeaderAbsent: bold, BarKeyBlock: block, Paper: block,
	}
}
