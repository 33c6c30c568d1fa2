// Package display implements the customer's screen, on a second terminal or in a browser: the lines
// of the sale while the cashier enters them, the QR code, and the outcome.
//
// It guarantees:
//
//   - It shows no sale except that of the till's current customer, and no secrets.
//   - It shows PAID only if an event proves the payment.
//   - It shows no QR code while the shop would not see the payment.
//   - It writes nothing to the database.
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
	"checkout/till/payments/clean"
	"checkout/till/payments/drawer"
	"checkout/till/tui/component/customer"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

// Config is what the customer's screen needs from its caller.
type Config struct {
	Service *drawer.Service
	Till    string
	Shop    string // May be blank.
	Demo    bool   // Shows the demo mark, because no money moves.
	Test    bool   // Shows the mark of a test account, because no money moves.
	Reach   func() payments.Reach
	Texts   i18n.Texts
	Zone    *time.Location // The shop's time zone; nil means time.Local.
}

// Run shows the customer's screen in a terminal until ctx ends or Ctrl+C is pressed. Then it
// restores the terminal.
func Run(ctx context.Context, config Config, styles theme.Theme, input io.Reader, output io.Writer) error {
	shown := newModel(ctx, config, styles)
	shown.prepare = keyboard.Prepare(output, styles.Adapts())
	program := tea.NewProgram(shown, tea.WithAltScreen(),
		tea.WithoutSignalHandler(), tea.WithInput(keyboard.Raw(input)), tea.WithOutput(output))
	defer context.AfterFunc(ctx, program.Quit)()
	_, err := keyboard.NewReader(input, config.Service.Now).Drive(ctx, program)
	if err != nil && ctx.Err() == nil && !errors.Is(err, tea.ErrInterrupted) {
		return fmt.Errorf("show the customer's screen: %w", err)
	}
	return nil
}

type model struct {
	Config
	theme     theme.Theme
	prepare   tea.Cmd // May be nil.
	run       live.Runner
	loader    live.Loader[snapshot]
	presenter presenter
	code      qr.Model
	size      screen.Size
}

// ticked is sent once a second.
type ticked time.Time

func newModel(ctx context.Context, config Config, theme theme.Theme) model {
	config.Shop = clean.Text(config.Shop, payments.MaxLabelWidth)
	return model{Config: config, theme: theme, run: live.RunIn(ctx)}
}

func (m model) Init() tea.Cmd {
	return tea.Batch(m.prepare, func() tea.Msg { return ticked{} })
}

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case keyboard.Stroke:
		return m.Update(msg.Key)
	case keyboard.Colours:
		m.theme.Adapt(msg.Background, msg.Text)
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
			m.code, _ = qr.New(link, m.theme) // Without a QR code, the screen shows the link.
		}
		return m, next
	case ticked:
		read := m.loader.Load(m.run, func(ctx context.Context) (snapshot, error) { return readSnapshot(ctx, m.Service, m.Till) })
		return m, tea.Batch(read, tea.Every(time.Second, func(at time.Time) tea.Msg { return ticked(at) }))
	}
	return m, nil
}

func (m model) View() string {
	if m.size == (screen.Size{}) {
		return ""
	}
	shown := m.show(m.presenter, m.Service.Now())
	shown.Code = m.code
	view := shown.Draw(m.theme, m.Texts, m.size.Width, m.size.Height)
	return m.theme.Encode(m.theme.ColourText(view))
}

// show returns what the customer's screen shows at the time now. While the shop would not see a
// payment, [customer.Ask] replaces the QR code.
func (c Config) show(presenter presenter, now time.Time) customer.View {
	shown, zone := presenter.scene(now), cmp.Or(c.Zone, time.Local)
	if shown.Kind == customer.Code && c.Reach().Blind() {
		shown = customer.View{Kind: customer.Ask}
	}
	shown.Shop, shown.Clock = c.Shop, i18n.Clock(now.In(zone))
	shown.Mark, _ = c.Texts.Frame.Mark(c.Demo, c.Test)
	if paidAt := shown.Order.Facts.PaidAt; !paidAt.IsZero() {
		shown.PaidAt = i18n.Moment(paidAt.In(zone))
	}
	return shown
}
