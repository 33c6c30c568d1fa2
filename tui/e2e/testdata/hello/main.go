// Command hello is the smallest program that Bubble Tea draws on the whole
// screen: what the console's first frame is compared with. With the build tag
// linked it holds all of the console's code and runs none of it.
package main

import (
	"fmt"
	"os"

	tea "github.com/charmbracelet/bubbletea"

	// Without it the terminal would be asked, and waited for.
	_ "checkout/till/tui/background"
)

type model struct{}

func (m model) Init() tea.Cmd                       { return nil }
func (m model) Update(tea.Msg) (tea.Model, tea.Cmd) { return m, nil }
func (m model) View() string                        { return "hello" }

func main() {
	if len(os.Args) > 1 {
		os.Exit(rest())
	}
	if _, err := tea.NewProgram(model{}, tea.WithAltScreen()).Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
