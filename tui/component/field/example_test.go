package field_test

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/component/field"
	"checkout/till/tui/theme"
)

func Example() {
	f := field.New(theme.Plain(), "Name: ", 40).Focus(true).SetWidth(40)
	f, _ = f.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("Vary"), Paste: true})
	fmt.Printf("%q\n", f.Value())
	// Output: "Vary"
}
