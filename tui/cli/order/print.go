package order

import (
	"slices"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/tui/cli"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording/sheet"
)

type orderJSON struct {
	Reference      string               `json:"reference"`
	OrderReference string               `json:"order_reference"`
	Status         payments.Status      `json:"status"`
	Verdict        payments.Verdict     `json:"verdict"`
	Paid           bool                 `json:"paid"`
	Amount         money.Ariary         `json:"amount"`
	Currency       string               `json:"currency"`
	Description    string               `json:"description"`
	Items          []itemJSON           `json:"items"`
	CheckoutURL    string               `json:"checkout_url"`
	Sale           string               `json:"sale"`
	CreatedAt      time.Time            `json:"created_at"`
	ExpiresAt      time.Time            `json:"expires_at"`
	PaidAt         time.Time            `json:"paid_at"`
	Error          string               `json:"error"`
	Attention      []payments.Attention `json:"attention"`
	Till           string               `json:"till"`
	SoldBy         string               `json:"sold_by"` // Cashier who had signed in at the till; empty without one.
	Refunded       money.Ariary         `json:"refunded"`
	Findings       []findingJSON        `json:"findings,omitzero"`  // History of findings; nil if not read.
	Transfers      []transferJSON       `json:"transfers,omitzero"` // Transfers of the order; nil if not read.
	PaidTwiceWith  []string             `json:"paid_twice_with,omitzero"`
	Events         []eventJSON          `json:"events,omitzero"` // Events of the order; nil if not requested.
	// For the rest of a sale: price of the whole sale, and number of an earlier payment.
	Total  money.Ariary `json:"total,omitzero"`
	RestOf string       `json:"rest_of,omitzero"`
}

type itemJSON struct {
	Label     string       `json:"label"`
	UnitPrice money.Ariary `json:"unit_price"`
	Quantity  int64        `json:"quantity"`
}

type findingJSON struct {
	Kind payments.FindingKind `json:"kind"`
	By   string               `json:"by"`
	At   time.Time            `json:"at"`
	Note string               `json:"note"`
	Seen payments.Verdict     `json:"seen"`
}

type transferJSON struct {
	ID       int64          `json:"id"`
	Kind     ledger.Kind    `json:"kind"`
	From     ledger.Account `json:"from"`
	To       ledger.Account `json:"to"`
	Amount   money.Ariary   `json:"amount"`
	At       time.Time      `json:"at"`
	By       string         `json:"by"`
	Note     string         `json:"note"`
	Corrects int64          `json:"corrects"`
}

func newItemsJSON(items []payments.Item) (list []itemJSON) {
	for _, item := range items {
		list = append(list, itemJSON{item.Label, item.UnitPrice, item.Quantity})
	}
	return list
}

func newTransfersJSON(transfers []ledger.Transfer) (list []transferJSON) {
	for _, t := range transfers {
		list = append(list, transferJSON{t.ID, t.Kind, t.From, t.To, t.Amount, t.At, t.By, t.Note, t.Corrects})
	}
	return list
}

type eventJSON struct {
	Event      string          `json:"event"`
	ReceivedAt time.Time       `json:"received_at"`
	Outcome    payments.Effect `json:"outcome"`
	Count      int64           `json:"count"`
	Error      string          `json:"error"`
}

// newOrderJSON converts an order. Nil records omit the field "events".
func newOrderJSON(order payments.Order, records []payments.Record, now time.Time) orderJSON {
	made := orderJSON{
		Reference: order.Reference, OrderReference: cli.Clean(order.OrderReference),
		Status: order.Status, Verdict: order.Verdict(payments.Conditions{}, now), Paid: order.Paid(),
		Amount: order.Amount, Currency: payments.Currency, Description: order.Description,
		CheckoutURL: order.Link.URL, Sale: order.Sale, CreatedAt: order.CreatedAt,
		ExpiresAt: order.Link.ExpiresAt, PaidAt: order.Facts.PaidAt, Error: cli.Clean(order.Reason.Error()),
		Attention: order.Attention(now), Till: order.Till, SoldBy: order.By,
		Items: newItemsJSON(order.Items), Refunded: order.Refunds.Sum(), Transfers: newTransfersJSON(order.Transfers),
	}
	for _, finding := range order.Findings {
		made.Findings = append(made.Findings, findingJSON{finding.Kind, finding.By, finding.At, finding.Note, finding.Seen})
	}
	if slices.Contains(order.Facts.Attention, payments.PaidTwice) {
		for _, other := range order.PaidWith {
			made.PaidTwiceWith = append(made.PaidTwiceWith, other.Reference)
		}
		if order.TakenInCash != "" {
			made.PaidTwiceWith = append(made.PaidTwiceWith, order.TakenInCash)
		}
	}
	if order.RestOf != "" {
		made.Total = order.Total
		made.RestOf = order.RestOf
	}
	if records != nil {
		made.Events = make([]eventJSON, 0, len(records))
	}
	for _, record := range records {
		made.Events = append(made.Events, eventJSON{
			Event: cli.Clean(string(record.Event.Kind)), ReceivedAt: record.ReceivedAt,
			Outcome: record.Effect, Count: record.Count, Error: record.Event.Error.Display(),
		})
	}
	return made
}

func (a *app) printOrder(shop *cli.Shop, order payments.Order) error {
	now := shop.Now()
	return a.Print(newOrderJSON(order, nil, now), a.orderText(order, "", nil, now))
}

// orderText formats an order and its events as rows of text. customer is the name of the customer
// whose debt the order pays, or empty.
func (a *app) orderText(order payments.Order, customer string, records []payments.Record, now time.Time) string {
	words := a.Texts.Printed
	told := sheet.Teller{Texts: a.Texts, Theme: theme.Plain(), Zone: time.Local, Moment: cli.Moment}.
		Order(order, customer, records, order.Verdict(payments.Conditions{}, now), now)
	var rows [][]string
	row := func(label string, values ...string) {
		for _, value := range values {
			if value != "" {
				rows = append(rows, []string{lower(label, order.RestOf), value})
				label = " "
			}
		}
	}
	row(words.Reference, told.Title)
	row(words.Verdict, a.Verdict(order, now))
	row(words.LookAt, told.Why...)
	row(words.Reason, cli.Clean(told.Reason))
	row(words.Created, cli.Moment(told.Made))
	row(a.Texts.Orders.Amount, i18n.Money(told.Amount))
	var items []string
	for _, item := range told.Items {
		items = append(items, words.Item.With(item.Quantity, item.Label, i18n.Money(item.UnitPrice)))
	}
	row(a.Texts.Detail.Lines, items...)
	for _, fact := range slices.Concat(told.Sums, told.Known, told.Facts) {
		row(fact.Label, fact.Value)
	}
	var steps []string
	for _, step := range told.Steps {
		steps = append(steps, strings.TrimSpace(cli.Moment(step.At)+"  "+step.Sign+" "+strings.Join(step.Texts, ". ")))
	}
	row(a.Texts.Detail.Events, steps...)
	return cli.Table(rows...)
}

// lower returns the label in lower-case letters, except for a reference in it.
func lower(label, reference string) string {
	before, after, found := strings.Cut(label, reference)
	if reference == "" || !found {
		return strings.ToLower(label)
	}
	return strings.ToLower(before) + reference + strings.ToLower(after)
}

// drawLink prints the link of an order as a QR code. The code may be higher than the window,
// because a terminal can scroll.
func (a *app) drawLink(order payments.Order) error {
	out, draw := a.Out, a.Tell
	if a.AsJSON() {
		out, draw = a.Err, a.Say
	}
	styles := theme.ForTerminal(out, a.Env, theme.Auto)
	code, err := qr.New(order.Link.URL, styles)
	if err != nil {
		return err
	}
	// A wider border helps cameras.
	width, height := code.Needs()
	drawn := code.SetSize(width+2, height+1).View()
	if !styles.HalfBlocks() && width > a.Columns() {
		drawn = a.Texts.Pay.NoHalfBlocks.With(width, height)
	}
	draw("%s", drawn)
	return nil
}
