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
	"net/http/httputil"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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
	Description string     `json:"description"`
	Access      string     `json:"access"`
	Reference   string     `json:"reference"`
	Amount      int64      `json:"amount"`
	Currency    string     `json:"currency"`
	Items       []wireItem `json:"metadata"`

	orderReference string // The service's own name for it.
}

type wireItem struct {
	Label     string `json:"label"`
	UnitPrice int64  `json:"unit_price"`
	Quantity  int64  `json:"quantity"`
}

// serve starts a payment service that answers with answer; when it is nil, with
// a link of ten minutes.
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

// payWithin answers with a link that can be paid for so many minutes, of which
// page makes the address.
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

// somePage is the address of an ordinary hosted page.
func somePage(orderReference string) string { return "https://pay.example.test/c/" + orderReference }

// page is the address of a hosted page, exactly as many bytes long.
func page(bytes int) answerer {
	return payWithin(10, func(string) string { return pageOf(bytes) })
}

func pageOf(bytes int) string {
	const start = "https://pay.example.test/"
	return start + strings.Repeat("c7f3kq2aa9", bytes/10)[:bytes-len(start)]
}

func (s *paymentService) handle(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead {
		return // A visit, to see whether anybody is there.
	}
	whole, err := httputil.DumpRequest(r, true)
	body, failed := io.ReadAll(r.Body)
	order, unsound := readOrder(body)
	if r.Method != http.MethodPost || r.RequestURI != "/api/payement/service" {
		unsound = errors.Join(unsound, fmt.Errorf("the request is %s %s", r.Method, r.RequestURI))
	}
	s.mu.Lock()
	s.raw.Write(whole)
	if err := errors.Join(err, failed, unsound); err != nil {
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

// received gives the orders that came until now, and fails the test when one
// request was not as the specification says.
func (s *paymentService) received() []wireOrder {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, fault := range s.faults {
		s.t.Errorf("O1 %s", fault)
	}
	return slices.Clone(s.orders)
}

// last gives the order that came last.
func (s *paymentService) last() wireOrder {
	s.t.Helper()
	all := s.received()
	return all[len(all)-1]
}

// wire is what was sent to the service, in requests' lines, headers and bodies.
func (s *paymentService) wire() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}

// readOrder reads the body of an order call, in which everything that the
// specification names must stand once, and nothing else. An integer is written as
// one: 1500.0, 1.5e3 and "1500" are none.
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

// reply is what a merchant answers to an event.
type reply struct {
	code     int
	Received bool   `json:"received"`
	Status   string `json:"status"`
}

// tell sends the event kind of an order to the shop's webhook, with the text why
// in the three that have one.
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

// pay tells the success of an order.
func (s *shop) pay(order wireOrder) {
	s.t.Helper()
	if got := s.tell("success", order, ""); got != (reply{http.StatusOK, true, "success"}) {
		s.t.Errorf("W1 a success is answered %+v", got)
	}
}

// post posts a body to the shop's webhook, signed as a header says, and returns
// the reply; 0 without one.
func (s *shop) post(client *http.Client, body []byte, signature string) (code int, text string) {
	request, err := http.NewRequest(http.MethodPost, "http://"+s.listen+"/webhook", bytes.NewReader(body))
	if err != nil {
		return 0, ""
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("x-svc-signature", signature)
	response, err := client.Do(request)
	if err != nil {
		return 0, ""
	}
	defer func() { _ = response.Body.Close() }()
	read, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, ""
	}
	return response.StatusCode, string(read)
}

// seal is the value of x-svc-signature: HMAC with SHA-256, keyed with the
// secret, over the secret's own text, in lower-case hexadecimal.
func seal(secret string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(secret))
	return hex.EncodeToString(mac.Sum(nil))
}
