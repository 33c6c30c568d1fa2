package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/webhook"
	"checkout/till/storage"
	"checkout/till/tui"
	"checkout/till/tui/cli"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest/counter"
)

// theatre is the demo without a terminal and without a network: the console,
// the listener and the sandbox, on the clock of a synctest bubble.
type theatre struct {
	t       *testing.T
	service *payments.Service
	box     *sandbox.Sandbox
	keys    *io.PipeWriter // The person's.
	played  chan struct{}  // Closed when the player is done.
	log     *bytes.Buffer
}

// Create makes an order call of the sandbox.
func (h *theatre) Create(ctx context.Context, order payments.Order) (payments.Created, error) {
	body := gateway.EncodeOrder(gateway.NewOrderRequest(order, payments.NewSecret(token)))
	request := httptest.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1"+gateway.DefaultOrderPath, bytes.NewReader(body))
	answer := httptest.NewRecorder()
	h.box.ServeHTTP(answer, request)
	if answer.Code != http.StatusOK {
		return payments.Created{}, &payments.Refusal{Message: answer.Body.String()}
	}
	return gateway.DecodeReply(answer.Body.Bytes(), gateway.LinkPolicy{Local: netip.Addr.IsLoopback})
}

// wire carries the sandbox's events to the listener.
type wire struct{ handler http.Handler }

func (w wire) RoundTrip(request *http.Request) (*http.Response, error) {
	answer := httptest.NewRecorder()
	w.handler.ServeHTTP(answer, request)
	return answer.Result(), nil
}

// open opens the demo with a script that plays. It is closed when the test ends.
func (h *theatre) open(name string, loop bool, pace float64) {
	t := h.t
	store, err := storage.Open(t.Context(), filepath.Join(t.TempDir(), "demo.db"))
	must(t, err)
	h.service = payments.New(store, h, time.Now)
	_, err = h.service.SaveArticles(t.Context(), cli.Articles())
	must(t, err)
	verifier, err := gateway.NewVerifier(gateway.Static, payments.NewSecret(secret))
	must(t, err)
	listener := webhook.NewHandler(h.service, webhook.Config{
		Path: "/webhook", SignatureHeader: "x-svc-signature", Verifier: verifier, Now: time.Now,
	})
	h.box, err = sandbox.New(sandbox.Config{
		Token: payments.NewSecret(token), WebhookSecret: payments.NewSecret(secret), WebhookURL: "http://127.0.0.1:8788/webhook",
	}, sandbox.WithTransport(wire{listener}))
	must(t, err)
	h.log, h.played = new(bytes.Buffer), make(chan struct{})
	player := cli.Play(name, loop, pace, "T1", h.service, h.box, slog.New(slog.NewTextHandler(h.log, nil)))
	input, keys := io.Pipe()
	h.keys = keys
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var running sync.WaitGroup
	running.Go(func() { must(t, h.box.Run(ctx)) })
	running.Go(func() {
		defer stop()
		must(t, tui.Run(ctx, tui.Config{
			Service: h.service, Place: tui.Place{Till: "T1", Shop: "Tantely"}, Texts: counter.Texts(t, "en"), Theme: theme.Plain(),
			Health: func() tui.Health { return tui.Health{Listening: true} },
			Zone:   time.UTC, Input: input, Output: io.Discard,
			Demo: tui.Demo{Customer: h.box.Act, Player: func(ctx context.Context, press tui.Press) {
				defer close(h.played)
				player(ctx, press)
			}},
		}))
	})
	t.Cleanup(func() {
		stop()
		_ = keys.Close()
		running.Wait()
		must(t, store.Close())
		time.Sleep(2 * time.Second) // Until Bubble Tea's last timers have gone off, in the bubble's time.
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

// outcome is an order as a script leaves it, in a line.
func (h *theatre) outcome(order payments.Order) string {
	h.t.Helper()
	order, records, err := h.service.Order(h.t.Context(), order.Reference)
	must(h.t, err)
	line := fmt.Sprint(order.Verdict(payments.Conditions{}, h.service.Now()), " ", int64(order.Amount))
	for _, attention := range order.Facts.Attention {
		line += " " + string(attention)
	}
	for _, record := range records {
		line += fmt.Sprint(" ", strings.TrimPrefix(string(record.Event.Kind), "payment."), "×", record.Count)
	}
	if !order.Facts.Acknowledged {
		line += " unseen"
	}
	return line
}

// outcomes are all orders, the first first.
func (h *theatre) outcomes() []string {
	h.t.Helper()
	orders, err := h.service.Orders(h.t.Context(), payments.Query{Till: "T1", Limit: 100})
	must(h.t, err)
	var lines []string
	for _, order := range slices.Backward(orders) {
		lines = append(lines, h.outcome(order))
	}
	return lines
}

func TestTheScriptsPlayByThemselves(t *testing.T) {
	scripts := map[string]struct {
		want     []string
		min, max time.Duration // How long people watch.
	}{
		"happy": {[]string{
			"paid 9000 success×1", "paid 15800 success×1",
		}, 20 * time.Second, time.Minute},
		"busy": {[]string{
			"paid 14000 success×1", "paid 4800 success×1", "paid 4400 success×1", "paid 13000 success×1",
		}, 40 * time.Second, 90 * time.Second},
		"trouble": {[]string{
			"rejected 7000", "paid 7000 failed×1 success×1", "marked_paid 16000 paid_late expired×1 success×1",
			"marked_paid 3000 amount_mismatch success×1", "paid 800 success×3",
		}, time.Minute, 2 * time.Minute},
	}
	for _, name := range cli.Scripts() {
		script, known := scripts[name]
		if !known {
			t.Errorf("nobody knows what the script %s shows", name)
			continue
		}
		for pace, times := range map[float64]float64{1: 1, 0.01: 0} {
			t.Run(fmt.Sprintf("%s at the pace %v", name, pace), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					theatre := &theatre{t: t}
					begun := time.Now()
					theatre.open(name, false, pace)
					<-theatre.played
					if got := theatre.outcomes(); !slices.Equal(got, script.want) {
						t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(script.want, "\n"))
					}
					if took := time.Since(begun); float64(took) < times*float64(script.min) || took > script.max {
						t.Errorf("it takes %v", took)
					}
					if theatre.log.Len() > 0 {
						t.Error(theatre.log)
					}
				})
			})
		}
	}
}

func TestAScriptCanPlayAgainAndAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		theatre := &theatre{t: t}
		theatre.open("trouble", true, 0.01)
		for len(theatre.outcomes()) < 11 {
			time.Sleep(time.Second)
		}
		outcomes := theatre.outcomes()
		if first, second := outcomes[:5], outcomes[5:10]; !slices.Equal(first, second) {
			t.Errorf("first\n%s\nthen\n%s", strings.Join(first, "\n"), strings.Join(second, "\n"))
		}
		open, err := theatre.service.Orders(t.Context(), payments.Query{Till: "T1", Open: true, Limit: 100})
		must(t, err)
		if len(open) > 1 {
			t.Errorf("%d orders are left open: they would pile up", len(open))
		}
	})
}

func TestAPersonEndsTheScript(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		theatre := &theatre{t: t}
		theatre.open("busy", true, 1)
		time.Sleep(20 * time.Second)
		before := theatre.outcomes()
		if len(before) == 0 {
			t.Fatal("nothing was sold in 20 seconds")
		}
		select {
		case <-theatre.played:
			t.Fatal("the script ended by itself")
		default:
		}
		_, err := io.WriteString(theatre.keys, "z")
		must(t, err)
		<-theatre.played
		time.Sleep(time.Minute)
		if after := theatre.outcomes(); !slices.Equal(after, before) {
			t.Errorf("before\n%s\nafterwards\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
		}
		if theatre.log.Len() > 0 {
			t.Error(theatre.log)
		}
	})
}

func TestAScriptThatCannotGoOnSaysSoInTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		theatre := &theatre{t: t}
		theatre.open("busy", true, 1)
		for len(theatre.outcomes()) < 3 {
			time.Sleep(time.Second)
		}
		// A customer who does what the script has planned for later.
		orders, err := theatre.service.Orders(t.Context(), payments.Query{Till: "T1", Limit: 2})
		must(t, err)
		must(t, theatre.box.Act(t.Context(), orders[1].OrderReference, payments.PaymentCanceled))
		<-theatre.played
		if !strings.Contains(theatre.log.String(), "act as the customer: the link is over") {
			t.Errorf("the log says %q", theatre.log)
		}
	})
}
