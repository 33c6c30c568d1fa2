package sandbox_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

func kept(t *testing.T, path string, options ...option) *sandbox.Sandbox {
	t.Helper()
	config := settings(webhookURL)
	config.Data = path
	return newSandbox(t, config, options...)
}

// copyOf copies a file in its present state, in which a killed program would leave it. It returns
// the path of the copy.
func copyOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	copied := filepath.Join(t.TempDir(), "copy.json")
	must(t, os.WriteFile(copied, text, 0o600))
	return copied
}

func TestARestartKeepsOrdersAndDeliveries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "sandbox.json")
		transport, _ := listen(t, always(http.StatusNotFound))
		made := kept(t, path, transport)
		run(t, made)
		_, open := localOrder(t, made, "open")
		_, paid := localOrder(t, made, "paid")
		page, asked := localOrder(t, made, "asked")
		act(t, made, open, payments.PaymentFailed)
		act(t, made, paid, payments.PaymentSuccess)
		must(t, made.SetOrderFaults(open, sandbox.EventFaults{Delay: time.Minute, Then: payments.PaymentExpired}))
		post(made, page, "step", "number", "number", "034 12 345 03")
		pass(time.Second / 2)
		again := kept(t, copyOf(t, path), transport)
		if got, want := again.Orders(), made.Orders(); !reflect.DeepEqual(got, want) {
			t.Errorf("the orders are\n%+v, want\n%+v", got, want)
		}
		if got, want := again.Deliveries(), made.Deliveries(); !reflect.DeepEqual(got, want) {
			t.Errorf("the deliveries are\n%+v, want\n%+v", got, want)
		}
		if got := again.Orders()[0]; got.OrderReference != asked || got.Request == nil {
			t.Errorf("the phone is not asked any more: %+v", got)
		}
		if recorder := local(again, http.MethodPost, "/api/payement/service", orderBody("paid")); recorder.Code != http.StatusConflict {
			t.Errorf("a used reference is accepted: %d", recorder.Code)
		}
	})
}

// Data files of earlier versions must stay readable.
func TestTheDataFileKeepsItsFormat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "sandbox.json")
		link, name := localOrder(t, kept(t, path), "A1")
		text, err := os.ReadFile(path)
		must(t, err)
		want := `{"till_sandbox":1,"orders":[{"order_reference":"` + name + `","reference":"A1","description":"2 × Vary, Coca",` +
			`"amount":9000,"currency":"Ar","items":[{"label":"Vary","unit_price":3500,"quantity":2},` +
			`{"label":"Coca","unit_price":2000,"quantity":1}],"link":"` + filepath.Base(link) + `","state":"open",` +
			`"expires_at":"2000-01-01T00:10:00Z","failed_tries":0,"payment_request":null,"faults":null}],"deliveries":[]}`
		if got := strings.TrimSpace(string(text)); got != want {
			t.Errorf("got\n%s, want\n%s", got, want)
		}
	})
}

func TestARestartRunsOverdueWorkOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "sandbox.json")
		first := kept(t, path)
		_, expires := localOrder(t, first, "expires")
		_, paid := localOrder(t, first, "paid")
		_, held := localOrder(t, first, "held")
		act(t, first, paid, payments.PaymentSuccess) // The first sandbox does not run, so it sends nothing.
		must(t, first.SetOrderFaults(held, sandbox.EventFaults{Reorder: true}))
		act(t, first, held, payments.PaymentFailed)
		time.Sleep(time.Hour)
		transport, all := listen(t, always(http.StatusOK))
		second := kept(t, path, transport)
		run(t, second)
		pass(time.Hour)
		var got []string
		for _, one := range all.list() {
			got = append(got, one.event.OrderReference+" "+string(one.event.Kind))
		}
		for _, want := range []string{
			paid + " payment.success", expires + " payment.expired", held + " payment.expired", held + " payment.failed",
		} {
			if strings.Count(strings.Join(got, "\n")+"\n", want+"\n") != 1 {
				t.Errorf("%s is not sent exactly once: %v", want, got)
			}
		}
		if len(got) != 4 {
			t.Errorf("sent %v", got)
		}
	})
}

func TestTheDataFileIsWrittenBeforeTheEventIsSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "sandbox.json")
		made := kept(t, path, withTransport(roundTrip(func(r *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			file, err := os.ReadFile(path)
			if err != nil || !strings.Contains(string(file), `"state":"success"`) || len(body) == 0 {
				t.Errorf("the event was sent before the file was written: %s", file)
			}
			return status(http.StatusOK), nil
		})))
		run(t, made)
		acted(t, made, "T1", payments.PaymentSuccess)
		synctest.Wait()
		file, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(file), `"stage":"delivered"`) {
			t.Errorf("the delivery is not saved: %s", file)
		}
	})
}

func TestAChangeThatCannotBeSavedIsNotAcknowledged(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	must(t, os.Mkdir(folder, 0o700))
	made := kept(t, filepath.Join(folder, "sandbox.json"))
	path, reference := localOrder(t, made, "T1")
	must(t, os.RemoveAll(folder))
	mustFail(t, made.Act(t.Context(), reference, payments.PaymentFailed), sandbox.ErrSnapshot)
	for name, recorder := range map[string]int{
		"the order call": local(made, http.MethodPost, "/api/payement/service", orderBody("T2")).Code,
		"a button":       local(made, http.MethodPost, path, "outcome=success").Code,
		"the lab":        lab(made, http.MethodPost, "/lab/reset", "").Code,
	} {
		if recorder != http.StatusInternalServerError {
			t.Errorf("%s answers %d", name, recorder)
		}
	}
}

func TestTheDataFileIsPrivateAndHoldsNoSecret(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sandbox.json")
	made := kept(t, path)
	acted(t, made, "T1", payments.PaymentSuccess)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v", info.Mode(), err)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), token) || strings.Contains(string(text), webhookSecret) {
		t.Errorf("a secret is saved: %s", text)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v", entries)
	}
}

func TestAForeignDataFileIsRefusedAndKept(t *testing.T) {
	tests := map[string]string{
		"a letter": "Dear customer", "another database": "SQLite format 3\x00", "other JSON": `{"orders": []}`,
		"a later format": `{"till_sandbox": 2, "orders": [], "deliveries": []}`,
		"a file cut off": `{"till_sandbox": 1, "orders": [`,
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			config := settings("")
			config.Data = filepath.Join(t.TempDir(), "file")
			must(t, os.WriteFile(config.Data, []byte(text), 0o600))
			mustFail(t, failure(sandbox.New(config)), sandbox.ErrData)
			if after, err := os.ReadFile(config.Data); err != nil || string(after) != text {
				t.Errorf("the file is %q, %v", after, err)
			}
		})
	}
	path := filepath.Join(t.TempDir(), "empty")
	must(t, os.WriteFile(path, nil, 0o600))
	localOrder(t, kept(t, path), "an empty file is a new one")
}

func TestAnErrorSavesNothingAndWakesNoWaiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "sandbox.json")
		made := kept(t, path)
		over := acted(t, made, "over", payments.PaymentExpired)
		must(t, os.Remove(path))
		looks := 0
		ctx, stop := context.WithCancel(t.Context())
		var waiting sync.WaitGroup
		waiting.Go(func() {
			made.Await(ctx, func() bool {
				looks++
				return false
			})
		})
		synctest.Wait()
		for _, got := range []struct{ err, want error }{
			{made.Act(t.Context(), "REF_1", payments.PaymentSuccess), sandbox.ErrNoSuchOrder},
			{made.Act(t.Context(), over, payments.PaymentSuccess), sandbox.ErrLinkOver},
			{made.AskPhone(over, "034 XX XXX 03", ""), sandbox.ErrLinkOver},
		} {
			if !errors.Is(got.err, got.want) {
				t.Errorf("the error is %v, want %v", got.err, got.want)
			}
		}
		synctest.Wait()
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) || looks != 1 {
			t.Errorf("the file: %v; the condition was checked %d times, want once", err, looks)
		}
		stop()
		waiting.Wait()
	})
}
