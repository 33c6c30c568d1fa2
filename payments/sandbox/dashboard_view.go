package sandbox

import (
	"cmp"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

const (
	// maxShown is how many orders, and how many deliveries, the dashboard shows.
	maxShown = 50
	// maxShownReply is how much of a reply the dashboard shows, in columns.
	maxShownReply = 2000
)

// boardView is what the template of the dashboard is filled with.
type boardView struct {
	look
	Version string // Of what is shown; the stream tells of newer ones.
	Problem string // Why the last action was not done.
	Filter  string // What orders were chosen by.
	Query   string // Keeps the filter; empty without one.
	Address string // Of the page, with the filter.

	Account    accountView
	Lab        labView
	Orders     orderList
	Deliveries deliveryList
	Calls      []callRow
	Lines      []line
}

// accountView is how the merchant is set up.
type accountView struct {
	Shop, Base, OrderCall, Webhook, Retry string
	Header, Scheme, Lifetime              string
}

// orderList is the newest of the orders that were chosen.
type orderList struct {
	Rows        []orderRow
	Chosen, All string // How many there are.
	Cut         bool   // Not all that were chosen are shown.
	One         string // The only one that was chosen, by its order reference.
}

type orderRow struct {
	Name, Reference, Description, Amount string
	State, Until, Link, Address          string
	Open                                 bool
	Failures                             int
	Customer                             string // What the customer does on the page, when that is known.
	Events                               []eventRow
	Faults                               []string // Of its own.
	OwnFaults                            bool
}

// eventRow is an event of an order, in its order's row.
type eventRow struct{ Kind, Stage, Class, Address string }

// deliveryList is the newest of the deliveries of the orders that were chosen.
type deliveryList struct {
	Rows        []deliveryRow
	Chosen, All string
	Cut         bool
}

type deliveryRow struct {
	ID                        int64
	Order, Event, Stage, Next string
	Class, Made, Last         string
	Address                   string
	Request                   string
	Tries                     []tryRow
	CanSend                   bool
}

type tryRow struct {
	At, Took, Signed, Result, Reply string
	Good                            bool
}

// callRow is an order call and its answer.
type callRow struct {
	At, Took, Result, Reply string
	Order, Address          string // Of the order that it made, when the answer says so.
	Good                    bool
}

// dashboard returns what the page shows. The version is taken first: what
// changes meanwhile has the page look again.
func (s *Sandbox) dashboard(r *http.Request) boardView {
	chosen := filter(r)
	view := boardView{
		look: s.web.dashboard, Version: s.watchers.version(), Filter: chosen, Account: s.accountView(r),
	}
	view.Address = boardAddress(chosen)
	view.Query = strings.TrimPrefix(view.Address, "/")
	orders := s.chooseOrders(chosen)
	deliveries := s.sender.choose(orders.wants)
	view.Orders = s.orderList(s.base(r), orders, deliveries)
	view.Deliveries = s.deliveryList(deliveries)
	view.Lab = s.labView(view.Orders.One)
	for _, one := range s.board.calls.newest() {
		if row := s.callRow(one); chosen == "" || orders.names[row.Order] {
			view.Calls = append(view.Calls, row)
		}
	}
	view.Lines = lines(origin(r), s.config.OrderPath, view.Orders, view.Deliveries)
	return view
}

// callRow returns an order call. Of an answer that is sound its order is enough;
// any other is shown as it is.
func (s *Sandbox) callRow(one call) callRow {
	row := callRow{
		At: s.clock(one.at), Took: spell(one.took), Good: one.status == http.StatusOK,
		Result: cmp.Or(named(one.status), "no answer: the connection was cut"),
		Reply:  payments.Clean(string(one.reply), maxShownReply),
	}
	links := gateway.LinkPolicy{Local: func(netip.Addr) bool { return true }}
	if made, err := gateway.DecodeReply(one.reply, links); err == nil && row.Good {
		row.Order, row.Address = made.OrderReference, boardAddress(made.OrderReference)
	}
	return row
}

func (s *Sandbox) accountView(r *http.Request) accountView {
	return accountView{
		Shop: s.config.Shop, Base: s.base(r), OrderCall: s.base(r) + s.config.OrderPath,
		Webhook: s.config.WebhookURL, Header: s.config.SignatureHeader, Scheme: string(s.config.Scheme),
		Retry: again(cmp.Or(s.outlet.retry, RetryAll)), Lifetime: spell(s.config.Lifetime),
	}
}

// again says in words when a delivery is tried again.
func again(retry Retry) string {
	switch retry {
	case RetryNone:
		return "never"
	case RetryServerErrors:
		return "on 5xx, 408 and 429, and without a reply"
	case RetryAll:
	}
	return "on anything but 2xx and 410"
}

func (s *Sandbox) orderList(base string, chosen chosenOrders, deliveries []delivery) orderList {
	list := orderList{
		Chosen: group(int64(chosen.count)), All: group(int64(chosen.inBook)),
		Cut: chosen.count > len(chosen.newest),
	}
	if chosen.names != nil && chosen.count == 1 {
		list.One = chosen.newest[0].reference
	}
	events := make(map[string][]eventRow)
	for _, sent := range slices.Backward(deliveries) {
		events[sent.order] = append(events[sent.order], eventRow{
			Kind: string(sent.kind), Stage: string(sent.stage), Class: class(sent.stage),
			Address: boardAddress(sent.order) + "#delivery-" + strconv.FormatInt(sent.id, 10),
		})
	}
	for _, order := range chosen.newest {
		row := orderRow{
			Name: order.reference, State: string(order.state), Amount: money(order.request.Amount),
			Reference:   payments.Clean(order.request.Reference, payments.MaxLabelWidth),
			Description: payments.Clean(order.request.Description, payments.MaxShownWidth),
			Link:        base + linkPrefix + order.link, Address: boardAddress(order.reference),
			Open: order.state == open, Failures: order.failures, Events: events[order.reference],
			OwnFaults: order.faults != nil, Customer: doing(order.customer),
		}
		if row.Open {
			row.Until = s.clock(order.ends)
		}
		if order.faults != nil {
			row.Faults = inWords("event", order.faults.settings())
		}
		list.Rows = append(list.Rows, row)
	}
	return list
}

func (s *Sandbox) deliveryList(chosen []delivery) deliveryList {
	list := deliveryList{Chosen: group(int64(len(chosen))), Cut: len(chosen) > maxShown}
	for _, shown := range chosen[:min(len(chosen), maxShown)] {
		row := deliveryRow{
			ID: shown.id, Order: shown.order, Event: string(shown.kind), Stage: string(shown.stage),
			Made: s.clock(shown.made), Request: s.request(&shown), Class: class(shown.stage), Address: boardAddress(shown.order),
			CanSend: shown.over() || shown.stage == waiting,
		}
		if shown.stage == waiting {
			row.Next = s.clock(shown.next)
		}
		for _, tried := range shown.attempts {
			row.Last = cmp.Or(tried.failure, named(tried.status))
			row.Tries = append(row.Tries, tryRow{
				At: s.clock(tried.at), Took: spell(tried.took), Signed: tried.signed, Good: tried.accepted(),
				Result: row.Last, Reply: payments.Clean(string(tried.reply), maxShownReply),
			})
		}
		list.Rows = append(list.Rows, row)
	}
	return list
}

// doing says what a customer does on the page of an order.
func doing(customer customer) string {
	switch prompt := customer.prompt; {
	case prompt.asked():
		return "The phone " + prompt.masked + " is being asked."
	case prompt != nil:
		return "The customer gave the number " + prompt.masked + " and has to confirm."
	}
	switch customer.trouble {
	case lowBalance:
		return "The balance was too low."
	case refused:
		return "The customer refused on the phone."
	case silent:
		return "The phone said nothing."
	case agreed:
	}
	return ""
}

// class returns how a stage is marked.
func class(stage stage) string {
	switch stage {
	case delivered:
		return "success"
	case abandoned, dropped:
		return "bad"
	case held, waiting, sending:
	}
	return "open"
}

// request returns a delivery's request for people to read. The signature is
// left out: with the static scheme it is a password.
func (s *Sandbox) request(shown *delivery) string {
	path := "/"
	if target, err := url.Parse(s.config.WebhookURL); err == nil && target.Path != "" {
		path = target.RequestURI()
	}
	lines := []string{
		"POST " + path, "Content-Type: application/json",
		s.config.SignatureHeader + ": (not shown)", "", visible(string(shown.body)),
	}
	if shown.padding > 0 {
		lines = append(lines, fmt.Sprintf("(and %s bytes of white space)", group(int64(shown.padding))))
	}
	if shown.slow > 0 {
		lines = append(lines, "(sent over "+spell(shown.slow)+")")
	}
	return strings.Join(lines, "\n")
}

// named returns a status with its name, and nothing for 0.
func named(status int) string {
	if status == 0 {
		return ""
	}
	return strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
}

// clock writes a moment as a clock of this machine shows it, with the day when
// that is another one.
func (s *Sandbox) clock(at time.Time) string {
	if now := s.config.Now().Local(); now.Format(time.DateOnly) != at.Local().Format(time.DateOnly) {
		return at.Local().Format("2 Jan 15:04:05")
	}
	return at.Local().Format(time.TimeOnly)
}

// spell writes a length of time shortly: "10m" and not "10m0s".
func spell(length time.Duration) string {
	if length < time.Millisecond {
		return "under 1ms"
	}
	if length < time.Second {
		return length.Round(time.Millisecond).String()
	}
	text := length.Round(100 * time.Millisecond).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
