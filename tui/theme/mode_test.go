package theme_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"checkout/till/tui/theme"
)

func TestParseMode(t *testing.T) {
	tests := []struct {
		name, in string
		want     theme.Mode
	}{
		{"nothing is auto", "", theme.Auto},
		{"auto is known", "auto", theme.Auto},
		{"dark is known", "dark", theme.Dark},
		{"light is known", "light", theme.Light},
		{"contrast is known", "contrast", theme.Contrast},
		{"case does not matter", "Dark", theme.Dark},
		{"surrounding spaces do not matter", " light\n", theme.Light},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := theme.ParseMode(tt.in)
			if err != nil || got != tt.want {
				t.Errorf("ParseMode(%q) = %v, %v, want %v", tt.in, got, err, tt.want)
			}
		})
	}
}

func TestAnUnknownModeIsRefusedWithTheChoices(t *testing.T) {
	_, err := theme.ParseMode("sepia")
	if !errors.Is(err, theme.ErrMode) {
		t.Fatalf("ParseMode(sepia) = %v, want ErrMode", err)
	}
	for _, mode := range modes() {
		if !strings.Contains(err.Error(), mode.String()) {
			t.Errorf("%q does not name %s", err, mode)
		}
	}
}

func TestEveryModeIsParsedFromItsName(t *testing.T) {
	for _, mode := range modes() {
		if got, err := theme.ParseMode(mode.String()); err != nil || got != mode {
			t.Errorf("ParseMode(%q) = %v, %v", mode, got, err)
		}
	}
	if got := theme.Mode(9).String(); got != "Mode(9)" {
		t.Errorf("a mode that does not exist is called %q", got)
	}
}

func ExampleParseMode() {
	_, err := theme.ParseMode("sepia")
	fmt.Println(err)
	// Output: unknown theme "sepia": choose one of auto, dark, light, contrast
}

// modes are all modes.
func modes() []theme.Mode { return []theme.Mode{theme.Auto, theme.Dark, theme.Light, theme.Contrast} }
