// Package display is the customer's own screen, on a second terminal or in a
// browser: the shop's name, the lines as they are added, the code with its
// countdown, and the outcome. It guarantees that it shows one till's current
// customer alone, no secret and nothing of the shop's own, that it says PAID on
// proof alone, and that it writes nothing.
package display

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/customer"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

// Config is what a screen needs.
type Config struct {
	Service *payments.Service
	Till    string
	Shop    string // May be blank.
	Demo    bool   // No money moves, and the screen says so.
	Test    bool   // The same, for the account is one for tests.
	Texts   i18n.Texts
	Zone    *time.Location // Local when there is none.
	// Language is the code of the texts, for readers of a page.
	Language string
}

// Run shows the customer's screen in a terminal until Ctrl+C is pressed or ctx
// ends; both are no error. It restores the terminal in every case.
func Run(ctx context.Context, config Config, styles theme.Theme, input io.Reader, output io.Writer) error {
	program := tea.NewProgram(newModel(ctx, config, styles), tea.WithAltScreen(),
		tea.WithoutSignalHandler(), tea.WithInput(input), tea.WithOutput(output))
	defer context.AfterFunc(ctx, program.Quit)()
	_, err := program.Run()
	if err != nil && ctx.Err() == nil && !errors.Is(err, tea.ErrInterrupted) {
		return fmt.Errorf("show the customer's screen: %w", err)
	}
	return nil
}

type model struct {
	Config
	theme     theme.Theme
	run       live.Runner
	loader    live.Loader[snapshot]
	presenter presenter
	code      qr.Model // Of the newest order's link.
	size      screen.Size
}

// ticked says that a second has passed.
type ticked time.Time

func newModel(ctx context.Context, config Config, theme theme.Theme) model {
	config.Shop = payments.Clean(config.Shop, payments.MaxLabelWidth)
	run := func(work func(context.Context) tea.Msg) tea.Cmd {
		return func() tea.Msg { return work(ctx) }
	}
	return model{Config: config, theme: theme, run: run}
}

// Init starts the clock, which has the state read once a second.
func (m model) Init() tea.Cmd { return func() tea.Msg { return ticked{} } }

// Update handles a message.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if key.Matches(msg, key.NewBinding(key.WithKeys("ctrl+c"))) {
			return m, tea.Quit
		}
	case tea.WindowSizeMsg:
		m.size = screen.SizeOf(msg)
	case live.Loaded[snapshot]:
		_, next := m.loader.Done(msg)
		m.presenter = m.presenter.update(msg.Value, msg.Err, m.Service.Now())
		if link := m.presenter.snapshot.order.Link.URL; link != m.code.Link() {
			m.code, _ = qr.New(link, m.theme) // Without a code the link is shown.
		}
		return m, next
	case ticked:
		read := m.loader.Load(m.run, func(ctx context.Context) (snapshot, error) { return readSnapshot(ctx, m.Service, m.Till) })
		return m, tea.Batch(read, tea.Every(time.Second, func(at time.Time) tea.Msg { return ticked(at) }))
	}
	return m, nil
}

// View draws the screen with what the terminal can draw.
func (m model) View() string {
	if m.size == (screen.Size{}) {
		return ""
	}
	shown := m.show(m.presenter, m.Service.Now())
	shown.Code = m.code
	return m.theme.Encode(shown.Draw(m.theme, m.Texts, m.size.Width, m.size.Height))
}

// show is the scene with what every one has: shop, clock, demo mark, time of payment.
func (c Config) show(presenter presenter, now time.Time) customer.View {
	shown, zone := presenter.scene(now), cmp.Or(c.Zone, time.Local)
	shown.Shop, shown.Clock = c.Shop, i18n.Clock(now.In(zone))
	shown.Mark, _ = c.Texts.Frame.Mark(c.Demo, c.Test)
	if paidAt := shown.Order.Facts.PaidAt; !paidAt.IsZero() {
		shown.PaidAt = i18n.Moment(paidAt.In(zone))
	}
	return shown
}
