package serve_test

import (
	"testing"

	"checkout/till/assets/i18n"
	"checkout/till/tui/cli/serve"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

func TestThePowerCutShowsWhatTheRelayKeeps(t *testing.T) {
	for _, language := range i18n.Languages() {
		texts := i18n.Load(language)
		d := tuitest.Drive(t, serve.Night(theme.Plain(), texts), 80, 24)
		d.Sees(texts.Demo.NoPower, texts.Path.Phone, texts.Path.Service, texts.Path.Relay, texts.Receipt.Till.With("T1")).Lacks("▮", texts.Demo.Waits)
		d.Send(serve.Paid(14000)).Sees("▮", "14 000 Ar").Lacks(texts.Demo.Waits)
		d.Send(serve.Paid(4800)).Sees("▮▮", "4 800 Ar", texts.Demo.Waits).Fits()
		d.Resize(40, 15).Sees("▮▮", "14 000 Ar", texts.Receipt.Till.With("T1")).Fits()
		if d.Press("x"); d.Quit() {
			t.Error("a key ends the demo")
		}
		if d.Press("ctrl+c"); !d.Quit() {
			t.Error("Ctrl+C does not end the demo")
		}
	}
}
