package sandbox

import (
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/till/payments"
)

const (
	// maxShown is how many orders, and how many deliveries, the dashboard shows.
	maxShown = 50
	// maxShownReply is how much of a reply the dashboard shows, in columns.
	maxShownReply = 2000
)

// serveDashboard shows what happened, to this machine alone, and sends a
// delivery again.
func (s *Sandbox) serveDashboard(w http.ResponseWriter, r *http.Request) {
	if !fromHere(r) {
		s.refuse(w, r, http.StatusForbidden, "the dashboard is shown on the sandbox's own machine only")
		return
	}
	if r.URL.Path != resendPath {
		if s.allow(w, r, http.MethodGet, http.MethodHead) {
			s.web.draw(w, http.StatusOK, "dashboard.html", s.dashboard(r))
		}
		return
	}
	if !s.allow(w, r, http.MethodPost) {
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	id, err := strconv.ParseInt(r.PostFormValue("delivery"), 10, 64)
	if err != nil || !s.sender.again(id) {
		s.refuse(w, r, http.StatusNotFound, "there is no such delivery any more")
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// dashboardView is what the template of the dashboard is filled with.
type dashboardView struct {
	Style      template.CSS
	Shop       string
	OrderCall  string // The address of the order call.
	Webhook    string // The address events are sent to.
	Lifetime   time.Duration
	Orders     []orderRow
	Deliveries []deliveryRow
}

type orderRow struct {
	Name, Reference, Description, Amount, State, Link string
}

type deliveryRow struct {
	ID                        int64
	Order, Event, Stage, Next string
	Made                      string
	Request                   string
	Tries                     []tryRow
	CanSend                   bool
}

type tryRow struct {
	At, Took, Signed, Result, Reply string
}

func (s *Sandbox) dashboard(r *http.Request) dashboardView {
	return dashboardView{
		Style: s.web.style, Shop: s.config.Shop, Lifetime: s.config.Lifetime,
		OrderCall: s.base(r) + s.config.OrderPath, Webhook: s.config.WebhookURL,
		Orders: s.orderRows(s.base(r)), Deliveries: s.deliveryRows(),
	}
}

// orderRows returns the newest orders, newest first.
func (s *Sandbox) orderRows(base string) []orderRow {
	s.mu.Lock()
	defer s.mu.Unlock()
	var rows []orderRow
	for _, order := range slices.Backward(s.book.all[max(0, len(s.book.all)-maxShown):]) {
		rows = append(rows, orderRow{
			Name: order.reference, State: string(order.state), Amount: money(order.request.Amount),
			Reference:   payments.Clean(order.request.Reference, payments.MaxLabelWidth),
			Description: payments.Clean(order.request.Description, payments.MaxShownWidth),
			Link:        base + linkPrefix + order.link,
		})
	}
	return rows
}

// deliveryRows returns the newest deliveries, newest first.
func (s *Sandbox) deliveryRows() []deliveryRow {
	s.sender.mu.Lock()
	defer s.sender.mu.Unlock()
	kept := s.sender.kept
	var rows []deliveryRow
	for _, shown := range slices.Backward(kept[max(0, len(kept)-maxShown):]) {
		row := deliveryRow{
			ID: shown.id, Order: shown.order, Event: string(shown.kind), Stage: string(shown.stage),
			Made: clock(shown.made), Request: s.request(shown), CanSend: shown.over() || shown.stage == waiting,
		}
		if shown.stage == waiting {
			row.Next = clock(shown.next)
		}
		for _, tried := range shown.attempts {
			row.Tries = append(row.Tries, tryRow{
				At: clock(tried.at), Took: tried.took.Round(time.Millisecond).String(), Signed: tried.signed,
				Result: result(tried), Reply: payments.Clean(string(tried.reply), maxShownReply),
			})
		}
		rows = append(rows, row)
	}
	return rows
}

// request returns a delivery's request for people to read. The signature is
// left out: with the static scheme it is a password.
func (s *Sandbox) request(shown *delivery) string {
	path := "/"
	if target, err := url.Parse(s.config.WebhookURL); err == nil && target.Path != "" {
		path = target.RequestURI()
	}
	return strings.Join([]string{
		"POST " + path, "Content-Type: application/json",
		s.config.SignatureHeader + ": (not shown)", "", string(shown.body),
	}, "\n")
}

// result says in a word what came of a try.
func result(tried attempt) string {
	if tried.failure != "" {
		return tried.failure
	}
	return strings.TrimSpace(strconv.Itoa(tried.status) + " " + http.StatusText(tried.status))
}

func clock(at time.Time) string { return at.Format("15:04:05") }
