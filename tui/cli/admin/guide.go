package admin

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/cobra"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/tui/cli"
	"checkout/till/tui/component/pager"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/theme"
)

func (a *app) guideCommand() *cobra.Command {
	topics, name := []string{"shop", "integrator", "operator", "contributor"}, a.Texts.Office.Topic
	return &cobra.Command{
		Use:       "guide [" + name + "]",
		ValidArgs: topics,
		Example:   "  till guide\n  till guide operator\n  till guide integrator > integrator.md",
		PreRunE: func(_ *cobra.Command, arguments []string) error {
			return a.OneOf(name, strings.Join(arguments, ""), topics)
		},
		RunE: a.showGuide,
	}
}

func (a *app) showGuide(command *cobra.Command, arguments []string) error {
	topic := append(arguments, "shop")[0]
	text, err := assets.Files.ReadFile("docs/" + a.Language + "/" + topic + ".md")
	if errors.Is(err, fs.ErrNotExist) {
		text, err = assets.Files.ReadFile("docs/en/" + topic + ".md")
		text = append([]byte(a.Texts.Office.GuideEnglish+"\n\n"), text...)
	}
	if err != nil {
		return fmt.Errorf("read the guide: %w", err)
	}
	settings, _ := a.Settings() // Wrong settings do not matter for the guide.
	if !cli.IsTerminal(a.Out) || !cli.IsTerminal(a.In) || settings.Counter.Plain || a.Env("TERM") == "dumb" {
		_, err := a.Out.Write(text)
		return err
	}
	styles := theme.ForTerminal(a.Out, a.Env, theme.Mode(settings.Counter.Theme))
	shown := reader{text: string(text), theme: styles, words: a.Texts.Office}
	ctx := command.Context()
	program := tea.NewProgram(shown, tea.WithAltScreen(), tea.WithContext(ctx), tea.WithInput(a.In), tea.WithOutput(a.Out))
	if _, err := program.Run(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("show the guide: %w", err)
	}
	return nil
}

type reader struct {
	text  string
	theme theme.Theme
	words i18n.Office
	pager pager.Pager
}

// Init returns no command: Bubble Tea sends the window's size to Update at the start.
func (r reader) Init() tea.Cmd { return nil }

func (r reader) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		size := screen.SizeOf(msg)
		r.pager = r.pager.Show(guideRows(r.text, size.Width, r.theme), size.Width, size.Height-1)
	case tea.KeyMsg:
		if key.Matches(msg, key.NewBinding(key.WithKeys("q", "esc", "ctrl+c"))) {
			return r, tea.Quit
		}
		r.pager, _ = r.pager.Update(msg)
	}
	return r, nil
}

func (r reader) View() string {
	return strings.Join(append(r.pager.Rows(), r.theme.Muted.Render(r.words.GuideKeys)), "\n")
}

// guideRows formats a guide's Markdown, in which each paragraph and list item must be one line.
// The heading row of a table is left out.
func guideRows(markdown string, width int, styles theme.Theme) []string {
	const widest = 90 // Longer lines are hard to read.
	width = min(width, widest)
	list := regexp.MustCompile(`^(- |\d+\. )`)
	var rows []string
	code, head := false, true // head is true if the next table row is a heading row.
	for line := range strings.SplitSeq(markdown, "\n") {
		isRow := strings.HasPrefix(line, "|")
		hidden := strings.HasPrefix(line, "<!--") || isRow && (head || strings.HasPrefix(line, "|---"))
		switch {
		case strings.HasPrefix(line, "```"):
			code = !code
		case code:
			rows = append(rows, "    "+line)
		case strings.HasPrefix(line, "#"):
			rows = append(rows, styles.Strong.Render(strings.TrimLeft(line, "# ")))
		case isRow && !hidden:
			rows = append(rows, hang("", strings.ReplaceAll(strings.Trim(line, "| "), " | ", " · "), width, styles)...)
		case !hidden:
			mark := list.FindString(line)
			rows = append(rows, hang(mark, line[len(mark):], width, styles)...)
		}
		head = !isRow
	}
	return rows
}

// hang wraps the text of a paragraph or a list item, whose first row begins with mark. The
// addresses of links are left out.
func hang(mark, text string, width int, styles theme.Theme) []string {
	text = regexp.MustCompile(`\[([^]]+)\]\([^)]+\)`).ReplaceAllString(text, "$1")
	text = regexp.MustCompile("`[^`]+`|\\*\\*[^*]+\\*\\*").ReplaceAllStringFunc(text, func(marked string) string {
		return styles.Strong.Render(strings.NewReplacer("`", "", "**", "").Replace(marked))
	})
	return theme.Hang(mark, text, width)
}
