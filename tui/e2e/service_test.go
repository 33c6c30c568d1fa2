package e2e_test

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A paymentService acts as the payment service that the interface specification describes. It was
// written from the specification only and shares no code with the program, so the two do not share
// a mistake. It accepts only requests that follow the specification. Its methods can be called from
// any goroutine.
type paymentService struct {
	t      testing.TB
	url    string
	answer answerer

	mu     sync.Mutex
	orders []wireOrder
	faults []string
}

// An answerer answers an order call that follows the specification.
type answerer func(w http.ResponseWriter, r *http.Request, order wireOrder)

// wireOrder is an order as the payment service received it.
type wireOrder struct {
	Description string     `json:"description"`
	Access      string     `json:"access"`
	Reference   string     `json:"reference"`
	Amount      int64      `json:"amount"`
	Currency    string     `json:"currency"`
	Items       []wireItem `json:"metadata"`

	orderReference string // The reference that the payment service gave the order.
}

type wireItem struct {
	Label     string `json:"label"`
	UnitPrice int64  `json:"unit_price"`
	Quantity  int64  `json:"quantity"`
}

// serve starts a payment service. If answer is nil, the service answers with a link that is valid
// for ten minutes.
func serve(t testing.TB, answer answerer) *paymentService {
	t.Helper()
	s := &paymentService{t: t, answer: answer}
	if answer == nil {
		s.answer = payWithin(10, somePage)
	}
	server := httptest.NewServer(http.HandlerFunc(s.handle))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// payWithin returns an answerer that sends a link. The link expires after the given minutes; the
// function page returns its address.
func payWithin(minutes int, page func(orderReference string) string) answerer {
	return func(w http.ResponseWriter, _ *http.Request, order wireOrder) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.MarshalWrite(w, map[string]any{
			"message": "Success",
			"data": map[string]any{
				"checkout_url": page(order.orderReference), "expires_in_minutes": minutes,
				"order_reference": order.orderReference,
			},
		})
	}
}

// somePage returns the address of a hosted page of ordinary length.
func somePage(orderReference string) string { return "https://pay.example.test/c/" + orderReference }

// page returns an answerer that sends a link. The link's address has exactly the given number of
// bytes.
func page(bytes int) answerer {
	return payWithin(10, func(string) string { return pageOf(bytes) })
}

func pageOf(bytes int) string {
	const start = "https://pay.example.test/"
	return start + strings.Repeat("c7f3kq2aa9", bytes/10)[:bytes-len(start)]
}

func (s *paymentService) handle(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead {
		return // This is a connection test of the doctor or of the console.
	}
	body, failed := io.ReadAll(r.Body)
	order, unsound := readOrder(body)
	if r.Method != http.MethodPost || r.RequestURI != "/api/payement/service" {
		unsound = errors.Join(unsound, fmt.Errorf("the request is %s %s", r.Method, r.RequestURI))
	}
	s.mu.Lock()
	if err := errors.Join(failed, unsound); err != nil {
		s.faults = append(s.faults, fmt.Sprintf("%v in %s", err, body))
		s.mu.Unlock()
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	order.orderReference = fmt.Sprintf("REF_%06d", 700001+len(s.orders))
	s.orders = append(s.orders, order)
	s.mu.Unlock()
	s.answer(w, r, order)
}

// received returns the orders received so far. It fails the test if a request did not follow the
// specification.
func (s *paymentService) received() []wireOrder {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, fault := range s.faults {
		s.t.Errorf("%s", fault)
	}
	return slices.Clone(s.orders)
}

func (s *paymentService) last() wireOrder {
	s.t.Helper()
	all := s.received()
	return all[len(all)-1]
}

// readOrder parses the body of an order call. The body must contain every field of the
// specification once, and no other field. The amount must be written as an integer: 1500.0, 1.5e3
// and "1500" are refused.
func readOrder(body []byte) (order wireOrder, err error) {
	if err := json.Unmarshal(body, &order, json.RejectUnknownMembers(true)); err != nil {
		return order, err
	}
	var fields map[string]jsontext.Value
	var items []map[string]jsontext.Value
	if err := cmp.Or(json.Unmarshal(body, &fields), json.Unmarshal(fields["metadata"], &items)); err != nil {
		return order, err
	}
	whole, sum := len(fields) == 6 && len(items) > 0, int64(0)
	for n, item := range order.Items {
		whole = whole && len(items[n]) == 3
		sum += item.UnitPrice * item.Quantity
	}
	if !whole || order.Currency != "Ar" || order.Amount != sum || order.Access != accessToken || order.Reference == "" || order.Description == "" {
		return order, errors.New("something is missing or wrong")
	}
	return order, nil
}

// reply is a merchant's answer to an event.
type reply struct {
	code     int
	Received bool   `json:"received"`
	Status   string `json:"status"`
}

// tell sends an event of an order to the shop's webhook. why is the reason; only three kinds of
// events contain it.
func (s *shop) tell(kind string, order wireOrder, why string) reply {
	s.t.Helper()
	data := map[string]any{
		"order_reference": order.orderReference, "reference": "PAY_" + order.orderReference[len("REF_"):],
		"amount": order.Amount, "currency": "Ar", "description": order.Description,
	}
	if why != "" {
		data["error"] = why
	}
	body, err := json.Marshal(map[string]any{"event": "payment." + kind, "data": data})
	if err != nil {
		s.t.Error(err)
	}
	code, text := s.post(http.DefaultClient, body, seal(webhookSecret))
	answer := reply{code: code}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		s.t.Errorf("the reply %d %s is not the specification's: %v", answer.code, text, err)
	}
	return answer
}

// pay sends the success event of an order, and fails the test unless the shop accepts the event.
func (s *shop) pay(order wireOrder) {
	s.t.Helper()
	if got := s.tell("success", order, ""); got != (reply{http.StatusOK, true, "success"}) {
		s.t.Errorf("a success is answered %+v", got)
	}
}

// post sends a body with a signature to the shop's webhook, and returns the reply. If there is no
// reply, code is 0.
func (s *shop) post(client *http.Client, body []byte, signature string) (code int, text string) {
	return post(client, cmp.Or(s.webhook, "http://"+s.listen+"/webhook"), body, "Content-Type", "application/json", "x-svc-signature", signature)
}

// post sends a body to an address and returns the reply. headers contains the name of a header, its
// value, the next name and so on. If there is no reply, code is 0.
func post(client *http.Client, address string, body []byte, headers ...string) (code int, text string) {
	request, err := http.NewRequest(http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0, ""
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	code, _, text = ask(client, request)
	return code, text
}

// get returns the reply to a GET request. If there is no reply, code is 0.
func get(address string) (code int, header http.Header, text string) {
	request, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return 0, nil, ""
	}
	return ask(http.DefaultClient, request)
}

func ask(client *http.Client, request *http.Request) (code int, header http.Header, text string) {
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, ""
	}
	defer func() { _ = response.Body.Close() }()
	read, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, nil, ""
	}
	return response.StatusCode, response.Header, string(read)
}

// seal returns the value of x-svc-signature: HMAC-SHA-256 in lower-case hexadecimal digits. The
// secret is both key and message.
func seal(secret string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(secret))
	return hex.EncodeToString(mac.Sum(nil))
}
