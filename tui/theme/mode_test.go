package theme_test

import (
	"errors"
	"fmt"
	"testing"

	"checkout/till/tui/theme"
)

func TestParseMode(t *testing.T) {
	for name, want := range map[string]theme.Mode{
		"": theme.Auto, "auto": theme.Auto, "Dark": theme.Dark, " light\n": theme.Light, "contrast": theme.Contrast,
	} {
		if got, err := theme.ParseMode(name); err != nil || got != want {
			t.Errorf("ParseMode(%q) = %v, %v, want %v", name, got, err, want)
		}
	}
	if _, err := theme.ParseMode("sepia"); !errors.Is(err, theme.ErrMode) {
		t.Errorf("ParseMode(sepia) = %v, want ErrMode", err)
	}
}

func ExampleParseMode() {
	_, err := theme.ParseMode("sepia")
	fmt.Println(err)
	// Output: unknown theme "sepia": choose one of auto, dark, light, contrast
}

// modes are all modes.
func modes() []theme.Mode { return []theme.Mode{theme.Auto, theme.Dark, theme.Light, theme.Contrast} }
