package orders

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/component/field"
	"checkout/till/tui/component/list"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
)

// pageSize is the number of orders to read at first, and to add when the cursor is near the end of
// the list.
const pageSize = 50

type tab int

const (
	checking tab = iota // Orders, and payments without an order, that a person must look at.
	own                 // Orders of this till, if the database is on a server.
	past                // All orders of the shop, newest first: the history.
	cash                // Cash sales of the last cashDays days.
)

type page struct {
	sought  string // Search text for which the list was read.
	orders  []payments.Order
	cash    []drawer.CounterSale    // Cash sales that match the search; nil except in the tab cash.
	hasCash bool                    // Whether readCash has found cash sales.
	today   money.Sum               // Number and sum of today's cash sales.
	days    map[time.Time]money.Sum // Money received for orders on each day, by the day's start; only in the tab past without a search.
	whole   bool                    // Whether the store has no older orders.
}

// history is the list on the screen and its search.
type history struct {
	state  counter.Picture
	tab    tab
	field  field.Field // Search text; empty for none.
	typing bool        // Whether the cursor is in the search field.
	number string      // Number of a cash sale to show even if it is old; may be empty.
	noCash bool
	pages  live.Loader[page]
	limit  int // Maximum number of orders to read.
	page   page
}

func (m Model) show(tab tab) (Model, tea.Cmd) {
	m.tab, m.page, m.number = tab, page{}, ""
	m.field, m.typing = field.New(m.Theme, prompt(m.Texts), maxSought), false
	cmd := m.renew()
	return m, cmd
}

// turn shows the next list. If that is the list of cash sales, the search text stays.
func (m Model) turn() (Model, tea.Cmd) {
	text := m.field.Value()
	m, cmd := m.show(m.after(m.tab, m.Shared))
	if m.tab != cash || text == "" {
		return m, cmd
	}
	m.field = m.field.SetText(text)
	cmd = m.renew()
	return m, cmd
}

func (m *Model) renew() tea.Cmd {
	m.master.List = m.master.List.Select(0)
	m.pages.Drop()
	m.limit = pageSize
	return m.load(m.Console)
}

func (h history) after(shown tab, shared bool) tab {
	next := (shown + 1) % (cash + 1)
	switch {
	case next == own && !shared:
		return past
	case next == cash && h.noCash:
		return checking
	}
	return next
}

func (m Model) readOn() (Model, tea.Cmd) {
	near := m.master.List.Cursor() > m.count()-10
	if m.inside() || !near || m.pages.Busy() || m.page.whole {
		return m, nil
	}
	m.limit = len(m.page.orders) + pageSize
	cmd := m.load(m.Console)
	return m, cmd
}

// load returns a command that reads the list. While another read is running, it returns nil, and
// the list is read afterwards.
func (h *history) load(console live.Console) tea.Cmd {
	query := payments.Query{Limit: h.limit}
	switch h.tab {
	case checking:
		query.Check = h.state.Now
	case own:
		query.Till = console.Till
	case past:
		query = h.narrowed(query, console)
	}
	service := console.Service
	zone := console.Zone
	sought := h.field.Value()
	sums := h.tab == past && !h.sought()
	cashOnly := h.tab == cash
	number := h.number
	wanted := h.narrowed(payments.Query{}, console)
	return h.pages.Load(console.Run, func(ctx context.Context) (page, error) {
		sales, err := readCash(ctx, service, zone, number)
		read := page{sought: sought, hasCash: len(sales) > 0, today: cashOf(sales, service.DayOf(service.Now().In(zone)))}
		if cashOnly && err == nil {
			read.cash, err = findCash(ctx, service, sales, wanted)
			read.whole = true
		}
		if err != nil || cashOnly {
			return read, err
		}
		read.orders, err = service.Orders(ctx, query)
		read.whole = len(read.orders) < query.Limit
		if err != nil || !sums {
			return read, err
		}
		read.days = make(map[time.Time]money.Sum)
		for _, order := range read.orders {
			day := service.DayOf(order.CreatedAt.In(zone))
			if _, known := read.days[day.From.UTC()]; known {
				continue
			}
			takings, err := service.Day(ctx, day)
			if err != nil {
				return read, err
			}
			read.days[day.From.UTC()] = takings.Received
		}
		return read, nil
	})
}

// paged handles a list that was read. After an error, the rows for another search text are removed.
func (m Model) paged(msg live.Loaded[page]) (Model, tea.Cmd) {
	wanted, next := m.pages.Done(msg)
	wasCash, _ := m.chosenCash()
	if !wanted {
		return m, next
	}
	if msg.Err != nil {
		m.notice = wording.StoreDown
		if m.pending() {
			m.page.orders, m.page.cash = nil, nil
		}
		return m, next
	}
	if msg.Value.sought != m.field.Value() { // The list is for an earlier search text.
		return m, next
	}
	if m.pending() {
		m.master.List = m.master.List.SetRows(nil) // So that the cursor is on the first row found.
	}
	m.page = msg.Value
	m.noCash = !msg.Value.hasCash
	m = m.listed()
	if wasCash.Number == "" {
		m.master.List = m.master.List.SelectID(m.number)
	}
	if sale, _ := m.chosenCash(); sale.Number != wasCash.Number || sale.Left() != wasCash.Left() {
		m.decision = m.decision.close() // The open question was about another sale or amount.
	}
	return m, next
}

func (m Model) listed() Model {
	m.master.List = m.master.List.SetRows(slices.Concat(
		list.IDs(m.orphans(), func(orphan payments.Record) string { return string(orphan.ID[:]) }),
		list.IDs(m.page.orders, func(order payments.Order) string { return order.Reference }),
		list.IDs(m.page.cash, func(sale drawer.CounterSale) string { return sale.Number }),
	))
	return m
}

// orphans returns the payments without an order that a person must look at, oldest first. They are
// the first rows of the list to check.
func (h history) orphans() []payments.Record {
	if h.tab != checking {
		return nil
	}
	orphans := h.state.Orphans()
	slices.Reverse(orphans)
	return orphans
}

func (h history) count() int { return len(h.orphans()) + len(h.page.orders) + len(h.page.cash) }

func (h history) at(row int) (payments.Order, bool) {
	row -= len(h.orphans())
	if row < 0 || row >= len(h.page.orders) {
		return payments.Order{}, false
	}
	return h.page.orders[row], true
}

// chosen returns the order at the cursor. It returns false while the list for the search text is
// not read yet.
func (m Model) chosen() (payments.Order, bool) {
	if m.pending() {
		return payments.Order{}, false
	}
	return m.at(m.master.List.Cursor())
}

// chosenOrphan returns the payment without an order at the cursor, unless the details have the
// focus.
func (m Model) chosenOrphan() (orphan payments.Record, found bool) {
	if m.inside() {
		return orphan, false
	}
	return list.Chosen(m.master.List, m.orphans())
}

const maxSought = 60 // Maximum length of a search text, in characters.

// pending reports whether the list for the search text is not read yet.
func (h history) pending() bool { return h.page.sought != h.field.Value() }

func prompt(texts i18n.Texts) string { return texts.Catalog.Find + " " }

func (h history) sought() bool { return h.typing || h.field.Value() != "" }

// seek puts the cursor into the search field of the history or of the cash sales. From another
// list, it first opens the history.
func (m Model) seek() (Model, tea.Cmd) {
	m = m.close() // A running read of an order is dropped, too.
	var cmd tea.Cmd
	if m.tab != past && m.tab != cash {
		m, cmd = m.show(past)
	}
	m.typing, m.field = true, m.field.Focus(true)
	return m, cmd
}

func (m Model) write(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.Whole):
		return m.show(m.tab)
	case key.Matches(msg, m.keys.Switch):
		return m.turn()
	case key.Matches(msg, m.keys.Enter):
		m.typing, m.field = false, m.field.Focus(false)
		if m.pending() {
			cmd := m.load(m.Console) // The last read may have failed.
			return m, cmd
		}
		return m, nil
	}
	if moved, taken := m.master.Update(msg); taken {
		m.master = moved
		return m.readOn()
	}
	former := m.field.Value()
	var blink tea.Cmd
	m.field, blink = m.field.Type(msg)
	if m.field.Value() == former {
		return m, blink
	}
	m.master.List = m.master.List.Select(0)
	m.limit = pageSize
	found := m.load(m.Console) // The old list stays until the new one is read.
	return m, tea.Batch(blink, found)
}

// narrowed limits the query to the day and the text in the search field.
func (h history) narrowed(query payments.Query, console live.Console) payments.Query {
	today := console.Service.DayOf(h.state.Now.In(console.Zone)).From
	words := strings.Fields(h.field.Value())
	for i, word := range words {
		day, isDay := i18n.Day(word, today)
		// In "1/2 vary", 1/2 is half a portion.
		if !isDay || len(words) > 1 && len(word) < len("21/11") && strings.Contains(word, "/") {
			continue
		}
		const noon = 12 * time.Hour
		period := console.Service.DayOf(day.Add(noon))
		query.Since, query.Until = period.From, period.To
		words = append(words[:i:i], words[i+1:]...)
		break
	}
	query.Search = strings.Join(words, " ")
	query.Amount = amountOf(words)
	return query
}

// amountOf returns the amount that the words form together, such as "4 400", or 0. Fewer than three
// digits are usually a part of an order number.
func amountOf(words []string) money.Ariary {
	digits := strings.Join(words, "")
	amount, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || len(digits) < 3 || amount > int64(money.MaxAriary) || amount < 0 {
		return 0
	}
	return money.Ariary(amount)
}

func (h history) name(console live.Console, tab tab) string {
	switch count := min(h.state.ToCheck(), counter.MaxToCheck); {
	case tab == own:
		return console.Till
	case tab == past:
		return console.Texts.Orders.History
	case tab == cash:
		return console.Texts.Cash.List
	case count > 0:
		return console.Texts.Orders.ToCheck + " " + strconv.Itoa(count)
	}
	return console.Texts.Orders.ToCheck
}

func (h history) searchRows(console live.Console, width int) []string {
	if !h.sought() {
		return nil
	}
	if !h.field.Empty() {
		return []string{h.field.View()}
	}
	bare := h.field.SetWidth(0).View() // Without padding, the hint follows the cursor.
	return []string{theme.Truncate(bare+console.Theme.Muted.Render(console.Texts.Orders.Hint), width)}
}
