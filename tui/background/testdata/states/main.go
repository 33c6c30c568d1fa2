// Command states draws one frame. The test of package background checks that it sends no query to
// the terminal.
package main

import (
	"fmt"
	"os"

	tea "github.com/charmbracelet/bubbletea"

	_ "checkout/till/tui/background"
)

type model struct{}

func (m model) Init() tea.Cmd                       { return nil }
func (m model) Update(tea.Msg) (tea.Model, tea.Cmd) { return m, nil }
func (m model) View() string                        { return "first frame" }

func main() {
	if _, err := tea.NewProgram(model{}).Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
