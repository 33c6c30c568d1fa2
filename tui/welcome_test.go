package tui_test

import "testing"

// welcome is a console that nobody has configured yet.
func welcome(c *console) { c.config.Welcome = "~/.config/till/config.toml" }

func TestWhoStartsForTheFirstTimeIsWelcome(t *testing.T) {
	c := open(t, demo, welcome)
	c.Sees("Welcome.", "Vary 3500x2", "~/.config/till/config.toml", "› ").Lacks("Type what the customer takes")
	c.press("f7").Sees("Bienvenue.").Press("f7", "f7")
	c.Type("Coca").Sees("Welcome.").Press("esc")
	c.Resize(20, 6).Fits().Sees("…").Resize(80, 24)
	c.enter("Vary 3500x2").Lacks("Welcome.").Press("ctrl+z")
	c.Lacks("Welcome.").Sees("Type what the customer takes")
}

func TestASaleThatComesBackNeedsNoWelcome(t *testing.T) {
	c := open(t)
	c.enter("Vary 3500x2")
	at(t, c.Counter, demo, welcome).Sees("7 000").Lacks("Welcome.")
}
