// Package lab is the fault lab of a payment service: a JSON API and a dashboard
// over the same structs, [sandbox.Order] and [delivery.Delivery].
//
// The API answers 200 with JSON, or refuses with a 4xx and {"message": …} that
// names the field. Unknown and repeated fields are refused.
//
//	GET            /lab/scenarios              [{"name", "summary", "faults"}]
//	POST           /lab/scenario               {"name": "drop"}; sets its faults for all orders
//	GET PUT DELETE /lab/faults                 {"call": {…}, "event": {…}} of all orders
//	GET            /lab/orders?limit=50        the newest first, at most 1000; &reference= is the merchant's
//	GET            /lab/orders/{REF_…}         one order
//	GET PUT DELETE /lab/orders/{REF_…}/faults  the event faults of one order
//	POST           /lab/orders/{REF_…}/act     {"outcome": "success"}, failed, canceled, expired
//	GET            /lab/deliveries?limit=50    the newest first, with each try
//	POST           /lab/deliveries/{id}/resend sends one now
//	POST           /lab/reset                  forgets orders, deliveries and faults
//
// GET /lab/deliveries?wait=5s waits, for 60 s at most, until a newer delivery was
// tried than was before; with &after=7, until one after number 7 was, and lists
// those alone.
//
// A PUT sets exactly what it names; a DELETE ends the faults, those of one order
// so that those of all are its own again.
package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/delivery"
)

const (
	// maxBody bounds a request, in bytes.
	maxBody = 64 << 10
	// defaultRows and maxRows bound a list.
	defaultRows, maxRows = 50, 1000
	// maxWait bounds how long a request may wait.
	maxWait = time.Minute
)

var (
	errRequest  = errors.New("unsound request")
	errDelivery = errors.New("there is no such delivery any more")
	errPath     = errors.New("there is no such path in the fault lab")
	errMethod   = errors.New("this method is not served here, but")
)

// API is the http.Handler of /lab/.
type API struct {
	service *sandbox.Sandbox
	mux     *http.ServeMux
}

// NewAPI returns the JSON API of a sandbox.
func NewAPI(service *sandbox.Sandbox) *API {
	api := &API{service: service, mux: http.NewServeMux()}
	for pattern, handler := range map[string]func(http.ResponseWriter, *http.Request) (any, error){
		"GET /lab/scenarios": func(http.ResponseWriter, *http.Request) (any, error) { return sandbox.Scenarios(), nil },
		"POST /lab/scenario": api.play,
		"GET /lab/faults":    func(http.ResponseWriter, *http.Request) (any, error) { return service.Faults(), nil },
		"PUT /lab/faults":    api.setFaults,
		"DELETE /lab/faults": func(http.ResponseWriter, *http.Request) (any, error) {
			service.SetFaults(sandbox.Faults{})
			return service.Faults(), nil
		},
		"GET /lab/orders":              api.orders,
		"GET /lab/orders/{order}":      api.order,
		"POST /lab/orders/{order}/act": api.act,
		"GET /lab/orders/{order}/faults": func(_ http.ResponseWriter, r *http.Request) (any, error) {
			order, err := service.Order(r.PathValue("order"))
			faults := service.Faults().Event
			return *cmp.Or(order.Faults, &faults), err
		},
		"PUT /lab/orders/{order}/faults": api.setOrderFaults,
		"DELETE /lab/orders/{order}/faults": func(_ http.ResponseWriter, r *http.Request) (any, error) {
			err := service.SetOrderFaults(r.PathValue("order"), nil)
			return service.Faults().Event, err
		},
		"GET /lab/deliveries":              api.deliveries,
		"POST /lab/deliveries/{id}/resend": api.resend,
		"/lab/":                            api.missing,
		"POST /lab/reset":                  func(http.ResponseWriter, *http.Request) (any, error) { return struct{}{}, service.Reset() },
	} {
		api.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			value, err := handler(w, r)
			if err != nil {
				sandbox.Reply(w, statusOf(err), gateway.EncodeMessage(err.Error()))
				return
			}
			reply(w, value)
		})
	}
	return api
}

// ServeHTTP serves the API.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.mux.ServeHTTP(w, r) }

// missing refuses a path or a method that no handler has.
func (a *API) missing(w http.ResponseWriter, r *http.Request) (any, error) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := a.mux.Handler(other); pattern != "/lab/" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) == 0 {
		return nil, errPath
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	return nil, fmt.Errorf("%w: %s", errMethod, w.Header().Get("Allow"))
}

func (a *API) play(w http.ResponseWriter, r *http.Request) (any, error) {
	asked, err := read[struct {
		Name string `json:"name"`
	}](w, r)
	if err != nil {
		return nil, err
	}
	return a.service.Play(asked.Name)
}

func (a *API) setFaults(w http.ResponseWriter, r *http.Request) (any, error) {
	faults, err := read[sandbox.Faults](w, r)
	if err == nil {
		a.service.SetFaults(faults)
	}
	return faults, err
}

func (a *API) setOrderFaults(w http.ResponseWriter, r *http.Request) (any, error) {
	faults, err := read[sandbox.EventFaults](w, r)
	if err == nil {
		err = a.service.SetOrderFaults(r.PathValue("order"), &faults)
	}
	return faults, err
}

// orderReply is an order with its link.
type orderReply struct {
	sandbox.Order
	CheckoutURL string `json:"checkout_url"`
}

func (a *API) orders(_ http.ResponseWriter, r *http.Request) (any, error) {
	limit, err := rows(r)
	found := []orderReply{}
	for _, order := range a.service.Orders() {
		wanted := !r.URL.Query().Has("reference") || order.Reference == r.URL.Query().Get("reference")
		if wanted && len(found) < limit {
			found = append(found, a.reply(r, order))
		}
	}
	return found, err
}

func (a *API) order(_ http.ResponseWriter, r *http.Request) (any, error) {
	order, err := a.service.Order(r.PathValue("order"))
	return a.reply(r, order), err
}

func (a *API) reply(r *http.Request, order sandbox.Order) orderReply {
	return orderReply{order, a.service.Config().BaseURL(r) + "/c/" + order.Link}
}

func (a *API) act(w http.ResponseWriter, r *http.Request) (any, error) {
	asked, err := read[struct {
		Outcome string `json:"outcome"`
	}](w, r)
	if err != nil {
		return nil, err
	}
	kind := payments.EventKind("payment." + asked.Outcome)
	if !slices.Contains(payments.EventKinds(), kind) {
		return nil, fmt.Errorf("%w: outcome may be: success, failed, canceled, expired", errRequest)
	}
	if err := a.service.Act(r.Context(), r.PathValue("order"), kind); err != nil {
		return nil, err
	}
	return a.order(w, r)
}

func (a *API) deliveries(_ http.ResponseWriter, r *http.Request) (any, error) {
	query := r.URL.Query()
	limit, err := rows(r)
	if err != nil {
		return nil, err
	}
	all := a.service.Deliveries()
	after, err := int64(0), error(nil)
	if query.Has("after") {
		after, err = strconv.ParseInt(query.Get("after"), 10, 64)
	} else if done := slices.IndexFunc(all, tried); query.Has("wait") && done >= 0 {
		after = all[done].ID
	}
	if err != nil {
		return nil, fmt.Errorf("%w: after must be the id of a delivery", errRequest)
	}
	if query.Has("wait") {
		wait, err := time.ParseDuration(query.Get("wait"))
		if err != nil || wait < 0 || wait > maxWait {
			return nil, fmt.Errorf(`%w: wait must be a length of time to "60s", as in "5s"`, errRequest)
		}
		ctx, cancel := context.WithTimeout(r.Context(), wait)
		defer cancel()
		a.service.Await(ctx, func() bool {
			all = a.service.Deliveries()
			return slices.ContainsFunc(all, func(d delivery.Delivery) bool { return d.ID > after && tried(d) })
		})
	}
	if query.Has("after") {
		all = slices.DeleteFunc(all, func(d delivery.Delivery) bool { return d.ID <= after })
	}
	return all[:min(len(all), limit)], nil
}

func tried(d delivery.Delivery) bool { return len(d.Tries) > 0 }

func (a *API) resend(_ http.ResponseWriter, r *http.Request) (any, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return nil, errDelivery
	}
	sent, known := a.service.Resend(id)
	if !known {
		return nil, errDelivery
	}
	return sent, nil
}

// read decodes the body of a request strictly, and checks it.
func read[T any](w http.ResponseWriter, r *http.Request) (value T, err error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return value, fmt.Errorf("%w: it did not arrive whole within 64 KiB", errRequest)
	}
	return decode[T](body)
}

func decode[T any](body []byte) (value T, err error) {
	err = json.Unmarshal(body, &value, delivery.JSON(), json.RejectUnknownMembers(true))
	if at, ok := errors.AsType[*json.SemanticError](err); ok {
		field := strings.ReplaceAll(strings.TrimPrefix(string(at.JSONPointer), "/"), "/", ".")
		err = fmt.Errorf("%s is not known, or of another type", field)
	}
	if err != nil {
		return value, fmt.Errorf("%w: %s", errRequest, payments.Clean(err.Error(), payments.MaxShownWidth))
	}
	if faults, ok := any(value).(interface{ Check() error }); ok {
		err = faults.Check()
	}
	return value, err
}

// rows returns how many rows a list shall have.
func rows(r *http.Request) (int, error) {
	if !r.URL.Query().Has("limit") {
		return defaultRows, nil
	}
	number, err := strconv.Atoi(r.URL.Query().Get("limit"))
	if err != nil || number < 1 || number > maxRows {
		return 0, fmt.Errorf("%w: limit must be a whole number from 1 to %d", errRequest, maxRows)
	}
	return number, nil
}

// statusOf maps an error to a status.
func statusOf(err error) int {
	switch {
	case errors.Is(err, sandbox.ErrNoSuchOrder), errors.Is(err, errDelivery), errors.Is(err, errPath):
		return http.StatusNotFound
	case errors.Is(err, errMethod):
		return http.StatusMethodNotAllowed
	case errors.Is(err, sandbox.ErrLinkOver):
		return http.StatusGone
	case errors.Is(err, sandbox.ErrBusy):
		return http.StatusTooManyRequests
	case errors.Is(err, sandbox.ErrSnapshot):
		return http.StatusInternalServerError
	}
	return http.StatusBadRequest
}

// reply answers with a value as JSON.
func reply(w http.ResponseWriter, value any) {
	body, err := json.Marshal(value, delivery.JSON())
	if err != nil {
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	}
	sandbox.Reply(w, http.StatusOK, append(Printable(body), '\n'))
}

// Printable writes what a terminal might obey or not show as JSON's escapes, for
// people read JSON in one.
func Printable(text []byte) []byte {
	var shown []byte
	for _, char := range string(text) {
		switch {
		case unicode.IsPrint(char), char == '\n':
			shown = utf8.AppendRune(shown, char)
		case char > 0xffff:
			high, low := utf16.EncodeRune(char)
			shown = fmt.Appendf(shown, `\u%04x\u%04x`, high, low)
		default:
			shown = fmt.Appendf(shown, `\u%04x`, char)
		}
	}
	return shown
}
