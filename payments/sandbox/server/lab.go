package server

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
)

const (
	maxRows = 1000
	maxWait = time.Minute // Longest time that a request may wait for a delivery.
)

// api is the fault lab: a JSON API that openapi.yaml describes. Unknown and repeated fields are
// refused.
//
// The dashboard's forms post to the same paths. A POST that accepts HTML, like a browser's,
// is read as a form and redirected to the dashboard.
type api struct{ service *sandbox.Sandbox }

// newLab returns the handler of /lab/. In its table, each path is followed by the query parameters
// that it allows, as in "?after&event".
func newLab(service *sandbox.Sandbox) *http.ServeMux {
	api, mux := &api{service}, http.NewServeMux()
	for route, answer := range map[string]func(*http.Request) (any, error){
		"GET /lab/scenarios":                         api.scenarios,
		"POST /lab/scenario":                         api.play,
		"GET /lab/faults?reference":                  api.faults,
		"PUT /lab/faults?reference":                  api.setFaults,
		"POST /lab/faults?reference":                 api.setFaults, // HTML forms cannot PUT.
		"GET /lab/calls?reference":                   api.calls,
		"GET /lab/orders?reference":                  api.orders,
		"GET /lab/orders/{order}":                    api.order,
		"POST /lab/orders/{order}/act":               api.act,
		"PUT /lab/orders/{order}/faults":             api.setOrderFaults,
		"GET /lab/deliveries?after&event&order&wait": api.deliveries,
		"POST /lab/orders/{order}/resend":            api.resend,
		"POST /lab/deliveries/{id}/resend":           api.resendDelivery,
		"POST /lab/reset":                            api.reset,
	} {
		pattern, parameters, _ := strings.Cut(route, "?")
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			var value any
			r.Body = http.MaxBytesReader(w, r.Body, sandbox.MaxBody)
			err := checkQuery(r.URL.RawQuery, strings.Split(parameters, "&"))
			if err == nil {
				value, err = answer(r)
			}
			body, unsaid := json.Marshal(value, sandbox.JSON())
			switch err := cmp.Or(err, unsaid); {
			case err != nil:
				sandbox.WriteJSON(w, sandbox.StatusOf(err), gateway.EncodeMessage(err.Error()))
			case byForm(r):
				http.Redirect(w, r, "/", http.StatusSeeOther)
			default:
				sandbox.WriteJSON(w, http.StatusOK, append(Printable(body), '\n'))
			}
		})
	}
	return mux
}

func checkQuery(query string, known []string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return errors.New("unsound request: the query is not valid")
	}
	for name, all := range values {
		if !slices.Contains(known, name) || len(all) > 1 {
			return fmt.Errorf("unsound request: the query parameter %s is not known, or is repeated", clean.Text(name, payments.MaxShownWidth))
		}
	}
	return nil
}

func (a *api) play(r *http.Request) (any, error) {
	asked, err := read[struct {
		Name      string `json:"name"`
		Times     int    `json:"times"`
		Reference string `json:"reference"`
	}](r)
	if err != nil {
		return nil, err
	}
	scenario, err := sandbox.FindScenario(asked.Name)
	if err != nil {
		return nil, err
	}
	if asked.Times != 0 {
		if scenario.Faults.Call == (sandbox.CallFaults{}) {
			return nil, errors.New("unsound request: times is for scenarios of the order call")
		}
		scenario.Faults.Call.Times = asked.Times
	}
	if err := scenario.Faults.Check(); err != nil {
		return nil, err
	}
	return scenario, a.service.SetFaultsOf(asked.Reference, scenario.Faults)
}

func (a *api) setFaults(r *http.Request) (any, error) {
	faults, err := read[sandbox.Faults](r)
	if err == nil {
		err = a.service.SetFaultsOf(r.URL.Query().Get("reference"), faults)
	}
	return faults, err
}

func (a *api) calls(r *http.Request) (any, error) {
	calls := []sandbox.Activity{}
	for _, call := range a.service.Activities() {
		wanted := !r.URL.Query().Has("reference") || call.Reference == r.URL.Query().Get("reference")
		if call.Kind == sandbox.OrderCall && wanted {
			calls = append(calls, call)
		}
	}
	return calls, nil
}

func (a *api) setOrderFaults(r *http.Request) (any, error) {
	faults, err := read[sandbox.EventFaults](r)
	if err == nil {
		err = a.service.SetOrderFaults(a.orderReference(r), faults)
	}
	return faults, err
}

// orderReference returns the order reference of the order in a path. The path may contain the merchant's
// reference instead.
func (a *api) orderReference(r *http.Request) string {
	name := r.PathValue("order")
	for _, order := range a.service.Orders() {
		if order.Reference == name {
			return order.OrderReference
		}
	}
	return name
}

func (a *api) scenarios(*http.Request) (any, error) { return sandbox.Scenarios(), nil }

func (a *api) faults(r *http.Request) (any, error) {
	return a.service.FaultsOf(r.URL.Query().Get("reference")), nil
}

func (a *api) reset(*http.Request) (any, error) { return struct{}{}, a.service.Reset() }

func (a *api) resendDelivery(r *http.Request) (any, error) {
	id, _ := strconv.ParseInt(r.PathValue("id"), 10, 64) // An invalid number gives 0, which no delivery has.
	return a.service.Resend(id)
}

func (a *api) resend(r *http.Request) (any, error) {
	sent := a.sent(0, a.orderReference(r), "")
	if len(sent) == 0 {
		return nil, sandbox.ErrNoSuchDelivery
	}
	return a.service.Resend(sent[0].ID)
}

type orderReply struct {
	sandbox.Order
	CheckoutURL string `json:"checkout_url"`
}

func (a *api) orders(r *http.Request) (any, error) {
	found := []orderReply{}
	for _, order := range a.service.Orders() {
		wanted := !r.URL.Query().Has("reference") || order.Reference == r.URL.Query().Get("reference")
		if wanted && len(found) < maxRows {
			found = append(found, a.reply(r, order))
		}
	}
	return found, nil
}

func (a *api) order(r *http.Request) (any, error) {
	order, err := a.service.Order(a.orderReference(r))
	return a.reply(r, order), err
}

func (a *api) reply(r *http.Request, order sandbox.Order) orderReply {
	return orderReply{order, a.service.Config().BaseURL(r) + sandbox.LinkPrefix + order.Link}
}

func (a *api) act(r *http.Request) (any, error) {
	asked, err := read[struct {
		Outcome string `json:"outcome"`
	}](r)
	if err == nil {
		err = a.service.Act(r.Context(), a.orderReference(r), payments.EventKind("payment."+asked.Outcome))
	}
	order, missing := a.order(r)
	return order, cmp.Or(err, missing)
}

// sent returns the deliveries with an ID greater than after, newest first. A blank order or event
// selects all.
func (a *api) sent(after int64, order, event string) []sandbox.Delivery {
	return slices.DeleteFunc(a.service.Deliveries(), func(d sandbox.Delivery) bool {
		return d.ID <= after || order != "" && order != d.Order || event != "" && event != string(d.Event)
	})
}

// deliveries lists the selected deliveries with an ID greater than the query parameter "after".
// With the parameter "wait", it first waits for at most that time. If the query selects an order or an
// event, it waits until one of the selected deliveries is done. Otherwise it waits for the first try
// of a delivery that is newer than "after". By default, "after" is the newest delivery with a try.
func (a *api) deliveries(r *http.Request) (any, error) {
	query := r.URL.Query()
	order, event := query.Get("order"), query.Get("event")
	ready := sandbox.Delivery.Done
	if order == "" && event == "" {
		ready = tried
	}
	after, seen := int64(0), int64(0)
	switch {
	case event != "" && !strings.HasPrefix(event, "payment."):
		return nil, errors.New("unsound request: event must be the name of an event, as in payment.success")
	case query.Has("after"):
		var err error
		if after, err = strconv.ParseInt(query.Get("after"), 10, 64); err != nil {
			return nil, errors.New("unsound request: after must be the id of a delivery")
		}
		seen = after
	case order == "" && event == "":
		all := a.service.Deliveries()
		if newest := slices.IndexFunc(all, tried); newest >= 0 {
			seen = all[newest].ID
		}
	}
	if query.Has("wait") {
		wait, err := time.ParseDuration(query.Get("wait"))
		if err != nil || wait < 0 || wait > maxWait {
			return nil, errors.New(`unsound request: wait must be a length of time to "60s", as in "5s"`)
		}
		ctx, cancel := context.WithTimeout(r.Context(), wait)
		defer cancel()
		a.service.Await(ctx, func() bool { return slices.ContainsFunc(a.sent(seen, order, event), ready) })
	}
	found := a.sent(after, order, event)
	return found[:min(len(found), maxRows)], nil
}

func tried(d sandbox.Delivery) bool { return len(d.Tries) > 0 }

func byForm(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.Contains(r.Header.Get("Accept"), "text/html")
}

// read decodes the JSON body of a request. Unknown fields, null and invalid faults are errors. A
// form has the JSON in its field "json".
func read[T any](r *http.Request) (value T, err error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return value, errors.New("unsound request: it did not arrive whole within 64 KiB")
	}
	if byForm(r) {
		form, _ := url.ParseQuery(string(body)) // Ignore the error: without the field json the text is empty, which is not valid JSON.
		body = []byte(form.Get("json"))
	}
	err = json.Unmarshal(body, &value, sandbox.JSON(), json.RejectUnknownMembers(true))
	if at, ok := errors.AsType[*json.SemanticError](err); ok {
		err = fmt.Errorf("%s is not known, or of another type", fieldAt(at.JSONPointer))
	}
	if err = cmp.Or(err, refuseNull(body)); err != nil {
		return value, fmt.Errorf("unsound request: %s", clean.Text(err.Error(), payments.MaxShownWidth))
	}
	if faults, ok := any(value).(interface{ Check() error }); ok {
		err = faults.Check()
	}
	return value, err
}

func refuseNull(text []byte) error {
	decoder := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		token, err := decoder.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case token.Kind() == jsontext.KindNull:
			return fmt.Errorf("%s must not be null: leave it out", fieldAt(decoder.StackPointer()))
		}
	}
}

func fieldAt(place jsontext.Pointer) string {
	return cmp.Or(strings.ReplaceAll(strings.TrimPrefix(string(place), "/"), "/", "."), "the body")
}

// Printable writes unprintable characters as JSON escapes, such as \u001b, because people read JSON
// in terminals. It keeps line ends.
func Printable(text []byte) []byte {
	var shown []byte
	for _, char := range string(text) {
		if unicode.IsPrint(char) || char == '\n' {
			shown = utf8.AppendRune(shown, char)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, char) {
			shown = fmt.Appendf(shown, `\u%04x`, unit)
		}
	}
	return shown
}
