package tui_test

import (
	"slices"
	"testing"

	"checkout/till/payments/sandbox"
)

func TestEveryScenarioIsMetOnce(t *testing.T) {
	met, names := map[string]bool{}, map[string]bool{}
	for _, m := range slices.Concat(callMeetings(), eventFirstMeetings(), linkMeetings(), sendingMeetings(), signatureMeetings(),
		contentMeetings()) {
		if names[m.name] {
			t.Errorf("%q stands there twice", m.name)
		}
		met[m.scenario], names[m.name] = true, true
	}
	for _, scenario := range sandbox.Scenarios() {
		if !met[scenario.Name] {
			t.Errorf("nobody meets the scenario %s", scenario.Name)
		}
	}
}
