package tuitest_test

import (
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestTheGalleryFindsWhatIsCutMissingOrInAnotherLanguage(t *testing.T) {
	english, french := shoptest.Texts(t, "en").Customer, shoptest.Texts(t, "fr").Customer
	// The customer is asked to come to the counter.
	cut := french.Ask[:len(french.Ask)/2] + "…"
	for _, tt := range []struct {
		name, view string
		narrow     bool
		want       string // In the first fault; blank for none.
	}{
		{"as it shall be", french.Ask, false, ""},
		{"in two rows", strings.Replace(french.Ask, " ", "\n", 1), false, ""},
		{"left out", "9 000 Ar", false, "missing"},
		{"cut", cut, false, "missing"},
		{"cut where rows are short", cut, true, ""},
		{"in English", english.Ask, false, "is in en"},
		{"with a text that was typed", french.Ask + "\nMisaotra Rabe", false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			faults := strings.Join(tuitest.Faults(t, english.Ask, tt.view, "fr", tt.narrow), "\n")
			if tt.want == "" && faults != "" || !strings.Contains(faults, tt.want) {
				t.Errorf("found %q, want %q", faults, tt.want)
			}
		})
	}
}
