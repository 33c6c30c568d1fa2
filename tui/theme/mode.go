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

// Mode is a choice of colours that a user can make, by its name in the settings.
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

// ParseMode finds the mode that is called name; case and surrounding spaces do
// not matter, and an empty name is Auto. Any other name gives an error that
// wraps ErrMode and lists the choices.
func ParseMode(name string) (Mode, error) {
	names := []string{string(Auto), string(Dark), string(Light), string(Contrast)}
	wanted := cmp.Or(strings.ToLower(strings.TrimSpace(name)), string(Auto))
	if !slices.Contains(names, wanted) {
		return Auto, fmt.Errorf("%w %q: choose one of %s", ErrMode, name, strings.Join(names, ", "))
	}
	return Mode(wanted), nil
}
