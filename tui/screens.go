package tui

import (
	"github.com/aymanbagabas/go-osc52/v2"
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/tui/board"
	"checkout/till/tui/catalog"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/health"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/orders"
	"checkout/till/tui/pay"
	"checkout/till/tui/sale"
	"checkout/till/tui/today"
)

// route is the index of a screen in the list of screens.
type route int

const (
	routeSale route = iota
	routePay
	routeOrders
	routeBoard
	routeCatalog
	routeHealth
	routeToday
	routeCount
)

type listed struct {
	screen screenModel
	title  func(i18n.Texts) string // The screen's name.
	short  func(i18n.Bar) string   // The name for a narrow key bar; may be nil.
	// Function key that opens and closes the screen; blank for the sale and the payment screen.
	opens string
	rank  int                       // A narrow key bar drops the key with the largest rank first.
	count func(counter.Picture) int // Returns the number in the key bar; may be nil.
	check bool                      // The number counts things that a person must check.
}

// screens contains every screen in the field all. The other fields are for screens with further
// methods.
type screens struct {
	all   [routeCount]listed
	sale  *sale.Model
	pay   *pay.Model
	board *board.Model
	today *today.Model
}

func newScreens(config Config, at *counter.Counter) screens {
	copyText := func(text string) error {
		_, err := osc52.New(text).WriteTo(config.Output)
		return err
	}
	opened := func(key string) live.Console {
		console := config.Console
		console.Key = key
		return console
	}
	s := screens{
		sale: new(sale.New(config.Console, at, clean.Text(config.Welcome, payments.MaxShownWidth))),
		pay: new(pay.New(pay.Config{
			Console: config.Console, Counter: at, Customer: config.Customer, Test: config.Test, Shop: config.Shop, Copy: copyText, Browse: config.Browse,
		})),
		board: new(board.New(opened("F4"), config.Customer)),
		today: new(today.New(opened("F10"))),
	}
	s.all = [...]listed{
		routeSale: {screen: byPointer(s.sale), title: func(t i18n.Texts) string { return t.Guide.Sale }},
		routePay:  {screen: byPointer(s.pay), title: func(t i18n.Texts) string { return t.Guide.Code }},
		routeOrders: {
			screen: byPointer(new(orders.New(opened("F3")))), opens: "F3", title: func(t i18n.Texts) string { return t.Bar.Orders },
			rank: 1, count: func(p counter.Picture) int { return min(p.ToCheck(), counter.MaxToCheck) }, check: true,
		},
		routeBoard: {
			screen: byPointer(s.board), opens: "F4", title: func(t i18n.Texts) string { return t.Bar.Waiting }, short: func(b i18n.Bar) string { return b.WaitingShort },
			rank: 2, count: func(p counter.Picture) int { return len(p.Awaited()) },
		},
		routeCatalog: {
			screen: byPointer(new(catalog.New(opened("F6")))), opens: "F6", title: func(t i18n.Texts) string { return t.Bar.Articles }, short: func(b i18n.Bar) string { return b.ArticlesShort },
			rank: 8,
		},
		routeHealth: {
			screen: byPointer(new(health.New(health.Config{
				Console: opened("F8"), Facts: config.Health, Calls: config.Calls, Now: config.Service.Now, Checks: config.Checks,
				ServiceURL: config.ServiceURL, PublicURL: config.PublicURL, Sample: config.Sample, Copy: copyText,
				Last: func(width, height int) string { return s.today.Report().Last(width, height) },
			}))), opens: "F8", title: func(t i18n.Texts) string { return t.Bar.Health },
			rank: 7,
		},
		routeToday: {
			screen: byPointer(s.today), opens: "F10", title: func(t i18n.Texts) string { return t.Bar.Today }, short: func(b i18n.Bar) string { return b.TodayShort },
			rank: 4,
		},
	}
	return s
}

// screenModel is a screen of any type. Its methods change it.
type screenModel interface {
	// ShortHelp returns the keys to show now, FullHelp the keys for the help.
	ShortHelp() []key.Binding
	FullHelp() []screen.Keys
	View() string
	Update(msg tea.Msg) tea.Cmd
	SetSize(width, height int)
	SetTexts(texts i18n.Texts)
	Meaning() keyboard.Meaning
}

// value is a screen such as sale.Model: its methods return a changed copy.
type value[M any] interface {
	ShortHelp() []key.Binding
	FullHelp() []screen.Keys
	View() string
	Update(msg tea.Msg) (M, tea.Cmd)
	SetSize(width, height int) M
	SetTexts(texts i18n.Texts) M
	Meaning() keyboard.Meaning
}

// pointer is a screenModel made from a [value].
type pointer[M value[M]] struct{ to *M }

func byPointer[M value[M]](to *M) screenModel { return pointer[M]{to} }

func (s pointer[M]) View() string              { return (*s.to).View() }
func (s pointer[M]) Meaning() keyboard.Meaning { return (*s.to).Meaning() }
func (s pointer[M]) ShortHelp() []key.Binding  { return (*s.to).ShortHelp() }
func (s pointer[M]) FullHelp() []screen.Keys   { return (*s.to).FullHelp() }
func (s pointer[M]) SetSize(width, height int) { *s.to = (*s.to).SetSize(width, height) }
func (s pointer[M]) SetTexts(texts i18n.Texts) { *s.to = (*s.to).SetTexts(texts) }

func (s pointer[M]) Update(msg tea.Msg) (cmd tea.Cmd) {
	*s.to, cmd = (*s.to).Update(msg)
	return cmd
}
