// Command hello is the smallest program that Bubble Tea draws on the whole
// screen: what the console's first frame is compared with. With the build tag
// linked it holds all of the console's code and runs none of it.
package main

import (
	"fmt"
	"os"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	// Without it the terminal would be asked, and waited for.
	_ "checkout/till/tui/background"
)

type model struct{}

func (m model) Init() tea.Cmd                       { return nil }
func (m model) Update(tea.Msg) (tea.Model, tea.Cmd) { return m, nil }
func (m model) View() string                        { return "hello" }

func main() {
	// The frame rate may be given, in frames a second.
	rate := 60
	if len(os.Args) > 2 {
		os.Exit(rest())
	}
	if len(os.Args) > 1 {
		rate, _ = strconv.Atoi(os.Args[1])
	}
	if _, err := tea.NewProgram(model{}, tea.WithAltScreen(), tea.WithFPS(rate)).Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
