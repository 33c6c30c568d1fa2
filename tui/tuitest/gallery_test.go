package tuitest_test

import (
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestTheGalleryFindsCutMissingAndForeignTexts(t *testing.T) {
	english, french := shoptest.Texts(t, "en").Customer, shoptest.Texts(t, "fr").Customer
	cut := french.Ask[:len(french.Ask)/2] + "…"
	for _, tt := range []struct {
		name, view string
		narrow     bool
		want       string // A part of a fault; empty if the view is good.
	}{
		{"correct", french.Ask, false, ""},
		{"in two rows", strings.Replace(french.Ask, " ", "\n", 1), false, ""},
		{"left out", "9 000 Ar", false, "missing"},
		{"cut", cut, false, "missing"},
		{"cut in a narrow window", cut, true, ""},
		{"in English", english.Ask, false, "is in en"},
		{"with a typed text", french.Ask + "\nMisaotra Rabe", false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			faults := strings.Join(tuitest.Faults(t, english.Ask, tt.view, "fr", tt.narrow), "\n")
			if tt.want == "" && faults != "" || !strings.Contains(faults, tt.want) {
				t.Errorf("found %q, want %q", faults, tt.want)
			}
		})
	}
}
