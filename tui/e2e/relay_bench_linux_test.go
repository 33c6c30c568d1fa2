package e2e_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/till/payments/relay"
	"checkout/till/storage/mailbox"
	"checkout/till/tui/tuitest"
)

// town is a relay with the mailboxes of many shops, and a till for each mailbox that fetches its
// events.
type town struct {
	*shop
	boxes    string // Folder of the relay's mailboxes.
	public   string // Address of the relay.
	relay    *exec.Cmd
	webhooks []string
	sender   *http.Client // Sends the events.
	fetched  atomic.Int64 // Number of events that the tills have fetched.
}

// transport returns a transport that connects to the town's relay, because the relay's host name
// cannot be resolved.
func (t *town) transport() *http.Transport {
	return &http.Transport{
		MaxIdleConnsPerHost: 20,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, t.public)
		},
	}
}

const relayName = "relay.example.mg"

func openTown(b *testing.B, boxes int) *town {
	b.Helper()
	t := &town{shop: open(b, file, nil), public: tuitest.FreeAddress(b)}
	t.boxes = filepath.Join(t.home, "boxes")
	mail, err := mailbox.Open(b.Context(), t.boxes, mailbox.DefaultRoom, time.Now)
	tuitest.Must(b, err)
	var tokens []string
	for n := range boxes {
		code, token := sha256.Sum256([]byte(rand.Text())), rand.Text()
		id, err := mail.Add(b.Context(), fmt.Sprint("shop ", n), code[:])
		tuitest.Must(b, err)
		hash := sha256.Sum256([]byte(token))
		public := sha256.Sum256([]byte("any public key"))
		_, err = mail.Pair(b.Context(), code[:], relay.Box{TokenHash: hash[:], Key: public[:], Terms: relay.Terms{Header: "X-Svc-Signature"}})
		tuitest.Must(b, err)
		t.webhooks = append(t.webhooks, "https://"+relayName+"/w/"+id)
		tokens = append(tokens, token)
	}
	tuitest.Must(b, mail.Close())
	certificate, key := trusted(b).certify(relayName)
	folder := filepath.Join(t.boxes, "certificates") // The relay requests no certificate if it has one.
	tuitest.Must(b, os.MkdirAll(folder, 0o700), os.WriteFile(filepath.Join(folder, relayName), append(key, certificate...), 0o600))
	t.sender = &http.Client{Transport: t.transport()}
	t.relay = t.listens(t.program("relay --domain "+relayName+" --listen "+t.public+" --admin 127.0.0.1:0 --data "+t.boxes), "relay on")
	var all sync.WaitGroup
	ctx, stop := context.WithCancel(b.Context())
	for _, token := range tokens {
		all.Go(func() { t.fetch(ctx, token) })
	}
	b.Cleanup(func() {
		stop()
		all.Wait()
	})
	return t
}

// fetch fetches events from the relay like a till, until ctx ends.
func (t *town) fetch(ctx context.Context, token string) {
	transport := t.transport()
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	for after := int64(0); ctx.Err() == nil; {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("https://%s/v1/events?wait=1&after=%d", relayName, after), nil)
		tuitest.Must(t.t, err)
		request.Header.Set("Authorization", "Bearer "+token)
		request.Header.Set("Till-Fetcher", "T1/1")
		_, _, text := ask(client, request)
		var batch struct{ Letters []struct{ Seq int64 } }
		head, _, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
		_ = json.Unmarshal([]byte(head), &batch) // The events of an incomplete answer are fetched again.
		after = 0
		for _, letter := range batch.Letters {
			t.fetched.Add(1)
			after = letter.Seq
		}
	}
}

// BenchmarkRelay measures a relay with TLS, 1,000 mailboxes and 1,000 waiting tills, with 100 events a
// second for 20 seconds. The relay should use at most 100 MB and half of a processor core.
func BenchmarkRelay(b *testing.B) {
	town := openTown(b, 1000)
	<-time.After(settled)
	pid := town.relay.Process.Pid
	for b.Loop() {
		before, began, fetched := processorTime(b, pid), time.Now(), town.fetched.Load()
		took := town.post(2000, 10*time.Millisecond)
		b.ReportMetric(100*float64(processorTime(b, pid)-before)/float64(time.Since(began)), "%-of-a-core")
		b.ReportMetric(float64(reported(pid, "VmRSS"))/1024, "MB")
		b.ReportMetric(median(took), "median-ms")
		b.ReportMetric(took[len(took)*99/100], "p99-ms")
		b.ReportMetric(0, "ns/op")
		eventually(b, "the tills have every event", func() bool { return town.fetched.Load()-fetched == int64(len(took)) })
	}
}

// post sends events to the mailboxes in turn, with a pause between two of them, and returns the
// milliseconds that each request took.
func (t *town) post(events int, pause time.Duration) []float64 {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	event := success(wireOrder{orderReference: "REF_700001", Amount: 9000, Description: "2 × Vary, Coca"})
	took := make([]float64, events)
	var all sync.WaitGroup
	for n := range took {
		<-tick.C
		all.Go(func() {
			began := time.Now()
			code, text := post(t.sender, t.webhooks[n%len(t.webhooks)], event, "x-svc-signature", seal(webhookSecret))
			if code != http.StatusOK {
				t.t.Errorf("the relay answers %d %s", code, text)
			}
			took[n] = float64(time.Since(began)) / float64(time.Millisecond)
		})
	}
	all.Wait()
	return took
}
