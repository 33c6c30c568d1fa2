package theme

import "github.com/charmbracelet/lipgloss"

// Mode is a colour scheme; the value is its name in the settings. An unknown name means
// [Auto].
type Mode string

const (
	// Auto is readable on dark and on light backgrounds.
	Auto Mode = "auto"
	// Dark is for dark backgrounds, with brighter colours.
	Dark Mode = "dark"
	// Light is for light backgrounds, with deeper colours.
	Light Mode = "light"
	// Contrast uses no colours, only bold, reverse and underlined text. NO_COLOR selects it
	// too.
	Contrast Mode = "contrast"
)

// Black and white of the fixed part of the 256-colour palette.
const (
	black = lipgloss.Color("16")
	white = lipgloss.Color("231")
)

// stylesOf returns the styles that depend on the mode, all bold. few means a terminal of 16
// colours: terminal schemes redefine these, and only 1 and 5 are readable in all of them.
func stylesOf(bold Style, mode Mode, few bool) Styles {
	word := func(text lipgloss.Color) Style { return bold.Foreground(text) }
	block := func(text, ground lipgloss.Color) Style { return word(text).Background(ground) }
	switch {
	case mode == Contrast:
		return reversed(bold, bold, bold)
	case few:
		return reversed(bold, word("1"), word("5"))
	case mode == Dark:
		return Styles{
			Muted: word("#8b8fa3"), Accent: word("#a78bfa"), Selected: block(white, "#7c5cff"), DemoBlock: block(black, "#22d3ee"),
			Paid: word("#34d399"), Danger: word("#f87171"), Warning: word("#fbbf24"), Unknown: word("#60a5fa"),
			PaidBlock: block("#04130d", "#10b981"), DangerBlock: block(white, "#dc2626"),
			WarningBlock: block(black, "#f59e0b"), UnknownBlock: block(white, "#2563eb"),
			Header: block("#e5e7eb", "#2a2b36"), HeaderMuted: block("#a1a5b7", "#2a2b36"),
			BarKey: block("#c4b5fd", "#2a2b36"), BarKeyBlock: block("#ffffff", "#4c4580"),
		}
	case mode == Light:
		s := stylesOf(bold, Dark, false) // Keeps the blocks of the outcomes.
		s.Muted = word("#6b7280")
		s.Accent = word("#6d28d9")
		s.Selected = block(white, "#6d28d9")
		s.DemoBlock = block("#ffffff", "#0e7490")
		s.Paid = word("#047857")
		s.Danger = word("#b91c1c")
		s.Warning = word("#b45309")
		s.Unknown = word("#1d4ed8")
		s.Header, s.HeaderMuted = block("#1f2330", "#e7e5f3"), block("#4b5063", "#e7e5f3")
		s.BarKey, s.BarKeyBlock = block("#5b21b6", "#e7e5f3"), block("#2e1065", "#c9c2ea")
		return s
	}
	return Styles{
		Muted: word("244"), Accent: word("99"), Selected: block(white, "99"), DemoBlock: block(black, "44"),
		Paid: word("29"), Danger: word("167"), Warning: word("166"), Unknown: word("32"),
		PaidBlock: block(black, "35"), DangerBlock: block(white, "160"),
		WarningBlock: block(black, "214"), UnknownBlock: block(white, "25"),
		Header: block("253", "236"), HeaderMuted: block("248", "236"),
		BarKey: block("147", "236"), BarKeyBlock: block(white, "60"),
	}
}

// reversed returns styles with at most two colours. Blocks use reverse video and are not
// bold: in bold, the Linux console would brighten their text, which has the background's
// colour.
func reversed(bold, danger, accent Style) Styles {
	block := bold.Reverse(true).UnsetBold()
	return Styles{
		Muted: bold, Accent: accent, Selected: accent.Reverse(true).UnsetBold(), DemoBlock: block,
		Paid: bold, Danger: danger, Warning: bold, Unknown: bold,
		PaidBlock: block, DangerBlock: danger.Reverse(true).UnsetBold(), WarningBlock: block, UnknownBlock: block,
		Header: bold, HeaderMuted: bold, BarKey: accent, BarKeyBlock: block,
	}
}
