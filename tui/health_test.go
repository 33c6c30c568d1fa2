package tui_test

import (
	"testing"
)

func TestTheHealthOfTheTillIsShown(t *testing.T) {
	c := open(t)
	c.Type("Vary 35").Press("f8").Sees("Listener", "Events", "Database", "Clock")
	c.health.Listening = false
	c.after(0).Sees("No payment can be seen.")
	c.Press("f7").Sees("Réception        arrêtée").Press("esc").Sees("Vary 35")
}
