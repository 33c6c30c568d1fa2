package theme

import "github.com/charmbracelet/lipgloss"

// Mode is a choice of colours that a user can make, by its name in the settings.
// Any other name is Auto.
type Mode string

const (
	// Auto is readable on dark and on light backgrounds.
	Auto Mode = "auto"
	// Dark is for dark backgrounds, with brighter colours.
	Dark Mode = "dark"
	// Light is for light backgrounds, with deeper colours.
	Light Mode = "light"
	// Contrast has no colours at all, but bold, reverse and underlined text.
	// It is what NO_COLOR asks for, too.
	Contrast Mode = "contrast"
)

// The two colours that are the same on every ground.
const (
	black = lipgloss.Color("16")
	white = lipgloss.Color("231")
)

// emphasis is what one meaning adds to a style. A colour that is blank leaves the
// terminal's own.
type emphasis struct {
	text, ground lipgloss.Color
	reverse      bool
}

func (e emphasis) on(base lipgloss.Style) lipgloss.Style {
	if e.text != "" {
		base = base.Foreground(e.text)
	}
	if e.ground != "" {
		base = base.Background(e.ground)
	}
	return base.Reverse(e.reverse)
}

// palette is where the modes differ.
type palette struct {
	muted, accent, selected, demo                      emphasis
	paid, danger, warning, unknown                     emphasis
	paidBlock, dangerBlock, warningBlock, unknownBlock emphasis
	bar, barMuted, barKey, barBlock                    emphasis
}

// paletteOf gives the palette of mode, for a terminal of few colours its own:
// of the 16 that every scheme changes only 1 and 5 are readable on all.
func paletteOf(mode Mode, few bool) palette {
	switch {
	case mode == Contrast:
		return reversed("", "")
	case few:
		return reversed("1", "5")
	case mode == Dark:
		return palette{
			muted: emphasis{text: "#8b8fa3"}, accent: emphasis{text: "#a78bfa"},
			selected: emphasis{text: white, ground: "#7c5cff"}, demo: emphasis{text: black, ground: "#22d3ee"},
			paid: emphasis{text: "#34d399"}, danger: emphasis{text: "#f87171"},
			warning: emphasis{text: "#fbbf24"}, unknown: emphasis{text: "#60a5fa"},
			paidBlock: emphasis{text: "#04130d", ground: "#10b981"}, dangerBlock: emphasis{text: white, ground: "#dc2626"},
			warningBlock: emphasis{text: black, ground: "#f59e0b"}, unknownBlock: emphasis{text: white, ground: "#2563eb"},
			bar: emphasis{text: "#e5e7eb", ground: "#2a2b36"}, barMuted: emphasis{text: "#a1a5b7", ground: "#2a2b36"},
			barKey: emphasis{text: "#c4b5fd", ground: "#2a2b36"}, barBlock: emphasis{text: "#ffffff", ground: "#4c4580"},
		}
	case mode == Light:
		p := paletteOf(Dark, false) // The blocks of the outcomes are the same.
		p.muted, p.accent = emphasis{text: "#6b7280"}, emphasis{text: "#6d28d9"}
		p.selected, p.demo = emphasis{text: white, ground: "#6d28d9"}, emphasis{text: "#ffffff", ground: "#0e7490"}
		p.paid, p.danger = emphasis{text: "#047857"}, emphasis{text: "#b91c1c"}
		p.warning, p.unknown = emphasis{text: "#b45309"}, emphasis{text: "#1d4ed8"}
		p.bar, p.barMuted = emphasis{text: "#1f2330", ground: "#e7e5f3"}, emphasis{text: "#4b5063", ground: "#e7e5f3"}
		p.barKey, p.barBlock = emphasis{text: "#5b21b6", ground: "#e7e5f3"}, emphasis{text: "#2e1065", ground: "#c9c2ea"}
		return p
	}
	return palette{
		muted: emphasis{text: "244"}, accent: emphasis{text: "99"},
		selected: emphasis{text: white, ground: "99"}, demo: emphasis{text: black, ground: "44"},
		paid: emphasis{text: "29"}, danger: emphasis{text: "167"},
		warning: emphasis{text: "166"}, unknown: emphasis{text: "32"},
		paidBlock: emphasis{text: black, ground: "35"}, dangerBlock: emphasis{text: white, ground: "160"},
		warningBlock: emphasis{text: black, ground: "214"}, unknownBlock: emphasis{text: white, ground: "25"},
		bar: emphasis{text: "253", ground: "236"}, barMuted: emphasis{text: "248", ground: "236"},
		barKey: emphasis{text: "147", ground: "236"}, barBlock: emphasis{text: white, ground: "60"},
	}
}

// reversed is a palette of two colours at most; blocks are reversed.
func reversed(danger, accent lipgloss.Color) palette {
	block := emphasis{reverse: true}
	return palette{
		accent: emphasis{text: accent}, selected: emphasis{text: accent, reverse: true}, demo: block,
		danger:    emphasis{text: danger},
		paidBlock: block, dangerBlock: emphasis{text: danger, reverse: true}, warningBlock: block, unknownBlock: block,
		barKey: emphasis{text: accent}, barBlock: block,
	}
}
