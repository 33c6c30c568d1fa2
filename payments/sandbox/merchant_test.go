package sandbox_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

// stranger is a merchant's program in Python that was written only from the specification.
type stranger struct {
	t     *testing.T
	sales io.Writer
	lines *bufio.Scanner // The program's output, one JSON object a line.
}

// newStranger starts the Python program and a sandbox that sends it events.
func newStranger(t *testing.T) (*stranger, *sandbox.Sandbox) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
	running := exec.CommandContext(ctx, program(t, "python3"), filepath.Join("testdata", "merchant", "merchant.py"), "http://"+server.Listener.Addr().String())
	running.Env = append(os.Environ(),
		"ACCESS_TOKEN="+token, "WEBHOOK_SECRET="+webhookSecret, "PYTHONDONTWRITEBYTECODE=1", "PYTHONIOENCODING=utf-8",
		"no_proxy=127.0.0.1", "NO_PROXY=127.0.0.1")
	running.Stderr = t.Output()
	sales, err := running.StdinPipe()
	must(t, err)
	out, err := running.StdoutPipe()
	must(t, err)
	must(t, running.Start())
	merchant := &stranger{t: t, sales: sales, lines: bufio.NewScanner(out)}
	t.Cleanup(func() {
		defer cancel()
		_ = sales.Close()
		if err := running.Wait(); err != nil {
			t.Errorf("the program ends with %v", err)
		}
	})
	webhook, _ := merchant.line()["listening"].(string)
	service := begin(t, func(config *sandbox.Config) { config.WebhookURL = webhook }, withRetry(sandbox.RetryNone))
	server.Config.Handler = handlerOf(service)
	server.Start()
	t.Cleanup(server.Close)
	return merchant, service
}

func (m *stranger) line() (line map[string]any) {
	m.t.Helper()
	if !m.lines.Scan() {
		m.t.Fatal("the program has ended")
	}
	if err := json.Unmarshal(m.lines.Bytes(), &line); err != nil {
		m.t.Fatalf("the line %q: %v", m.lines.Text(), err)
	}
	return line
}

// sell makes the program charge a sale, and returns the order reference.
func (m *stranger) sell(sale string) string {
	m.t.Helper()
	must(m.t, failure(io.WriteString(m.sales, sale+"\n")))
	made := m.line()
	name, _ := made["order_reference"].(string)
	link, _ := made["checkout_url"].(string)
	if !strings.HasPrefix(name, "REF_") || !strings.HasPrefix(link, "http://127.0.0.1:") || made["expires_in_minutes"] != 10.0 {
		m.t.Fatalf("the order is %v", made)
	}
	return name
}

// hears checks the fields in the next line of the program's output.
func (m *stranger) hears(want map[string]any) {
	m.t.Helper()
	got := m.line()
	for field, value := range want {
		if got[field] != value {
			m.t.Errorf("%s is %v, want %v, in %v", field, got[field], value, got)
		}
	}
}

func TestAMerchantProgramFromTheSpecificationWorks(t *testing.T) {
	merchant, service := newStranger(t)
	act := func(name string, kind payments.EventKind, faults sandbox.EventFaults) {
		t.Helper()
		service.SetFaults(sandbox.Faults{Event: faults})
		act(t, service, name, kind)
	}
	t.Run("it receives each of the four outcomes", func(t *testing.T) {
		for kind, want := range map[payments.EventKind]struct {
			status string
			reason any
		}{
			payments.PaymentSuccess:  {"success", nil},
			payments.PaymentFailed:   {"failed", "Solde insuffisant"},
			payments.PaymentCanceled: {"canceled", "Paiement annulé par le client"},
			payments.PaymentExpired:  {"expired", "Délai de paiement dépassé"},
		} {
			reference := "A-" + want.status
			name := merchant.sell(reference + " Vary:3500:2 Coca:2000:1")
			act(name, kind, sandbox.EventFaults{})
			merchant.hears(map[string]any{
				"event": string(kind), "order_reference": name, "reference": reference, "amount": 9000.0,
				"currency": "Ar", "description": "Order " + reference, "error": want.reason, "status": want.status, "new": true,
			})
		}
	})
	t.Run("a second delivery changes nothing", func(t *testing.T) {
		name := merchant.sell("B-1 Vary:3500:1")
		act(name, payments.PaymentSuccess, sandbox.EventFaults{Copies: 1})
		merchant.hears(map[string]any{"status": "success", "new": true})
		merchant.hears(map[string]any{"status": "success", "new": false})
	})
	t.Run("it refuses events with a wrong signature", func(t *testing.T) {
		name := merchant.sell("C-1 Vary:3500:1")
		for fault, want := range map[sandbox.Fault]map[string]any{
			sandbox.SignatureWrong:   {"rejected": 401.0, "reason": "Invalid signature"},
			sandbox.SignatureDoubled: {"rejected": 401.0, "reason": "Invalid signature"},
			sandbox.SignatureBody:    {"rejected": 401.0, "reason": "Invalid signature"},
			sandbox.SignatureMissing: {"rejected": 400.0, "reason": "Bad Request"},
		} {
			act(name, payments.PaymentFailed, sandbox.EventFaults{Signature: fault})
			merchant.hears(want)
		}
		act(name, payments.PaymentSuccess, sandbox.EventFaults{})
		merchant.hears(map[string]any{"order_reference": name, "status": "success", "new": true})
	})
	t.Run("it gets the error of a refused order", func(t *testing.T) {
		must(t, failure(io.WriteString(merchant.sales, "C-1 Vary:3500:1\nD-1 Vary:0:1 Coca:2000:1\n")))
		merchant.hears(map[string]any{"refused": "C-1", "status": 409.0, "message": "reference is already used by another order"})
		refused := merchant.line()
		if message, _ := refused["message"].(string); refused["status"] != 400.0 || !strings.Contains(message, "unit_price") {
			t.Errorf("the refusal is %v", refused)
		}
	})
}
