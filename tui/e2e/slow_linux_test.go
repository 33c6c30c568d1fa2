package e2e_test

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/tui/tuitest"
)

// A till with a slow connection receives the payments that customers made during a power cut, over
// TLS and a network interface that the kernel makes slow. The log contains the numbers that the
// operator's guide states.
func TestATillOnASlowLineCatchesUp(t *testing.T) {
	if os.Getenv("TILL_TEST_LONG") == "" {
		t.Skip("this takes minutes of real time: TILL_TEST_LONG=1 runs it")
	}
	needs(t, "pebble", "ip", "unshare", "nsenter", "tc")
	if !isolated(t, "127.0.0.1 localhost\n"+relayAddress+" "+relayHost+"\n") {
		return
	}
	const events = 60
	keeper := behindRouter(t)
	issuer := trusted(t)
	s := openPublicRelay(t, issuer, 3600)
	end(s.relay)
	s.startRelay()
	if serial := s.serial(); serial != s.first {
		t.Error("a restarted relay has another certificate")
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: s.roots}}}
	runInside(t, keeper)
	trusts := "SSL_CERT_FILE=" + os.Getenv("SSL_CERT_FILE")
	joined := s.program("relay join https://"+relayHost+" "+s.code, trusts)
	if said, err := joined.CombinedOutput(); err != nil {
		t.Fatalf("relay join: %v\n%s", err, said)
	}
	inside := fmt.Sprintf("nsenter --net --target %d ", keeper)
	stored := 0
	for _, line := range []struct {
		kilobits int
		limit    time.Duration
	}{{20, time.Minute}, {10, 90 * time.Second}, {5, 3 * time.Minute}} {
		for range events {
			event := gateway.EncodeEvent(gateway.Notification{
				Event: payments.PaymentSuccess, OrderReference: fmt.Sprintf("REF_%06d", stored), Reference: fmt.Sprintf("T1-20261121-GT-%04d", stored),
				Amount: 9000, Currency: payments.Currency, Description: "2 × Vary sy laoka, Coca-Cola 50 cl, Mofo gasy",
			})
			if code, text := post(client, s.webhook, event, "x-svc-signature", seal(webhookSecret)); code != http.StatusOK {
				t.Fatalf("the relay answers %d %s", code, text)
			}
			stored++
			<-time.After(60 * time.Millisecond) // The relay accepts 20 events a second from one sender.
		}
		shape := fmt.Sprintf(" root tbf rate %dkbit burst 1600 latency 60s", line.kilobits)
		run(t, "tc qdisc replace dev street"+shape)
		run(t, inside+"tc qdisc replace dev shop"+shape)
		before, began := sentTo(t, "street"), time.Now()
		till := s.listens(s.program("listen", trusts), "listening on")
		for s.keptAt(s.boxes) > 0 && time.Since(began) < line.limit+time.Minute {
			<-time.After(100 * time.Millisecond)
		}
		took := time.Since(began)
		t.Logf("%d kbit/s: %d events in %.1f s, %d bytes for each", line.kilobits, events, took.Seconds(), (sentTo(t, "street")-before)/events)
		if took > line.limit {
			t.Errorf("%d kbit/s: %v, want at most %v", line.kilobits, took, line.limit)
		}
		run(t, "tc qdisc del dev street root")
		run(t, inside+"tc qdisc del dev shop root")
		end(till)
	}
	till := s.listens(s.program("listen", trusts), "listening on")
	<-time.After(settled)
	const idle = 100 * time.Second
	in, out := carried(t, "street")
	<-time.After(idle)
	inLater, outLater := carried(t, "street")
	t.Logf("idle: %.1f MB a day, with the headers of IP", float64(inLater-in+outLater-out)*float64(24*time.Hour/idle)/1e6)
	end(till)
	if events := s.verify(); events != stored {
		t.Errorf("%d events were sent, and %d are stored", stored, events)
	}
}

// sentTo returns the number of bytes that were sent over a network interface.
func sentTo(t *testing.T, device string) int {
	_, sent := carried(t, device)
	return sent
}

// carried returns the numbers of bytes that were received and sent over a network interface.
func carried(t *testing.T, device string) (received, sent int) {
	t.Helper()
	text, err := os.ReadFile("/proc/net/dev")
	tuitest.Must(t, err)
	_, counters, _ := strings.Cut(string(text), device+":")
	const sentBytes = 8 // The statistics contain eight numbers about received data before this one.
	fields := strings.Fields(counters)
	received, err = strconv.Atoi(fields[0])
	tuitest.Must(t, err)
	sent, err = strconv.Atoi(fields[sentBytes])
	tuitest.Must(t, err)
	return received, sent
}
