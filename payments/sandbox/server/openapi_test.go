package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/server"
	"checkout/till/payments/secret"
)

// Names that the sandbox of these tests uses instead of those of the specification.
const orderPath, header = "/api/orders", "X-Brand-Signature"

// content maps a media type to a body's schema.
type content map[string]any

// operation is an operation of the OpenAPI file.
type operation struct {
	Parameters  []struct{ Name string }
	RequestBody struct{ Content content }
	Responses   map[string]struct {
		Ref     string `json:"$ref"`
		Content content
	}
}

// described is a sandbox with the OpenAPI file that it serves.
type described struct {
	t        *testing.T
	compiler *jsonschema.Compiler
	site     string
	used     map[string]bool // The operations that have succeeded at least once.

	Paths, Webhooks map[string]map[string]json.RawMessage
	Components      struct {
		Responses map[string]struct{ Content content }
		Schemas   map[string]struct{ Enum []string }
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, site string) *described {
	t.Helper()
	d := &described{t: t, compiler: jsonschema.NewCompiler(), site: site, used: make(map[string]bool)}
	var document any
	must(t, yaml.Unmarshal(d.do(http.MethodGet, "/openapi.yaml", "").text, &document))
	text, err := json.Marshal(document)
	if err != nil || bytes.Contains(text, []byte(":null")) { // A comma in an unquoted YAML text would make a null.
		t.Fatalf("a key has no value in %s: %v", text, err)
	}
	must(t, json.Unmarshal(text, d))
	document, err = jsonschema.UnmarshalJSON(bytes.NewReader(text))
	must(t, err)
	d.compiler.AssertFormat()
	must(t, d.compiler.AddResource("till:openapi", document))
	return d
}

func (d *described) operation(from map[string]map[string]json.RawMessage, path, method string) (found operation) {
	d.t.Helper()
	if err := json.Unmarshal(from[path][strings.ToLower(method)], &found); err != nil {
		d.t.Fatalf("the file has no %s %s: %v", method, path, err)
	}
	return found
}

// valid checks a JSON text against the schema at a place in the OpenAPI file.
func (d *described) valid(text []byte, place ...string) {
	d.t.Helper()
	for i := range place {
		place[i] = strings.ReplaceAll(place[i], "/", "~1")
	}
	schema, err := d.compiler.Compile("till:openapi#/" + strings.NewReplacer("{", "%7B", "}", "%7D").Replace(strings.Join(place, "/")))
	must(d.t, err)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err == nil {
		err = schema.Validate(value)
	}
	if err != nil {
		d.t.Errorf("%s: %v", text, err)
	}
}

type answer struct {
	status int
	kind   string // The media type.
	text   []byte
}

// do makes a request. If the body begins with outcome=, it is sent as a form.
func (d *described) do(method, target, body string) answer {
	d.t.Helper()
	request, err := http.NewRequestWithContext(d.t.Context(), method, d.site+target, strings.NewReader(body))
	must(d.t, err)
	if strings.HasPrefix(body, "outcome=") {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	must(d.t, err)
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	must(d.t, err)
	kind, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";")
	return answer{response.StatusCode, kind, text}
}

// ask makes a request to target, which is path with its parameters replaced. It checks that the
// request and the answer match the OpenAPI file.
func (d *described) ask(want int, method, path, target, body string) []byte {
	d.t.Helper()
	asked, got := d.operation(d.Paths, path, method), d.do(method, target, body)
	if got.status != want {
		d.t.Fatalf("%s %s answers %d %s, want %d", method, target, got.status, got.text, want)
	}
	place := []string{"paths", path, strings.ToLower(method), "responses"}
	for _, status := range []string{fmt.Sprint(want), fmt.Sprint(want/100) + "XX", "default"} {
		response, stated := asked.Responses[status]
		if !stated {
			continue
		}
		place = append(place, status)
		if name, referred := strings.CutPrefix(response.Ref, "#/components/responses/"); referred {
			place, response.Content = []string{"components", "responses", name}, d.Components.Responses[name].Content
		}
		if _, stated := response.Content[got.kind]; !stated && len(response.Content) > 0 {
			d.t.Errorf("%s %s answers with %s", method, target, got.kind)
		}
		if got.kind == "application/json" {
			d.valid(got.text, append(place, "content", got.kind, "schema")...)
		}
		if want < http.StatusBadRequest {
			d.used[method+" "+path] = true
			if _, ok := asked.RequestBody.Content["application/json"]; ok {
				d.valid([]byte(body), "paths", path, strings.ToLower(method), "requestBody", "content", "application/json", "schema")
			}
		}
		return got.text
	}
	d.t.Errorf("the file has no status %d for %s %s", want, method, path)
	return got.text
}

// started runs a sandbox on an HTTP server and returns its URL and its merchant's events.
func started(t *testing.T) (site string, events chan string) {
	t.Helper()
	events = make(chan string, 100)
	merchant := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || len(r.Header.Get(header)) != 64 {
			t.Errorf("%v, signed %q", err, r.Header.Get(header))
		}
		events <- string(body)
	}))
	t.Cleanup(merchant.Close)
	service, err := sandbox.New(sandbox.Config{
		Token: secret.New("TGP_test_not_a_real_token"), WebhookSecret: secret.New("whsec_demo_0123456789abcdef"),
		OrderPath: orderPath, SignatureHeader: header, WebhookURL: merchant.URL,
	})
	must(t, err)
	var running sync.WaitGroup
	running.Go(func() { _ = service.Run(t.Context()) }) // It returns nil.
	t.Cleanup(running.Wait)
	listener := httptest.NewServer(server.New(service))
	t.Cleanup(listener.Close)
	return listener.URL, events
}

func TestTheSandboxMatchesItsOpenAPIFile(t *testing.T) {
	site, events := started(t)
	d := read(t, site)
	order := func(reference string) string {
		t.Helper()
		var reply struct {
			Data struct {
				OrderReference string `json:"order_reference"`
			}
		}
		text := d.ask(200, "POST", orderPath, orderPath, `{"description": "Vary", "access": "TGP_test_not_a_real_token",
			"reference": "`+reference+`", "amount": 7000, "currency": "Ar", "table": 4,
			"metadata": [{"label": "Vary", "unit_price": 3500, "quantity": 2, "sku": "V1"}]}`)
		must(t, json.Unmarshal(text, &reply))
		return "/lab/orders/" + reply.Data.OrderReference
	}
	d.ask(200, "GET", "/healthz", "/healthz", "")
	d.ask(400, "POST", orderPath, orderPath, `{}`)

	var link struct {
		URL string `json:"checkout_url"`
	}
	must(t, json.Unmarshal(d.ask(200, "GET", "/lab/orders/{order}", order("A-1"), ""), &link))
	page := strings.TrimPrefix(link.URL, site)
	d.ask(200, "GET", "/c/{link}", page, "")
	d.ask(303, "POST", "/c/{link}", page, "outcome=failed")
	d.ask(303, "POST", "/c/{link}", page, "outcome=success")
	d.ask(410, "POST", "/c/{link}", page, "outcome=success")
	d.ask(404, "GET", "/c/{link}", "/c/none", "")

	for _, outcome := range []string{"canceled", "expired"} {
		d.ask(200, "POST", "/lab/orders/{order}/act", order(outcome)+"/act", `{"outcome": "`+outcome+`"}`)
	}
	kinds := make(map[string]bool)
	for range 4 {
		var event struct{ Event string }
		select {
		case text := <-events:
			d.valid([]byte(text), "webhooks", "event", "post", "requestBody", "content", "application/json", "schema")
			must(t, json.Unmarshal([]byte(text), &event))
		case <-time.After(20 * time.Second):
			t.Fatal("no event came")
		}
		kinds[event.Event] = true
	}
	if len(kinds) != len(payments.EventKinds()) {
		t.Errorf("the events are %v", kinds)
	}
	if named := d.operation(d.Webhooks, "event", "post").Parameters; len(named) != 1 || named[0].Name != header {
		t.Errorf("the header is called %v", named)
	}

	d.ask(200, "GET", "/lab/scenarios", "/lab/scenarios", "")
	d.ask(200, "POST", "/lab/scenario", "/lab/scenario", `{"name": "break", "times": 5, "reference": "X"}`)
	d.ask(200, "POST", "/lab/scenario", "/lab/scenario", `{"name": "break"}`)
	d.ask(200, "GET", "/lab/faults", "/lab/faults", "")
	d.ask(500, "POST", orderPath, orderPath, `{}`)
	d.ask(200, "GET", "/lab/calls", "/lab/calls", "")
	const event = `{"drop": true, "delay": "1m30s", "copies": 10, "reorder": true, "then": "payment.expired", "signature": "doubled",
		"amount_off": -500, "currency": "MGA", "shape": "curency", "reason": "x", "padding": 1, "slow": "0s", "lost": true, "tries": 1}`
	const all = `{"call": {"break": true, "refuse": "x", "event_first": "payment.failed", "slow": "1h0m0s", "cut": true,
		"break_after": true, "reply": "html", "checkout_url": "x", "times": 2}, "event": ` + event + `}`
	d.ask(200, "PUT", "/lab/faults", "/lab/faults", all)
	d.ask(200, "POST", "/lab/faults", "/lab/faults", `{}`)
	d.ask(400, "PUT", "/lab/faults", "/lab/faults", `{"event": {"dorp": true}}`)
	late := order("A-2")
	d.ask(200, "PUT", "/lab/orders/{order}/faults", late+"/faults", event)
	d.ask(200, "POST", "/lab/orders/{order}/act", late+"/act", `{"outcome": "failed"}`)
	d.ask(200, "GET", "/lab/orders", "/lab/orders?reference=A-2", "")
	d.ask(200, "GET", "/lab/deliveries", "/lab/deliveries?wait=0s&after=0&event=payment.failed", "")
	d.ask(400, "GET", "/lab/deliveries", "/lab/deliveries?wait=5", "")
	d.ask(200, "POST", "/lab/orders/{order}/resend", "/lab/orders/A-2/resend", "")
	d.ask(200, "POST", "/lab/deliveries/{id}/resend", "/lab/deliveries/1/resend", "")
	d.ask(404, "POST", "/lab/deliveries/{id}/resend", "/lab/deliveries/99/resend", "")
	d.ask(200, "POST", "/lab/reset", "/lab/reset", "")

	for path, operations := range d.Paths {
		for _, method := range []string{"GET", "POST", "PUT", "DELETE", "PATCH"} {
			_, stated := operations[strings.ToLower(method)]
			if stated && !d.used[method+" "+path] {
				t.Errorf("no success of %s %s was seen", method, path)
			}
			if !stated && path != "/healthz" && d.do(method, path, "").status != http.StatusMethodNotAllowed {
				t.Errorf("the sandbox serves a %s %s that the file does not have", method, path)
			}
		}
	}
}

func TestTheOpenAPIFileNamesEveryScenario(t *testing.T) {
	site, _ := started(t)
	var names []string
	for _, scenario := range sandbox.Scenarios() {
		names = append(names, scenario.Name)
	}
	if got := read(t, site).Components.Schemas["ScenarioName"].Enum; !slices.Equal(got, names) {
		t.Errorf("it has %v, want %v", got, names)
	}
}

// Every enum and constant must have a type, because a generator of types needs it.
func TestEveryEnumOfTheOpenAPIFileHasAType(t *testing.T) {
	file, err := os.ReadFile("openapi.yaml")
	must(t, err)
	enums := regexp.MustCompile(`\{[^{}]*\b(enum|const): [^{}]*`).FindAllString(string(file), -1)
	if len(enums) < strings.Count(string(file), "enum: ") {
		t.Error("an enum is not within braces, where this test looks for it")
	}
	for _, enum := range enums {
		if !strings.Contains(enum, "type: ") {
			t.Errorf("%s has no type", enum)
		}
	}
}

// An http.ServeMux does not list its paths, so the test finds them in the source.
func TestEveryPathOfTheSandboxIsInItsOpenAPIFile(t *testing.T) {
	site, _ := started(t)
	d, found := read(t, site), make(map[string]bool)
	pattern := regexp.MustCompile(`"([A-Z]+) (/lab/[^"? ]+)[^" ]*":|path == "(/[a-z.]+)"`)
	files, err := filepath.Glob("../*/*.go")
	must(t, err)
	for _, file := range files {
		source, err := os.ReadFile(file)
		must(t, err)
		for _, match := range pattern.FindAllStringSubmatch(string(source), -1) {
			method, path := match[1], match[2]+match[3]
			found[path] = true
			if _, stated := d.Paths[path][strings.ToLower(method)]; method != "" && !stated || d.Paths[path] == nil && path != "/openapi.yaml" {
				t.Errorf("%s has a %s %s that the file does not have", file, method, path)
			}
		}
	} // The file also contains the order call and the payment page, but not /openapi.yaml.
	if len(found) != len(d.Paths)-1 {
		t.Errorf("the source has %d paths, and the file %d", len(found), len(d.Paths))
	}
}
