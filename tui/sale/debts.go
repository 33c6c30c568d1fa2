package sale

import (
	"context"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/tui/component/field"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/list"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/question"
	"checkout/till/tui/counter"
	"checkout/till/tui/entry"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
)

// debts lists the customers with a balance, or the movements of one customer's account.
type debts struct {
	counter   *counter.Counter
	list      list.List
	all       []drawer.Debtor   // Customers with a balance, which is below zero if the shop owes money.
	of        drawer.Debtor     // Chosen customer; zero while customers are listed.
	movements []ledger.Transfer // Movements of the chosen customer's account, newest first.
	pays      field.Field
}

func newDebts(console live.Console, at *counter.Counter) debts {
	return debts{counter: at, list: list.New(console.Texts), pays: field.New(console.Theme, prompt, 2*entry.MaxWidth).Focus(true)}
}

func (d debts) chosen() bool { return d.of.Code != "" }

func (d *debts) open() {
	d.counter.ReadDebtors()
	d.of = drawer.Debtor{}
	d.list = d.list.SetRows(nil) // So that the cursor is on the first customer.
	d.read()
}

// read updates the list and the chosen customer after a read.
func (d *debts) read() {
	d.all = nil
	for _, customer := range d.counter.Debtors() {
		if customer.Owed != 0 {
			d.all = append(d.all, customer)
		}
		if customer.Code == d.of.Code {
			d.of = customer
		}
	}
	if !d.chosen() {
		d.list = d.list.SetRows(list.IDs(d.all, func(customer drawer.Debtor) string { return customer.Code }))
	}
}

func (d *debts) choose() {
	d.of, d.movements = d.all[d.list.Cursor()], nil
	d.list = d.list.SetRows(nil)
	d.pays = d.pays.SetText("")
	d.counter.ReadMovements(d.of.Code)
}

func (d *debts) moved(read counter.MovementsRead) {
	if read.Code == d.of.Code && read.Err == nil {
		d.movements = read.Movements
		slices.Reverse(d.movements)
		d.list = d.list.SetRows(make([]string, len(d.movements))).Select(0)
	}
}

// press handles a key. open is false if the key closes the list.
func (d *debts) press(keys keyMap, msg tea.KeyMsg) (open bool, cmd tea.Cmd, err error) {
	switch {
	case key.Matches(msg, keys.Back) && !d.chosen():
		return false, nil, nil
	case key.Matches(msg, keys.Back):
		d.open()
		return true, nil, nil
	case key.Matches(msg, keys.Enter) && d.chosen():
		err = d.pay()
		return err != nil, nil, err
	case key.Matches(msg, keys.Enter) && len(d.all) > 0:
		d.choose()
		return true, nil, nil
	}
	moved, used := d.list.Update(msg)
	if used || !d.chosen() {
		d.list = moved
		return true, nil, nil
	}
	d.pays, cmd = d.pays.Type(msg)
	return true, cmd, nil
}

func (d *debts) pay() error {
	amount, err := d.amount()
	if err != nil {
		return err
	}
	return d.counter.PayDebt(d.of, amount)
}

// amount returns the typed amount, by default the whole debt.
func (d debts) amount() (money.Ariary, error) {
	amount, err := d.of.Owed, error(nil)
	if !d.pays.Empty() {
		amount, err = entry.ParseSum(d.pays.Value())
	}
	if err == nil && amount <= 0 {
		err = drawer.ErrNoDebt
	}
	return amount, err
}

func (d debts) writingOff(console live.Console) question.Question {
	debtor := d.of
	says := func(t i18n.Texts) string { return t.Debts.AskWaive.With(i18n.Money(debtor.Owed), debtor.Title()) }
	return question.New("write off "+debtor.Code, says, func(ctx context.Context, reason string, who staff.Identity) error {
		return console.Service.WriteOff(ctx, console.Till, debtor.Title(), debtor.Owed, reason, who)
	}).ForReason(console.Theme).Titled(titleWaive)
}

// pane draws the customers, or the movements of the chosen one. air is the number of blank rows
// above them.
func (d debts) pane(console live.Console, width, room, air int) pane.Pane {
	shown := d.list.SetRoom(max(1, room-air-1))
	drawn := pane.Pane{Title: console.Texts.Debts.Title, Foot: shown.Position("")}
	rows := d.customerRows
	if d.chosen() {
		drawn.Title, drawn.Right = console.Texts.Debts.Of.With(d.of.Title()), i18n.Money(d.of.Owed)
		rows = d.movementRows
	}
	drawn.Rows, drawn.Scroll = append(make([]string, air), rows(console, shown, width)...), shown.Scroll(air+1)
	return drawn
}

func (d debts) customerRows(console live.Console, shown list.List, width int) []string {
	words := console.Texts.Debts
	const fewest = 16 // Minimum width of a name, in columns.
	cells := func(name, owed, since, last string) string {
		return fit.Row(width-2, fit.Rest(fit.Must, fewest, name), fit.Fixed(theme.AlignRight(owed, 16)),
			fit.Drop(1, theme.AlignRight(since, 14)), fit.Drop(0, theme.AlignRight(last, 14)))
	}
	if len(d.all) == 0 {
		return []string{"  " + words.None}
	}
	head := console.Theme.Muted.Render("  " + cells(words.Name, words.Sum, words.Since, words.Last))
	return append([]string{head}, shown.Rows(console.Theme, width, func(i int) string {
		since := ""
		if !d.all[i].Since.IsZero() {
			since = i18n.Date(d.all[i].Since.In(console.Zone)) // A debt may be years old.
		}
		return cells(d.all[i].Title(), i18n.Money(d.all[i].Owed), since, i18n.Date(d.all[i].Last.In(console.Zone)))
	}, nil)...)
}

func (d debts) movementRows(console live.Console, shown list.List, width int) []string {
	const fewest = 16 // Minimum width of the text about a movement, in columns.
	account := d.of.Account()
	return shown.Rows(console.Theme, width, func(i int) string {
		moved := d.movements[i]
		at := moved.At.In(console.Zone)
		says := wording.Movement(console.Texts, account, moved) + "  " + console.Theme.Muted.Render(wording.MovementOf(moved))
		return fit.Row(width-2, fit.Fixed(theme.AlignLeft(i18n.Date(at)+" "+i18n.Clock(at), 18)), fit.Rest(fit.Must, fewest, says), fit.Fixed(theme.AlignRight(i18n.Signed(moved.Into(account)), 14)))
	}, nil)
}

// help returns the keys for the list of the customers, or nil for the movements of one. held says
// whether there are held sales.
func (d debts) help(keys keyMap, held bool) []key.Binding {
	switch {
	case d.chosen():
		return nil
	case held:
		return []key.Binding{keys.Moves, keys.Held, d.list.Keys.Move, keys.Back}
	}
	return []key.Binding{keys.Moves, d.list.Keys.Move, keys.Back}
}

func (m Model) pressDebts(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case !m.debts.chosen() && keyboard.Types(msg):
		m.become(entering)
		return m.typed(msg)
	case !m.debts.chosen() && key.Matches(msg, m.keys.Tab) && len(m.held.sales()) > 0:
		m.held.list = m.held.current().Select(0)
		m.become(resuming)
		return m, nil
	case m.debts.chosen() && key.Matches(msg, m.keys.WriteOff) && m.debts.pays.Empty() && m.debts.of.Owed > 0:
		m.owners = owners{Question: m.debts.writingOff(m.Console)}
		return m, nil
	}
	open, cmd, err := m.debts.press(m.keys, msg)
	if err != nil {
		m.refuse(err)
	}
	if !open {
		m.become(entering)
	}
	return m, cmd
}
