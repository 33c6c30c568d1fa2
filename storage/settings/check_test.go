package settings_test

import (
	"errors"
	"strings"
	"testing"

	"checkout/till/storage/settings"
)

func TestAValueIsTakenOrRefusedWithAdvice(t *testing.T) {
	for _, c := range []struct{ name, key, value, want string }{
		{"a base URL without a scheme", "base_url", "pay.example.mg", "write it like https://"},
		{"plain http to another machine", "base_url", "http://pay.example.mg", "write https://"},
		{"plain http to a name that begins like loopback", "base_url", "http://localhost.example.mg", "write https://"},
		{"another scheme", "base_url", "ftp://127.0.0.1", "write https://"},
		{"a scheme that runs", "base_url", "javascript:alert(1)", "is no address"},
		{"a user name in an address", "base_url", "https://u:hidden@pay.example.mg", "no user name"},
		{"a query in an address", "base_url", "https://pay.example.mg/?a=b", "what follows ?"},
		{"a bare question mark", "base_url", "https://pay.example.mg/?", "what follows ?"},
		{"a fragment in an address", "base_url", "https://pay.example.mg/#a", "what follows ?"},
		{"a blank in an address", "base_url", "https://pay.example.mg/a b", "is no address"},
		{"a port that is none", "base_url", "https://pay.example.mg:99999", "the port is a number"},
		{"a port that is missing", "base_url", "https://pay.example.mg:", "the port is a number"},
		{"plain http from outside", "public_url", "http://shop.example.mg", "write https://"},
		{"a path without a slash", "order_path", "api", "is no path"},
		{"a path that is a host", "order_path", "//evil.example/api", "is no path"},
		{"a path with a query", "order_path", "/api?x=1", "is no path"},
		{"a path with a line break", "webhook_path", "/hook\n", "is no path"},
		{"a path that is served already", "webhook_path", "/healthz", "is served already"},
		{"a host with a scheme", "checkout_hosts", "https://pay.example.mg", "is no host"},
		{"a host with a path", "checkout_hosts", "pay.example.mg/pay", "is no host"},
		{"a header with a colon", "signature_header", "x-svc-signature:", "is no header name"},
		{"a header with a blank", "signature_header", "x svc", "is no header name"},
		{"an unknown scheme", "signature_scheme", "sha1", "choose one of static, body"},
		{"an address to listen on without a port", "listen", "127.0.0.1", "write HOST:PORT"},
		{"a named port", "listen", "127.0.0.1:http", "write HOST:PORT"},
		{"a port that is too large", "listen", "127.0.0.1:65536", "write HOST:PORT"},
		{"a till without letters and digits", "till", "é!", "is no name for a till"},
		{"a till with a long name", "till", strings.Repeat("T", 21), "is no name for a till"},
		{"an unknown language", "language", "de", "choose one of en, fr, mg"},
		{"an unknown theme", "theme", "sepia", "choose one of auto, dark, light, contrast"},
		{"a sound that is neither", "sound", "loud", "neither on nor off"},
		{"a blank database", "database", " ", "the value is empty"},
		{"W29 a secret of 15 characters", "webhook_secret", "whsec_demo_0123", "has 15 characters: it needs 16 or more"},
		{"W29 15 characters of two bytes each", "webhook_secret", "éàéàéàéàéàéàéàé", "has 15 characters"},
		{"S18 the documentation's placeholder", "webhook_secret", "your-webhook-secret", "stands for the secret"},
		{"S18 the placeholder in capitals", "webhook_secret", "YOUR_WEBHOOK_SECRET", "stands for the secret"},
		{"S18 one character again and again", "webhook_secret", strings.Repeat("a", 20), "one character again and again"},
		{"S18 blanks", "webhook_secret", strings.Repeat(" ", 16), "made of blanks"},
		{"S18 blanks of several kinds", "webhook_secret", strings.Repeat(" \t", 8), "made of blanks"},
		{"a token of another service", "access_token", "sk_test_not_a_token", "begins with TGP_, or with TGPT_"},
		{"a token that is the prefix alone", "access_token", "TGP_", "begins with TGP_, or with TGPT_"},
		{"a test token that is the prefix alone", "access_token", "TGPT_", "begins with TGP_, or with TGPT_"},
		{"a token with a line break", "access_token", token + "\n", "a blank or a line break"},
		{"a good base_url", "base_url", "http://127.0.0.1:8789", ""},
		{"a good base_url", "base_url", "http://[::1]:8789", ""},
		{"a good base_url", "base_url", "http://localhost", ""},
		{"a good base_url", "base_url", "https://pay.example.mg:8443/base", ""},
		{"a good listen", "listen", "127.0.0.1:0", ""},
		{"a good listen", "listen", "[::1]:8788", ""},
		{"a good listen", "listen", "0.0.0.0:80", ""},
		{"a good checkout_hosts", "checkout_hosts", "pay.example.mg, pay2.example.mg:8443", ""},
		{"a good webhook_path", "webhook_path", "/h/8f2a~_-.9", ""},
		{"a good sound", "sound", "ON", ""},
		{"a good sound", "sound", "false", ""},
		{"a good till", "till", "Caisse n°1", ""},
	} {
		t.Run(c.name+" "+c.value, func(t *testing.T) {
			world := newWorld(t)
			world.env["TILL_"+strings.ToUpper(c.key)] = c.value
			_, err := world.load()
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Fatalf("%s = %q gives %v, want %q", c.key, c.value, err, c.want)
			}
			if fault, is := errors.AsType[*settings.ValueError](err); err != nil && (!is || fault.FromFlag() || fault.Where != "TILL_"+strings.ToUpper(c.key) || fault.Unwrap() == nil) {
				t.Errorf("it does not tell where: %v", err)
			}
			if asked := settings.Check(c.key, c.value); (asked == nil) != (err == nil) {
				t.Errorf("the answer to a question is taken: %v", asked)
			}
			expectHidden(t, err, "hidden", "\n", "\x1b")
			if strings.Contains(c.name, "W29") || c.key == "access_token" && len(c.value) > len("TGPT_") {
				expectHidden(t, err, strings.TrimSpace(c.value))
			}
		})
	}
	if err := settings.Check("colour", "3"); err == nil || !strings.Contains(err.Error(), "there is no setting") {
		t.Errorf("a key that does not exist: %v", err)
	}
	world := newWorld(t)
	world.Flags["theme"] = "sepia"
	_, err := world.load()
	if fault, is := errors.AsType[*settings.ValueError](err); !is || !fault.FromFlag() || fault.Where != "--theme" {
		t.Errorf("a wrong flag gives %v", err)
	}
}

// expectHidden fails the test when an error shows what it must not.
func expectHidden(t *testing.T, err error, hidden ...string) {
	t.Helper()
	for _, text := range hidden {
		if err != nil && strings.Contains(err.Error(), text) {
			t.Errorf("W30 the message shows %q: %v", text, err)
		}
	}
}
