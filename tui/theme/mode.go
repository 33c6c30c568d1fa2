package theme

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
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

// names returns the names of the modes in the settings, by mode.
func names() []string {
	return []string{Auto: "auto", Dark: "dark", Light: "light", Contrast: "contrast"}
}

// String is the mode's name as it stands in the settings.
func (m Mode) String() string {
	if m < Auto || m > Contrast {
		return fmt.Sprintf("Mode(%d)", int(m))
	}
	return names()[m]
}

// ParseMode finds the mode that is called name; case and surrounding spaces do
// not matter, and an empty name is Auto. Any other name gives an error that
// wraps ErrMode and lists the choices.
func ParseMode(name string) (Mode, error) {
	wanted := cmp.Or(strings.ToLower(strings.TrimSpace(name)), Auto.String())
	if at := slices.Index(names(), wanted); at >= 0 {
		return Mode(at), nil
	}
	return Auto, fmt.Errorf("%w %q: choose one of %s", ErrMode, name, strings.Join(names(), ", "))
}
