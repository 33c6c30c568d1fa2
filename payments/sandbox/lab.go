package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"checkout/till/payments"
)

const (
	labPrefix = "/lab/"
	// defaultListed and maxListed are how many rows a list has: unless it is
	// asked otherwise, and at most.
	defaultListed, maxListed = 50, 1000
)

// serveLab is the JSON API of the fault lab, as the package's comment has it.
func (s *Sandbox) serveLab(w http.ResponseWriter, r *http.Request) {
	if !fromHere(r) {
		s.refuse(w, r, http.StatusForbidden, "the fault lab serves the sandbox's own machine only")
		return
	}
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, labPrefix), "/")
	switch {
	case len(parts) == 1:
		s.serveLabList(w, r, parts[0])
	case len(parts) == 3 && parts[0] == "orders" && parts[2] == "faults":
		s.serveOrderFaults(w, r, parts[1])
	case len(parts) == 3 && parts[0] == "orders" && parts[2] == "act":
		s.serveAct(w, r, parts[1])
	case len(parts) == 3 && parts[0] == "deliveries" && parts[2] == "resend":
		s.serveResend(w, r, parts[1])
	default:
		s.refuse(w, r, http.StatusNotFound, "there is no such path in the fault lab")
	}
}

// serveLabList serves the paths of one part.
func (s *Sandbox) serveLabList(w http.ResponseWriter, r *http.Request, name string) {
	switch name {
	case "faults":
		s.serveFaults(w, r)
	case "scenario":
		s.servePlay(w, r)
	case "scenarios":
		if s.allow(w, r, http.MethodGet, http.MethodHead) {
			s.say(w, r, labScenarios())
		}
	case "orders", "deliveries":
		if !s.allow(w, r, http.MethodGet, http.MethodHead) {
			return
		}
		limit, err := limit(r)
		switch {
		case err != nil:
			s.complain(w, r, err)
		case name == "orders":
			s.say(w, r, s.labOrders(s.base(r), limit))
		default:
			s.say(w, r, s.labDeliveries(limit))
		}
	default:
		s.refuse(w, r, http.StatusNotFound, "there is no such path in the fault lab")
	}
}

// serveFaults shows, sets and ends what goes wrong with all orders.
func (s *Sandbox) serveFaults(w http.ResponseWriter, r *http.Request) {
	if !s.allow(w, r, http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete) {
		return
	}
	var faults Faults
	switch r.Method {
	case http.MethodPut:
		if err := take(w, r, faults.settings()); err != nil {
			s.complain(w, r, err)
			return
		}
		s.SetFaults(faults)
	case http.MethodDelete:
		s.SetFaults(faults)
	}
	s.say(w, r, s.Faults())
}

// serveOrderFaults shows, sets and ends what goes wrong with one order's
// events.
func (s *Sandbox) serveOrderFaults(w http.ResponseWriter, r *http.Request, orderReference string) {
	if !s.allow(w, r, http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete) {
		return
	}
	var faults EventFaults
	var err error
	switch r.Method {
	case http.MethodPut:
		if err = take(w, r, faults.settings()); err == nil {
			err = s.SetOrderFaults(orderReference, faults)
		}
	case http.MethodDelete:
		err = s.ClearOrderFaults(orderReference)
	}
	if err == nil {
		faults, err = s.OrderFaults(orderReference)
	}
	if err != nil {
		s.complain(w, r, err)
		return
	}
	s.say(w, r, faults)
}

// servePlay plays a scenario.
func (s *Sandbox) servePlay(w http.ResponseWriter, r *http.Request) {
	if !s.allow(w, r, http.MethodPost) {
		return
	}
	var name string
	err := take(w, r, []setting{words("name", &name)})
	var scenario Scenario
	if err == nil {
		scenario, err = FindScenario(name)
	}
	if err != nil {
		s.complain(w, r, err)
		return
	}
	s.Play(scenario)
	s.say(w, r, labScenario(scenario))
}

// serveAct does what a customer does, and answers with the order as it is then.
func (s *Sandbox) serveAct(w http.ResponseWriter, r *http.Request, orderReference string) {
	if !s.allow(w, r, http.MethodPost) {
		return
	}
	var outcome payments.Status
	err := take(w, r, []setting{choice("outcome", &outcome, outcomes()...)})
	if err == nil && outcome == "" {
		err = unsound("outcome", "is missing")
	}
	if err == nil {
		err = s.Act(r.Context(), orderReference, payments.EventKind("payment."+outcome))
	}
	var after orderJSON
	if err == nil {
		after, err = s.labOrder(s.base(r), orderReference)
	}
	if err != nil {
		s.complain(w, r, err)
		return
	}
	s.say(w, r, after)
}

// serveResend sends a delivery again, and answers with it.
func (s *Sandbox) serveResend(w http.ResponseWriter, r *http.Request, number string) {
	if !s.allow(w, r, http.MethodPost) {
		return
	}
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil || !s.sender.again(id) {
		s.refuse(w, r, http.StatusNotFound, "there is no such delivery any more")
		return
	}
	sent, _ := s.labDelivery(id)
	s.say(w, r, sent)
}

// take reads the body of a request by settings.
func take(w http.ResponseWriter, r *http.Request, settings []setting) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return unsound("", "did not arrive whole within 64 KiB")
	}
	return readObject(body, "", settings)
}

// limit returns how many rows a list shall have.
func limit(r *http.Request) (int, error) {
	asked := r.URL.Query()
	if !asked.Has("limit") {
		return defaultListed, nil
	}
	number, err := strconv.Atoi(asked.Get("limit"))
	if err != nil || number < 1 || number > maxListed {
		return 0, unsound("limit", "must be a whole number from 1 to "+strconv.Itoa(maxListed))
	}
	return number, nil
}

// complain answers with an error's status and text.
func (s *Sandbox) complain(w http.ResponseWriter, r *http.Request, err error) {
	s.refuse(w, r, refusal(err), err.Error())
}

// refusal returns the status that says why something was not done.
func refusal(err error) int {
	switch {
	case errors.Is(err, ErrNoSuchOrder), errors.Is(err, errNoSuchDelivery):
		return http.StatusNotFound
	case errors.Is(err, ErrLinkOver):
		return http.StatusGone
	case errors.Is(err, ErrBusy):
		return http.StatusTooManyRequests
	}
	return http.StatusBadRequest
}

// say answers with a value as JSON. What a terminal might obey or not show
// stands there as an escape, for people read the answer in one.
func (s *Sandbox) say(w http.ResponseWriter, r *http.Request, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		s.refuse(w, r, http.StatusInternalServerError, "Internal Server Error")
		return
	}
	var shown []byte
	for _, char := range string(body) {
		switch {
		case unicode.IsPrint(char):
			shown = utf8.AppendRune(shown, char)
		case char > 0xffff:
			high, low := utf16.EncodeRune(char)
			shown = fmt.Appendf(shown, `\u%04x\u%04x`, high, low)
		default:
			shown = fmt.Appendf(shown, `\u%04x`, char)
		}
	}
	reply(w, http.StatusOK, append(shown, '\n'))
}
