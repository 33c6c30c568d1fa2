package theme

import (
	"errors"
	"fmt"
	"strings"
)

// ErrMode says that a name is not the name of a mode. The error that wraps it
// lists the names that are.
var ErrMode = errors.New("unknown theme")

// Mode is a choice of colours that a user can make.
type Mode int

const (
	// Auto is readable on dark and on light backgrounds.
	Auto Mode = iota
	// Dark is for dark backgrounds, with brighter colours.
	Dark
	// Light is for light backgrounds, with deeper colours.
	Light
	// Contrast has no colours at all, but bold, reverse and underlined text.
	// It is what NO_COLOR asks for, too.
	Contrast
)

// Modes lists every mode in the order in which they are offered.
func Modes() []Mode {
	return []Mode{Auto, Dark, Light, Contrast}
}

// String is the mode's name as it stands in the settings.
func (m Mode) String() string {
	switch m {
	case Auto:
		return "auto"
	case Dark:
		return "dark"
	case Light:
		return "light"
	case Contrast:
		return "contrast"
	default:
		return fmt.Sprintf("Mode(%d)", int(m))
	}
}

// ParseMode finds the mode that is called name; case and surrounding spaces do
// not matter, and an empty name is Auto. Any other name gives an error that
// wraps ErrMode and lists the choices.
func ParseMode(name string) (Mode, error) {
	wanted := strings.ToLower(strings.TrimSpace(name))
	if wanted == "" {
		return Auto, nil
	}
	var names []string
	for _, mode := range Modes() {
		if wanted == mode.String() {
			return mode, nil
		}
		names = append(names, mode.String())
	}
	return Auto, fmt.Errorf("%w %q: choose one of %s", ErrMode, name, strings.Join(names, ", "))
}
