package serve

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/cli"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/theme"
)

// night shows where the payments are while the console is off, until all customers have paid.
// Ctrl+C ends it with [context.Canceled].
func (p *powerCut) night(ctx context.Context) error {
	styles := theme.ForTerminal(p.Out, p.Env, theme.Mode(p.settings.Counter.Theme))
	stage := night{theme: styles, texts: p.Texts, till: p.settings.Counter.Till, prepare: keyboard.Prepare(p.Out, styles.Adapts())}
	program := tea.NewProgram(stage, tea.WithAltScreen(), tea.WithoutSignalHandler(),
		tea.WithInput(keyboard.Raw(p.In)), tea.WithOutput(p.Out))
	paying, stop := context.WithCancel(ctx)
	acted := make(chan error, 1)
	go func() {
		acted <- p.payInTheDark(paying, func(amount money.Ariary) { program.Send(paidInTheDark(amount)) })
		program.Quit()
	}()
	last, err := keyboard.NewReader(p.In, p.Now).Drive(ctx, program)
	stop()
	ended, _ := last.(night)
	switch failed := <-acted; {
	case err != nil && ctx.Err() == nil:
		return fmt.Errorf("show the power cut: %w", err)
	case ended.left:
		return context.Canceled
	case failed != nil && ctx.Err() == nil:
		return failed
	}
	return nil
}

func (p *powerCut) payInTheDark(ctx context.Context, paid func(amount money.Ariary)) error {
	dark := time.Duration(p.options.pace * float64(2*time.Second))
	for _, order := range p.made {
		if !cli.Sleep(ctx, dark) {
			return ctx.Err()
		}
		if err := p.service.Act(ctx, order.OrderReference, payments.PaymentSuccess); err != nil {
			return err
		}
		paid(order.Amount)
	}
	cli.Sleep(ctx, dark)
	return ctx.Err()
}

// night is the model of the screen during the demo's power cut.
type night struct {
	theme   theme.Theme
	texts   i18n.Texts
	till    string
	prepare tea.Cmd
	paid    []money.Ariary
	size    screen.Size
	left    bool // Whether the viewer ended the demo.
}

type paidInTheDark money.Ariary

func (n night) Init() tea.Cmd { return n.prepare }

func (n night) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		n.size = screen.SizeOf(msg)
	case keyboard.Colours:
		n.theme.Adapt(msg.Background, msg.Text)
	case keyboard.Stroke:
		return n.Update(msg.Key)
	case tea.KeyMsg:
		if key.Matches(msg, key.NewBinding(key.WithKeys("ctrl+c"))) {
			n.left = true
			return n, tea.Quit
		}
	case paidInTheDark:
		n.paid = append(n.paid, money.Ariary(msg))
	}
	return n, nil
}

// View draws the way of a payment, which ends at the relay.
func (n night) View() string {
	const arrow, arrival, least = " ──────▸ ", "   ✗   ", 60
	names, words := n.texts.Path, n.texts.Demo
	before := names.Phone + arrow + names.Service + arrow
	if n.size.Width < least {
		before = ""
	}
	way := n.theme.Text.Render(before) + n.theme.Flow.Render(names.Relay+" "+strings.Repeat("▮", len(n.paid))) +
		strings.Repeat(" ", 2-min(2, len(n.paid))) + n.theme.Rule.Render(arrival+n.texts.Receipt.Till.With(n.till))
	title := "· · ·  " + words.NoPower + "  · · ·"
	rows := []string{theme.Center(n.theme.Rule.Render(title), theme.Width(way), 1), "", way, ""}
	for i := range 2 {
		row := ""
		if i < len(n.paid) {
			style := n.theme.Text
			if i == len(n.paid)-1 {
				style = n.theme.Strong
			}
			row = strings.Repeat(" ", theme.Width(before)) + style.Render(theme.AlignRight(i18n.Money(n.paid[i]), 9))
			if i == 1 {
				row += "   " + n.theme.Muted.Render(words.Waits)
			}
		}
		rows = append(rows, row)
	}
	rows = append(rows, "", "")
	if len(n.paid) > 0 {
		rows[len(rows)-1] = words.PaysInTheDark.With(i18n.Money(n.paid[len(n.paid)-1]))
	}
	// Use the width that the picture has when all have paid, so that it does not move.
	wide := max(theme.Width(way), theme.Width(before)+9+3+theme.Width(words.Waits))
	for i, row := range rows {
		rows[i] = theme.AlignLeft(row, wide)
	}
	return n.theme.Encode(n.theme.ColourText(theme.Center(strings.Join(rows, "\n"), n.size.Width, n.size.Height)))
}
