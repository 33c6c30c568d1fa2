package sandbox_test

import (
	"context"
	"html"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

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
