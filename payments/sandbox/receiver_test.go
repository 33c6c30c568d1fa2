package sandbox_test

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/secret"
)

// brandHeader is another name for the signature header: the real service's header may contain a
// brand, too.
const brandHeader = "X-Brand-Signature"

// receiver is an example program of the integrator's guide, and a sandbox that sends it events.
type receiver struct {
	*sandbox.Sandbox
	t               *testing.T
	folder, address string
}

// startReceiver copies a program into a new folder and runs commands there. The last command
// is the receiver; those before build it. {folder} is replaced by the folder, and {address}
// by the address to listen at.
func startReceiver(t *testing.T, file string, commands ...string) *receiver {
	t.Helper()
	// The port must be lower than the ports of outgoing connections.
	r := &receiver{t: t, folder: t.TempDir(), address: fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(20_000))}
	source, err := os.ReadFile(filepath.Join("../../assets/docs/receivers", file))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(r.folder, strings.TrimSuffix(file, ".txt")), source, 0o600))
	var running *exec.Cmd
	for i, command := range commands {
		words := strings.Fields(strings.NewReplacer("{folder}", r.folder, "{address}", r.address).Replace(command))
		running = exec.Command(program(t, words[0]), words[1:]...)
		running.Dir, running.Stdout, running.Stderr = r.folder, t.Output(), t.Output()
		if i < len(commands)-1 {
			must(t, running.Run())
		}
	}
	running.Env = append(os.Environ(),
		"PORT="+r.address[strings.LastIndex(r.address, ":")+1:], "WEBHOOK_SECRET="+webhookSecret, "SIGNATURE_HEADER="+brandHeader)
	must(t, running.Start())
	t.Cleanup(func() {
		_ = running.Process.Kill()
		_ = running.Wait() // Ignore the error: the program was killed.
	})
	for deadline := time.After(20 * time.Second); ; {
		connection, err := net.Dial("tcp", r.address)
		if err == nil {
			_ = connection.Close()
			break
		}
		select {
		case <-deadline:
			t.Fatal(err)
		case <-time.After(20 * time.Millisecond):
		}
	}
	return r
}

// answers checks the last HTTP status of each delivery with an ID above the parameter after.
func (r *receiver) answers(after int64, want ...int) {
	r.t.Helper()
	var got []int
	r.Await(r.t.Context(), func() bool {
		got = nil
		for _, sent := range slices.Backward(r.Deliveries()) {
			if sent.ID > after && sent.Done() {
				got = append(got, sent.Tries[len(sent.Tries)-1].Status)
			}
		}
		return len(got) == len(want)
	})
	if !slices.Equal(got, want) {
		r.t.Errorf("it answers %d, want %d", got, want)
	}
}

// send causes an outcome of an order and checks the HTTP statuses of the deliveries.
func (r *receiver) send(order string, kind payments.EventKind, faults sandbox.EventFaults, want ...int) {
	r.t.Helper()
	before := int64(len(r.Deliveries()))
	r.SetFaults(sandbox.Faults{Event: faults})
	act(r.t, r.Sandbox, order, kind)
	r.answers(before, want...)
}

// post sends a signed body to the receiver and checks the HTTP status of the answer.
func (r *receiver) post(body string, want int) {
	r.t.Helper()
	request, err := http.NewRequestWithContext(r.t.Context(), http.MethodPost, "http://"+r.address+"/webhook", strings.NewReader(body))
	must(r.t, err)
	request.Header.Set(brandHeader, gateway.Sign(gateway.Static, secret.New(webhookSecret), nil))
	response, err := http.DefaultClient.Do(request)
	must(r.t, err)
	_ = response.Body.Close()
	if response.StatusCode != want {
		r.t.Errorf("%q is answered with %d, want %d", body, response.StatusCode, want)
	}
}

func TestTheGuidesReceiversBookAPaymentOnce(t *testing.T) {
	for file, commands := range map[string][]string{
		"receiver.mjs":    {"node receiver.mjs"},
		"receiver.php":    {"php -d display_errors=1 -S {address} receiver.php"}, // display_errors is on by default in PHP.
		"receiver.py":     {"python3 receiver.py"},
		"receiver.go.txt": {"go build -o {folder}/receiver.exe receiver.go", "{folder}/receiver.exe"},
	} {
		t.Run(file, func(t *testing.T) {
			r := startReceiver(t, file, commands...)
			r.Sandbox = begin(t, func(config *sandbox.Config) {
				config.WebhookURL, config.SignatureHeader = "http://"+r.address+"/webhook", brandHeader
			}, withRetry(sandbox.RetryNone))
			journal, names := filepath.Join(r.folder, "events.txt"), [4]string{}
			var known strings.Builder
			for i := range names {
				_, names[i] = localOrder(t, r.Sandbox, fmt.Sprint("A-", i))
				if i > 0 {
					fmt.Fprintf(&known, "%s 9000\n", names[i])
				}
			}
			must(t, os.WriteFile(filepath.Join(r.folder, "orders.txt"), []byte(known.String()), 0o600))
			r.send(names[0], payments.PaymentFailed, sandbox.EventFaults{}, 404)
			r.send(names[1], payments.PaymentFailed, sandbox.EventFaults{Signature: sandbox.SignatureWrong}, 401)
			r.send(names[1], payments.PaymentFailed, sandbox.EventFaults{Signature: sandbox.SignatureBody}, 401)
			r.send(names[1], payments.PaymentFailed, sandbox.EventFaults{Signature: sandbox.SignatureMissing}, 400)
			r.send(names[1], payments.PaymentFailed, sandbox.EventFaults{Padding: 64 << 10}, 413)
			for _, body := range []string{"", "{", "[]", "null", `{"event": "payment.success"}`, `{"event": "payment.success", "data": {}}`} {
				r.post(body, 400)
			}
			if text, _ := os.ReadFile(journal); len(text) > 0 {
				t.Errorf("refused events are stored: %s", text)
			}
			r.send(names[2], payments.PaymentSuccess, sandbox.EventFaults{AmountOff: -500}, 200)
			r.send(names[1], payments.PaymentFailed, sandbox.EventFaults{}, 200)
			before := int64(len(r.Deliveries()))
			r.send(names[1], payments.PaymentSuccess, sandbox.EventFaults{Copies: 1}, 200, 200)
			must(t, failure(r.Resend(before+1)))
			r.answers(before, 200, 200)
			text, err := os.ReadFile(journal)
			if err != nil || strings.Count(string(text), " PAID ") != 1 || !strings.Contains(string(text), "\n"+names[1]+" success PAID ") ||
				strings.Count(string(text), "\n") != 3 {
				t.Errorf("%v, stored %s", err, text)
			}
			must(t, os.Remove(journal))
			must(t, os.Mkdir(journal, 0o700))
			r.send(names[3], payments.PaymentSuccess, sandbox.EventFaults{}, 500)
		})
	}
}
