package sandbox

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"checkout/till/payments"
)

const (
	// maxForm bounds the form of the page, in bytes.
	maxForm = 4 << 10
	// maxTyped is how much of a wrong entry is given back, in columns.
	maxTyped = 40
)

// What can be wrong with an entry.
const (
	problemMissing = "missing"
	problemWrong   = "wrong"
)

// entryView is what the customer typed, given back when something is wrong
// with it.
type entryView struct {
	Operator string
	Number   string
	// What is wrong; empty when nothing is.
	OperatorProblem, NumberProblem string
}

// Wrong tells whether anything is.
func (v entryView) Wrong() bool { return v.OperatorProblem != "" || v.NumberProblem != "" }

// Operators returns what there is to choose from.
func (entryView) Operators() []string { return operators() }

// takeStep takes what the customer did on the page: one of the outcomes that
// scripts choose too, or a step on the way to one.
func (s *Sandbox) takeStep(w http.ResponseWriter, r *http.Request, link string) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if outcome := r.PostFormValue("outcome"); outcome != "" {
		s.takeOutcome(w, r, link, outcome)
		return
	}
	token := r.URL.Query().Get(tokenKey)
	switch r.PostFormValue("step") {
	case "number":
		s.takeNumber(w, r, link)
	case "confirm":
		err := s.confirm(link, token, r.PostFormValue("script") != "")
		s.stepped(w, r, link, token, err)
	case "change":
		s.stepped(w, r, link, "", s.withdraw(link, token))
	default:
		s.show(w, r, http.StatusBadRequest, pageView{Show: showUnclear})
	}
}

// takeOutcome makes an outcome happen at once. While the phone is being asked
// the customer can cancel, and nothing else.
func (s *Sandbox) takeOutcome(w http.ResponseWriter, r *http.Request, link, outcome string) {
	kind := payments.EventKind("payment." + outcome)
	if status, known := kind.Status(); !known || status == payments.StatusExpired {
		s.show(w, r, http.StatusBadRequest, pageView{Show: showUnclear})
		return
	}
	s.mu.Lock()
	order, err := s.steppable(link)
	if err == nil || errors.Is(err, errAsked) && kind == payments.PaymentCanceled {
		_, err = s.act(order, kind)
	}
	s.mu.Unlock()
	if err != nil {
		s.stepped(w, r, link, "", err)
		return
	}
	s.redirect(w, r, s.afterwards(r, link, kind))
}

// takeNumber takes the customer's operator and phone number. What was typed is
// kept nowhere: a wrong entry goes back with the form, of a sound one the masked
// number is kept.
func (s *Sandbox) takeNumber(w http.ResponseWriter, r *http.Request, link string) {
	typed := r.PostFormValue("number")
	entry := entryView{
		Operator: r.PostFormValue("operator"),
		Number:   payments.Clean(typed, maxTyped),
	}
	if !slices.Contains(operators(), entry.Operator) {
		entry.Operator, entry.OperatorProblem = "", problemMissing
	}
	number, sound := readPhone(typed)
	switch {
	case sound:
	case strings.TrimSpace(typed) == "":
		entry.NumberProblem = problemMissing
	default:
		entry.NumberProblem = problemWrong
	}
	if !entry.Wrong() {
		token, err := s.propose(link, number, entry.Operator)
		s.stepped(w, r, link, token, err)
		return
	}
	view, found := s.look(link, "")
	if !found || view.shows != string(open) {
		s.stepped(w, r, link, "", over(found, view))
		return
	}
	s.show(w, r, http.StatusUnprocessableEntity, pageView{Show: view.shows, Order: &view, Entry: entry})
}

// over says why no step can be taken on a link that is not open.
func over(found bool, view orderView) error {
	switch {
	case !found:
		return ErrNoSuchOrder
	case view.shows == showProgress:
		return errAsked
	}
	return ErrLinkOver
}

// stepped answers a step: with the page of the prompt, or with why the step was
// not taken.
func (s *Sandbox) stepped(w http.ResponseWriter, r *http.Request, link, token string, err error) {
	view, _ := s.look(link, "")
	switch {
	case err == nil:
		s.redirect(w, r, address(r, token))
	case errors.Is(err, errStale):
		s.redirect(w, r, address(r, ""))
	case errors.Is(err, ErrNoSuchOrder):
		s.show(w, r, http.StatusNotFound, pageView{Show: showMissing})
	case errors.Is(err, ErrLinkOver):
		s.showOrder(w, r, http.StatusGone, view)
	case errors.Is(err, errAsked):
		s.showOrder(w, r, http.StatusConflict, view)
	default:
		s.show(w, r, http.StatusTooManyRequests, pageView{Show: showBusy})
	}
}
