package sandbox_test

import (
	"context"
	"fmt"
	"html"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

// Steps are separated by semicolons. Each consists of an action, the status of the answer and a
// text in the answer. The link is valid for 90 seconds.
//
//   - look opens the page, and follow the page that waits for the phone.
//   - number enters a phone number.
//   - success, failed and canceled press a button of the page.
//   - lab and form cause an outcome by the lab's API and by the dashboard.
//   - wait lets time pass.
//
// events lists the merchant's events with their times and reasons.
func TestEachCustomerActionSendsItsEvents(t *testing.T) {
	const (
		low, refused = "(Solde insuffisant)", "(Transaction refusée par le client)"
		gone, ended  = "(Paiement annulé par le client)", "(Délai de paiement dépassé)"
		confirm      = "Confirm on your phone"
		masked       = "034\u00a0••\u00a0•••\u00a0"
	)
	for _, test := range []struct{ name, steps, events string }{
		{"a success ends the link", "success = 303; success = 410; failed = 410; canceled = 410; lab success = 410", "success@0s"},
		{"a failure leaves the link open", "failed = 303; success = 303; failed = 410", "failed@0s " + low + " success@0s"},
		{"a cancellation leaves the link open", "canceled = 303; look = 200 You can pay after all; success = 303; canceled = 410", "canceled@0s " + gone + " success@0s"},
		{"failed by the lab", "lab failed = 200; lab canceled = 200; success = 303", "failed@0s " + low + " canceled@0s " + gone + " success@0s"},
		{"expired by the lab", "lab expired = 200; success = 410; lab expired = 410", "expired@0s " + ended},
		{"failed by the dashboard", "form failed = 303; form expired = 303; success = 410", "failed@0s " + low + " expired@0s " + ended},

		{"no payment", "wait 89s; look = 200; wait 1s; look = 410", "expired@1m30s " + ended},
		{"paid one second before the end", "wait 89s; success = 303", "success@1m29s"},
		{"paid at the end", "wait 90s; success = 410", "expired@1m30s " + ended},
		{"paid one second after the end", "wait 91s; success = 410", "expired@1m30s " + ended},

		{
			"a number that pays", "number 034 12 345 67 = 303; wait 3s; follow = 200 " + confirm + "; follow = 200 " + masked + "67; " +
				"wait 1s; follow = 303; look = 200 turns green too", "success@4s",
		},
		{
			"a number that ends in 01: too low a balance", "number 034 12 345 01 = 303; wait 4s; look = 200 Your balance is too low.; number 034 12 345 99 = 303; wait 4s",
			"failed@4s " + low + " success@8s",
		},
		{"a number that ends in 02: refused on the phone", "number 034 12 345 02 = 303; wait 4s; look = 200 It was refused on your phone.; canceled = 303", "failed@4s " + refused + " canceled@4s " + gone + " expired@1m30s " + ended},
		{
			"a number that ends in 03: no answer", "number 034 12 345 03 = 303; wait 31s; follow = 200 " + confirm + "; wait 1s; look = 200 No answer from your phone; " +
				"number 034 12 345 99 = 303; wait 4s", "success@36s",
		},

		{"another number while the phone is asked", "number 034 12 345 67 = 303; number 032 00 000 00 = 409 " + confirm + "; wait 10s; number 032 00 000 00 = 410", "success@4s"},
		{"the success button while the phone is asked", "number 034 12 345 67 = 303; success = 409 " + confirm + "; wait 10s; success = 410", "success@4s"},
		{"the failure button while the phone is asked", "number 034 12 345 67 = 303; failed = 409 " + confirm + "; wait 10s; failed = 410", "success@4s"},
		{"the cancel button while the phone is asked", "number 034 12 345 67 = 303; wait 1s; canceled = 303; wait 10s; look = 200 Cancelled; number 034 12 345 67 = 303; wait 4s", "canceled@1s " + gone + " success@15s"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				made, all := hear(t, always(http.StatusOK), func(config *sandbox.Config) { config.Lifetime = 90 * time.Second })
				path, order := localOrder(t, made, "T1-20261121-GT-0007")
				for step := range strings.SplitSeq(test.steps, "; ") {
					asked, wanted, _ := strings.Cut(step, " = ")
					status, text, _ := strings.Cut(wanted, " ")
					verb, more, _ := strings.Cut(asked, " ")
					var answer *httptest.ResponseRecorder
					switch verb {
					case "wait":
						span, err := time.ParseDuration(more)
						must(t, err)
						pass(span)
						continue
					case "look":
						answer = local(made, http.MethodGet, path, "")
					case "follow":
						answer = local(made, http.MethodGet, path+"?asked=1", "")
					case "number":
						answer = post(made, path, "step", "number", "number", more)
					case "lab":
						answer = lab(made, http.MethodPost, "/lab/orders/"+order+"/act", fmt.Sprintf(`{"outcome": %q}`, more))
					case "form":
						answer = post(made, "/lab/orders/"+order+"/act", "json", fmt.Sprintf(`{"outcome": %q}`, more))
					default:
						answer = local(made, http.MethodPost, path, "outcome="+verb)
					}
					if strconv.Itoa(answer.Code) != status || !contains(answer, text) || answer.Code == http.StatusGone && contains(answer, "<form") {
						t.Errorf("%s is answered %d %s", step, answer.Code, answer.Body)
					}
				}
				pass(time.Hour)
				var heard []string
				for _, one := range all.list() {
					heard = append(heard, fmt.Sprintf("%s@%s", strings.TrimPrefix(string(one.event.Kind), "payment."), one.after))
					if one.event.Error.Text != "" {
						heard = append(heard, "("+one.event.Error.Text+")")
					}
					want := payments.Event{
						Kind: one.event.Kind, OrderReference: order, Reference: payments.TextValue("T1-20261121-GT-0007"), Error: one.event.Error,
						Amount: payments.AmountValue(9000), Currency: payments.TextValue("Ar"), Description: payments.TextValue("2 × Vary, Coca"),
					}
					if !one.sound || one.event != want || one.header.Get("Content-Type") != "application/json" {
						t.Errorf("the event is %s", one.body)
					}
				}
				if got := strings.Join(heard, " "); got != test.events {
					t.Errorf("the merchant hears %s", got)
				}
			})
		})
	}
}

func TestEveryStateOfThePageHasEveryLanguage(t *testing.T) {
	texts, err := assets.LoadTexts(os.DirFS("server"), "texts.toml")
	must(t, err)
	for _, test := range []struct {
		key    string
		status int
		before payments.EventKind // Blank for an order without an event.
		posted string             // Body of a POST; blank for a GET.
	}{
		{"cancel", http.StatusOK, "", ""},
		{"balance_title", http.StatusOK, payments.PaymentFailed, ""},
		{"success_title", http.StatusOK, payments.PaymentSuccess, ""},
		{"canceled_title", http.StatusOK, payments.PaymentCanceled, ""},
		{"canceled_text", http.StatusOK, payments.PaymentCanceled, ""},
		{"expired_title", http.StatusGone, payments.PaymentExpired, ""},
		{"expired_text", http.StatusGone, payments.PaymentExpired, "outcome=success"},
		{"unclear_title", http.StatusBadRequest, "", "outcome=refund"},
	} {
		for _, language := range i18n.Languages() {
			t.Run(test.key+" in "+language, func(t *testing.T) {
				made := quietSandbox(t)
				path, reference := localOrder(t, made, "T1-20261121-GT-0007")
				method := http.MethodGet
				if test.before != "" {
					act(t, made, reference, test.before)
				}
				if test.posted != "" {
					method = http.MethodPost
				}
				recorder := local(made, method, path+"?lang="+language, test.posted)
				texts.Language = language
				text, err := texts.Say(test.key)
				must(t, err)
				if page := html.UnescapeString(recorder.Body.String()); recorder.Code != test.status ||
					!strings.Contains(page, ">"+text+"<") || !strings.Contains(page, `<html lang="`+language+`">`) {
					t.Errorf("got %d, want %d with %q: %s", recorder.Code, test.status, text, page)
				}
			})
		}
	}
}

func TestTheSandboxServesOnlyItsOwnHosts(t *testing.T) {
	const own = "192.168.1.5:8789"
	tests := []struct {
		name, host, reached string
		paths               string
		want                int
	}{
		{"the address it came in by", own, own, "page", http.StatusOK},
		{"version 6", "[fd00::5]:8789", "[fd00::5]:8789", "page", http.StatusOK},
		{"a version 4 address on a version 6 socket", own, "[::ffff:192.168.1.5]:8789", "page", http.StatusOK},
		{"another address", "192.168.1.6:8789", own, "page", http.StatusMisdirectedRequest},
		{"a name that somebody pointed there", "evil.example:8789", own, "page", http.StatusMisdirectedRequest},
		{"no host", "", own, "page", http.StatusMisdirectedRequest},
		{"the public address in capitals", "PAY.example.mg", own, "page", http.StatusOK},
		{"the public address with less of it", "example.mg", own, "page", http.StatusMisdirectedRequest},
		{"an allowed host, which reaches everything", "Sandbox:8789", own, "page / /lab/orders /healthz", http.StatusOK},
		{"another host", "other:8789", own, "page / /lab/orders /healthz", http.StatusMisdirectedRequest},
	}
	made := newSandbox(t, settings(""), func(config *sandbox.Config) {
		config.AllowedHosts, config.PublicURL = []string{"sandbox"}, "https://pay.example.mg/"
	})
	page, _ := localOrder(t, made, "T1-20261121-GT-0007")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			address, err := net.ResolveTCPAddr("tcp", test.reached)
			must(t, err)
			for path := range strings.FieldsSeq(strings.Replace(test.paths, "page", page, 1)) {
				request := httptest.NewRequest(http.MethodGet, path, nil)
				request.Host = test.host
				request = request.WithContext(context.WithValue(t.Context(), http.LocalAddrContextKey, net.Addr(address)))
				recorder := httptest.NewRecorder()
				if handlerOf(made).ServeHTTP(recorder, request); recorder.Code != test.want {
					t.Errorf("%s answers %d, want %d", path, recorder.Code, test.want)
				}
			}
		})
	}
	if orders := ask[[]labOrder](t, made, http.MethodGet, "/lab/orders", ""); orders[0].CheckoutURL != "https://pay.example.mg"+page {
		t.Errorf("the link is %q", orders[0].CheckoutURL)
	}
}
