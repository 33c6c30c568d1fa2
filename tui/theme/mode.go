package theme

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
