package sandbox

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"checkout/till/payments"
)

const (
	// boardPrefix is what the dashboard's paths but its page begin with.
	boardPrefix = "/dashboard/"
	livePath    = boardPrefix + "live"
	// maxBoardForm bounds a form of the dashboard, in bytes.
	maxBoardForm = 64 << 10
)

// board is what the dashboard has beside the orders and deliveries.
type board struct {
	calls   calls
	streams chan struct{} // A slot for each page that listens.
	stops   shutdowns
}

func newBoard(now payments.Clock, changed func()) *board {
	return &board{calls: calls{now: now, changed: changed}, streams: make(chan struct{}, maxStreams)}
}

// errNoSuchDelivery says that a delivery is no longer kept.
var errNoSuchDelivery = errors.New("there is no such delivery any more")

// serveDashboard serves the dashboard, to this machine alone: its page, the
// stream that keeps it live, and its buttons. A POST that was done leads back
// to the page; one that was not done shows the page with the reason.
func (s *Sandbox) serveDashboard(w http.ResponseWriter, r *http.Request) {
	if !fromHere(r) {
		s.refuse(w, r, http.StatusForbidden, "the dashboard is shown on the sandbox's own machine only")
		return
	}
	switch r.URL.Path {
	case "/":
		if s.allow(w, r, http.MethodGet, http.MethodHead) {
			s.showDashboard(w, r, http.StatusOK, "")
		}
		return
	case livePath:
		s.serveLive(w, r)
		return
	}
	action := s.boardAction(strings.TrimPrefix(r.URL.Path, boardPrefix))
	if action == nil {
		http.NotFound(w, r)
		return
	}
	if !s.allow(w, r, http.MethodPost) {
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBoardForm)
	if err := r.ParseForm(); err != nil {
		s.showDashboard(w, r, http.StatusBadRequest, "the form did not arrive whole")
		return
	}
	place, err := action(r)
	if err != nil {
		s.showDashboard(w, r, refusal(err), err.Error())
		return
	}
	// The place is one of the page's own.
	http.Redirect(w, r, boardAddress(filter(r))+"#"+place, http.StatusSeeOther)
}

// boardAction returns what a path of the dashboard does; nil for none. It
// returns the place on the page that shows what it did.
func (s *Sandbox) boardAction(name string) func(*http.Request) (place string, err error) {
	switch name {
	case "act":
		return s.actByForm
	case "resend":
		return s.resendByForm
	case "scenario":
		return s.playByForm
	case "faults":
		return s.setFaultsByForm
	case "clear":
		return s.clearFaultsByForm
	}
	return nil
}

// actByForm acts as the customer of an order.
func (s *Sandbox) actByForm(r *http.Request) (string, error) {
	order := r.PostForm.Get("order")
	return "order-" + order, s.Act(r.Context(), order, payments.EventKind("payment."+r.PostForm.Get("outcome")))
}

// resendByForm sends a delivery again.
func (s *Sandbox) resendByForm(r *http.Request) (string, error) {
	id, err := strconv.ParseInt(r.PostForm.Get("delivery"), 10, 64)
	if err != nil || !s.sender.again(id) {
		return "", errNoSuchDelivery
	}
	return "delivery-" + strconv.FormatInt(id, 10), nil
}

// playByForm plays a scenario.
func (s *Sandbox) playByForm(r *http.Request) (string, error) {
	scenario, err := FindScenario(r.PostForm.Get("name"))
	if err != nil {
		return "", err
	}
	s.Play(scenario)
	return "faults", nil
}

// setFaultsByForm sets the faults of one order, or of all when none is named.
func (s *Sandbox) setFaultsByForm(r *http.Request) (string, error) {
	if order := r.PostForm.Get("of"); order != "" {
		var faults EventFaults
		if err := readForm(r.PostForm, "event", faults.settings()); err != nil {
			return "", err
		}
		return "order-" + order, s.SetOrderFaults(order, faults)
	}
	var faults Faults
	if err := readForm(r.PostForm, "call", faults.Call.settings()); err != nil {
		return "", err
	}
	if err := readForm(r.PostForm, "event", faults.Event.settings()); err != nil {
		return "", err
	}
	s.SetFaults(faults)
	return "faults", nil
}

// clearFaultsByForm ends the faults of one order's own, or of all orders.
func (s *Sandbox) clearFaultsByForm(r *http.Request) (string, error) {
	if order := r.PostForm.Get("of"); order != "" {
		return "order-" + order, s.ClearOrderFaults(order)
	}
	s.SetFaults(Faults{})
	return "faults", nil
}

// filter returns the text by which the page chooses orders.
func filter(r *http.Request) string {
	const longest = 200
	text := strings.TrimSpace(r.URL.Query().Get("order"))
	return text[:min(len(text), longest)]
}

// boardAddress returns the address of the page that shows the orders chosen by
// a text.
func boardAddress(filter string) string {
	if filter == "" {
		return "/"
	}
	return "/?" + url.Values{"order": {filter}}.Encode()
}

// showDashboard draws the page, with what went wrong when something did.
func (s *Sandbox) showDashboard(w http.ResponseWriter, r *http.Request, status int, problem string) {
	view := s.dashboard(r)
	view.Problem = problem
	s.web.draw(w, status, "dashboard.html", s.web.dashboard, view)
}
