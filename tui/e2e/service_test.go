package e2e_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// A paymentService is the payment service as its interface specification
// describes it. It was written from that text alone and shares no code with the
// program it judges, so that a misreading on our side is not made twice. Where
// the specification says what a request looks like, the service accepts nothing
// else; its methods are for any goroutine.
type paymentService struct {
	t      testing.TB
	url    string
	answer answerer

	mu     sync.Mutex
	orders []wireOrder
	faults []string
	raw    bytes.Buffer
}

// An answerer answers an order call that the service has found sound.
type answerer func(w http.ResponseWriter, r *http.Request, order wireOrder)

// wireOrder is an order as it came over the wire.
type wireOrder struct {
	description, access, reference, currency string
	amount                                   int64
	items                                    []wireItem
	// orderReference is the service's own name for it, and number the place
	// among the service's orders, from 0.
	orderReference string
	number         int
}

type wireItem struct {
	label               string
	unitPrice, quantity int64
}

// serve starts a payment service that answers with answer.
func serve(t testing.TB, answer answerer) *paymentService {
	t.Helper()
	s := &paymentService{t: t, answer: answer}
	server := httptest.NewUnstartedServer(http.HandlerFunc(s.handle))
	server.Listener = tap{server.Listener, s}
	server.Start()
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// payAt answers with a link of ten minutes, of which page makes the address.
func payAt(page func(orderReference string) string) answerer { return payWithin(10, page) }

// payWithin answers with a link that can be paid for so many minutes.
func payWithin(minutes int, page func(orderReference string) string) answerer {
	return func(w http.ResponseWriter, _ *http.Request, order wireOrder) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"message": "Success",
			"data": map[string]any{
				"checkout_url": page(order.orderReference), "expires_in_minutes": minutes,
				"order_reference": order.orderReference,
			},
		})
	}
}

// somePage is the address of an ordinary hosted page.
func somePage(orderReference string) string { return "https://pay.example.test/c/" + orderReference }

func (s *paymentService) handle(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.fault("the body cannot be read: %v", err)
	}
	if r.Method != http.MethodPost || r.RequestURI != "/api/payement/service" {
		s.fault("the request is %s %s", r.Method, r.RequestURI)
	}
	order, err := readOrder(body)
	if err != nil {
		s.fault("%v in %s", err, body)
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if order.access != accessToken {
		s.fault("the access token is %q", order.access)
	}
	s.mu.Lock()
	order.number = len(s.orders)
	order.orderReference = fmt.Sprintf("REF_%06d", 700001+order.number)
	s.orders = append(s.orders, order)
	s.mu.Unlock()
	s.answer(w, r, order)
}

// fault notes how a request differs from the specification.
func (s *paymentService) fault(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, fmt.Sprintf(format, args...))
}

// received gives the orders that came until now, and fails the test when one
// request was not as the specification says.
func (s *paymentService) received() []wireOrder {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, fault := range s.faults {
		s.t.Errorf("O1 %s", fault)
	}
	return append([]wireOrder(nil), s.orders...)
}

// wire is every byte that was sent to the service, in requests' lines, headers
// and bodies.
func (s *paymentService) wire() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}

// readOrder reads the body of an order call, in which everything that the
// specification names must stand, and nothing else.
func readOrder(body []byte) (wireOrder, error) {
	var order wireOrder
	fields, err := object(body, "description", "access", "reference", "amount", "currency", "metadata")
	if err != nil {
		return order, err
	}
	var items []json.RawMessage
	if err := json.Unmarshal(fields["metadata"], &items); err != nil || len(items) == 0 {
		return order, fmt.Errorf("metadata is no array of items: %w", err)
	}
	var sum int64
	for _, raw := range items {
		item, err := readItem(raw)
		if err != nil {
			return order, err
		}
		order.items = append(order.items, item)
		sum += item.unitPrice * item.quantity
	}
	err = read(fields, map[string]any{
		"description": &order.description, "access": &order.access, "reference": &order.reference,
		"amount": &order.amount, "currency": &order.currency,
	})
	switch {
	case err != nil:
		return order, err
	case order.currency != "Ar":
		return order, fmt.Errorf("the currency is %q", order.currency)
	case order.amount != sum:
		return order, fmt.Errorf("the amount is %d and the items make %d", order.amount, sum)
	case !strings.HasPrefix(order.access, "TGP_"):
		return order, fmt.Errorf("the access token is %q", order.access)
	case order.reference == "" || order.description == "":
		return order, fmt.Errorf("the reference or the description is empty")
	}
	return order, nil
}

func readItem(raw []byte) (wireItem, error) {
	var item wireItem
	fields, err := object(raw, "label", "unit_price", "quantity")
	if err != nil {
		return item, err
	}
	return item, read(fields, map[string]any{
		"label": &item.label, "unit_price": &item.unitPrice, "quantity": &item.quantity,
	})
}

// object reads one JSON object that has exactly the fields names, each once.
// It knows JSON as the standard does: no comma after the last field.
func object(body []byte, names ...string) (map[string]json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	if opening, err := decoder.Token(); err != nil || opening != json.Delim('{') {
		return nil, fmt.Errorf("the value is no object: %v, %w", opening, err)
	}
	fields := map[string]json.RawMessage{}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		text, _ := name.(string)
		if _, twice := fields[text]; twice {
			return nil, fmt.Errorf("the field %q stands twice", text)
		}
		fields[text] = value
	}
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	if rest, _ := io.ReadAll(decoder.Buffered()); len(bytes.TrimSpace(rest)) > 0 {
		return nil, fmt.Errorf("%q follows the object", rest)
	}
	for _, name := range names {
		if _, there := fields[name]; !there {
			return nil, fmt.Errorf("the field %q is missing", name)
		}
	}
	if len(fields) != len(names) {
		return nil, fmt.Errorf("there are %d fields, not %d", len(fields), len(names))
	}
	return fields, nil
}

// read takes fields apart into strings and integers. An integer is written as
// one: 1500.0, 1.5e3 and "1500" are none.
func read(fields map[string]json.RawMessage, into map[string]any) error {
	for name, target := range into {
		if err := json.Unmarshal(fields[name], target); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if number, ok := target.(*int64); ok && string(fields[name]) != fmt.Sprint(*number) {
			return fmt.Errorf("%s is written %s", name, fields[name])
		}
	}
	return nil
}

// reply is what a merchant answers to an event.
type reply struct {
	code     int
	Received bool   `json:"received"`
	Status   string `json:"status"`
}

// tell sends the event kind of an order to the merchant's webhook, with the
// text why in the three that have one.
func (s *paymentService) tell(webhook, kind string, order wireOrder, why string) reply {
	s.t.Helper()
	data := map[string]any{
		"order_reference": order.orderReference, "reference": "PAY_" + order.orderReference[len("REF_"):],
		"amount": order.amount, "currency": "Ar", "description": order.description,
	}
	if why != "" {
		data["error"] = why
	}
	body, err := json.Marshal(map[string]any{"event": kind, "data": data})
	if err != nil {
		s.t.Error(err)
	}
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, webhook, bytes.NewReader(body))
	if err != nil {
		s.t.Error(err)
		return reply{}
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("x-svc-signature", seal(webhookSecret))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Errorf("the webhook does not answer: %v", err)
		return reply{}
	}
	defer func() { _ = response.Body.Close() }()
	answer := reply{code: response.StatusCode}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		s.t.Errorf("the reply %d is not the specification's: %v", answer.code, err)
	}
	return answer
}

// seal is the value of x-svc-signature: HMAC with SHA-256, keyed with the
// secret, over the secret's own text, in lower-case hexadecimal.
func seal(secret string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(secret))
	return hex.EncodeToString(mac.Sum(nil))
}

// A tap is a listener that keeps what its connections receive.
type tap struct {
	net.Listener
	service *paymentService
}

func (t tap) Accept() (net.Conn, error) {
	conn, err := t.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return tapped{conn, t.service}, nil
}

type tapped struct {
	net.Conn
	service *paymentService
}

func (t tapped) Read(p []byte) (int, error) {
	n, err := t.Conn.Read(p)
	t.service.mu.Lock()
	defer t.service.mu.Unlock()
	t.service.raw.Write(p[:n])
	return n, err
}
