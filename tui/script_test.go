package tui_test

import (
	"context"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui"
	"checkout/till/tui/tuitest/counter"
)

func phones(c *console) { c.config.Address = "http://192.168.1.20:41234" }

// plays gives the console a script that presses no key; tests press them.
func plays(c *console) { c.config.Script = func(context.Context, func(tea.KeyMsg)) {} }

func TestTheDemoSaysWherePhonesFindIt(t *testing.T) {
	c := open(t, demo, phones)
	c.Sees("Phones: http://192.168.1.20:41234", "DEMO: no real money", "Type what the customer takes")
	c.press("f3").Sees("Phones: http").Press("esc")
	c.Resize(20, 10).Sees("Phones: http://192").Fits().Resize(80, 24)
	t.Run("but what a cashier must know comes first", func(t *testing.T) {
		c.Pay(c.Charge("S1", counter.Coca()))
		c.wake().Sees("✓ PAID", "F2  Show").Lacks("Phones")
		c = open(t, demo, phones)
		c.health.Refused = 1
		c.Sees("Webhooks refused").Lacks("Phones")
	})
}

func TestAPersonTakesAScriptOver(t *testing.T) {
	typed := tui.Played(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("V")})
	c := open(t, demo, plays)
	c.Sees("Plays by itself: any key takes over.", "DEMO: no real money")
	c.Send(typed).Sees("› V", "Plays by itself")
	c.press("a").Sees("› Va").Lacks("Plays by itself")
	c.Send(typed).Lacks("› VaV")
	t.Run("and a script that has ended leaves the console open", func(t *testing.T) {
		c := open(t, demo, plays)
		c.Send(tui.ScriptEnded()).Lacks("Plays by itself").Sees("Type what the customer takes").Type("Vary").Sees("› Vary")
	})
}

func TestAScriptEndsWithTheProgramAndWhenAPersonTakesOver(t *testing.T) {
	for name, end := range map[string]func(r *running){
		"the program ends":  func(r *running) { r.stop() },
		"a key was pressed": func(r *running) { r.press(t, "K"); r.screen.await(t, "K"); r.press(t, "\x7f\x03") },
	} {
		t.Run(name, func(t *testing.T) {
			ended := make(chan struct{})
			r := run(t, demo, func(c *console) {
				c.config.Script = func(ctx context.Context, press func(tea.KeyMsg)) {
					defer close(ended)
					press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("V")})
					<-ctx.Done()
				}
			})
			r.screen.await(t, "› V")
			end(r)
			<-ended
			if err := r.end(t); err != nil {
				t.Errorf("it ended with %v", err)
			}
		})
	}
}
