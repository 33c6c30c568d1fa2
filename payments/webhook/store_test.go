package webhook_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"checkout/till/payments"
)

func TestFromTheOrderToTheVerdict(t *testing.T) {
	with := func(field string) []string {
		return []string{`{"event":"payment.success","data":{"order_reference":"REF_700001",` + field + `}}`}
	}
	failed := func(reason string) string { return event(payments.PaymentFailed, reason) }
	expired := event(payments.PaymentExpired, "x")
	other := " " + strings.Replace(successBody, "{", `{"id":7, `, 1)
	const (
		success, unit  = payments.StatusSuccess, `,"currency":"Ar"`
		amount, change = "amount_mismatch", "currency_mismatch"
	)
	for _, test := range []struct {
		name     string
		bodies   []string
		status   payments.Status
		check    string // Why a person must look; blank for an order that is paid, or waits.
		reported string // The amount or the currency that is shown beside the order's.
		events   int
	}{
		{"W1 a success", []string{successBody}, success, "", "", 1},
		{"W3 an unknown kind", []string{event("payment.seen", "")}, payments.StatusPending, "", "", 1},
		{"W15 the same in other words", []string{successBody, other}, success, "", "", 1},
		{"W16 a failure, a success, the failure again", []string{failed("a"), successBody, failed("a")}, success, "", "", 2},
		{"W17 a failure, a success, another failure", []string{failed("a"), successBody, failed("b")}, payments.StatusFailed, "contradicted", "", 3},
		{"W18 expired, then a success", []string{expired, successBody}, success, "paid_late", "", 2},
		{"W19 a success, then expired", []string{successBody, expired}, payments.StatusExpired, "contradicted", "", 2},
		{"W20 one more", with(`"amount":9001` + unit), success, amount, "9001", 1},
		{"W20 one less", with(`"amount":8999` + unit), success, amount, "8999", 1},
		{"W20 zero", with(`"amount":0` + unit), success, amount, "0", 1},
		{"W20 negative", with(`"amount":-9000` + unit), success, amount, "-9000", 1},
		{"W20 no amount", with(`"currency":"Ar"`), success, amount, "", 1},
		{"W20 a text", with(`"amount":"9000"` + unit), success, amount, "9000", 1},
		{"W20 a fraction", with(`"amount":9000.0` + unit), success, amount, "9000.0", 1},
		{"W20 an exponent", with(`"amount":9e3` + unit), success, amount, "9e3", 1},
		{"W20 10^20", with(`"amount":100000000000000000000` + unit), success, amount, "100000000000000000000", 1},
		{"W20 twice", with(`"amount":9000,"amount":1` + unit), success, amount, "9000,1", 1},
		{"W20 the exact amount", with(`"amount":9000` + unit), success, "", "", 1},
		{"W21 another currency", with(`"amount":9000,"currency":"MGA"`), success, change, "MGA", 1},
		{"W21 no currency", with(`"amount":9000`), success, change, "", 1},
		{"W21 only curency", with(`"amount":9000,"curency":"Ar"`), success, change, "", 1},
		{
			"W23 bytes of Latin-1 and a NUL in a text",
			with(`"amount":9000` + unit + ",\"description\":\"Caf\xe9\\u0000\""), success, "", "", 1,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			rig := newRig(t)
			for _, body := range test.bodies {
				if got := rig.deliver(body); got.status != http.StatusOK {
					t.Errorf("answered %d %s", got.status, got.text)
				}
			}
			order, records := rig.find(rig.order.Reference)
			attention := fmt.Sprint(order.Attention(noon()))
			verdict := payments.VerdictWaiting
			switch {
			case test.check != "":
				verdict = payments.VerdictCheck
			case test.status == success:
				verdict = payments.VerdictPaid
			}
			if order.Status != test.status || order.Verdict(payments.Conditions{}, noon()) != verdict ||
				attention != "["+test.check+"]" || len(records) != test.events {
				t.Errorf("got %s, %s, %d events", order.Status, attention, len(records))
			}
			if proof := verdict != payments.VerdictWaiting && !strings.HasSuffix(test.check, "mismatch"); order.Paid() != proof {
				t.Errorf("paid: %v", order.Paid())
			}
			if order.Facts.ReportedAmount+order.Facts.ReportedUnit != test.reported {
				t.Errorf("reported %q, %q", order.Facts.ReportedAmount, order.Facts.ReportedUnit)
			}
			if records[0].BodySHA256 != sha256.Sum256([]byte(test.bodies[0])) {
				t.Errorf("the body on disk is not %q", test.bodies[0])
			}
		})
	}
}

func TestAnEventBeforeTheAnswer(t *testing.T) {
	second := of("REF_700002")
	deliver := func(t *testing.T, rig *rig) {
		if got := rig.deliver(second); got.status != http.StatusNotFound || got.text != "Not found" || len(rig.unmatched()) != 1 {
			t.Errorf("W11 got %d %s", got.status, got.text)
		}
	}
	for name, before := range map[string]func(*testing.T, *rig){
		"W12 an unmatched event is applied when its order becomes known": deliver,
		"W13 the service notifies before it answers the order call": func(t *testing.T, rig *rig) {
			rig.answer = func(int) { deliver(t, rig) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			rig := newRig(t)
			before(t, rig)
			if order := rig.sell(); order.Status != payments.StatusSuccess || !order.Paid() {
				t.Errorf("got %+v", order)
			}
			if got := rig.deliver(second); got.status != http.StatusOK {
				t.Errorf("the second delivery gives %d", got.status)
			}
			if _, records := rig.find("REF_700002"); len(records) != 1 || records[0].Count != 2 {
				t.Errorf("got %+v", records)
			}
		})
	}
}

func TestManyDeliveriesAtOnce(t *testing.T) {
	rig := newRig(t)
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() {
			if got := rig.deliver(successBody); got.status != http.StatusOK {
				t.Errorf("W14 got %d %s", got.status, got.text)
			}
		})
	}
	wait.Wait()
	if _, records := rig.find("REF_700001"); len(records) != 1 || records[0].Count != 50 {
		t.Errorf("W14 got %+v", records)
	}
}

func TestNoSecretReachesTheDisk(t *testing.T) {
	rig := newRig(t)
	rig.deliver(successBody)
	rig.deliver("{}")
	rig.do(call{signatures: []string{strings.ToUpper(secretValue)}, body: successBody})
	rig.do(call{headers: http.Header{"X-Brand": {secretValue}}, body: successBody})
	health, err := json.Marshal([]any{rig.handler.Health(), rig.handler.Refusals()})
	must(t, err)
	texts := map[string][]byte{"health": health}
	must(t, rig.store.Close())
	entries, err := os.ReadDir(rig.folder)
	must(t, err)
	for _, entry := range entries {
		if texts[entry.Name()], err = os.ReadFile(filepath.Join(rig.folder, entry.Name())); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Contains(texts["till.db"], []byte("REF_700001")) {
		t.Error("the database does not hold the order: the test looks in the wrong place")
	}
	for name, text := range texts {
		for _, planted := range []string{secretText, secretValue, strings.ToUpper(secretValue)} {
			if bytes.Contains(text, []byte(planted)) {
				t.Errorf("W30 %s holds %.8s…", name, planted)
			}
		}
	}
}
