package settings_test

import (
	"strings"
	"testing"
)

func TestWrongValuesAreRefusedWithAdvice(t *testing.T) {
	tests := []struct{ name, key, value, want string }{
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
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := newWorld(t).load(map[string]string{tt.key: tt.value})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("%s = %q gives %v, want %q", tt.key, tt.value, err, tt.want)
			}
			if strings.Contains(err.Error(), "hidden") || strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("the message shows what it must not: %q", err)
			}
		})
	}
}

func TestGoodValuesAreTaken(t *testing.T) {
	tests := []struct{ key, value string }{
		{"base_url", "http://127.0.0.1:8789"},
		{"base_url", "http://[::1]:8789"},
		{"base_url", "http://localhost"},
		{"base_url", "https://pay.example.mg:8443/base"},
		{"listen", "127.0.0.1:0"},
		{"listen", "[::1]:8788"},
		{"listen", "0.0.0.0:80"},
		{"checkout_hosts", "pay.example.mg, pay2.example.mg:8443"},
		{"webhook_path", "/h/8f2a~_-.9"},
		{"sound", "ON"},
		{"sound", "false"},
		{"till", "Caisse n°1"},
	}
	for _, tt := range tests {
		t.Run(tt.key+" "+tt.value, func(t *testing.T) {
			if _, err := newWorld(t).load(map[string]string{tt.key: tt.value}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestWrongSecretsAreRefusedAndNotShown(t *testing.T) {
	tests := []struct{ name, key, value, want string }{
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
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			world := newWorld(t)
			world.env["TILL_"+strings.ToUpper(tt.key)] = tt.value
			_, err := world.load(nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v, want %q", err, tt.want)
			}
			if len(tt.value) > len("TGPT_") && strings.TrimSpace(tt.value) != "" && tt.name[:3] != "S18" && strings.Contains(err.Error(), strings.TrimSpace(tt.value)) {
				t.Errorf("W30 the message shows the secret: %v", err)
			}
		})
	}
}

func TestATestAccountIsToldByItsToken(t *testing.T) {
	for value, want := range map[string]bool{token: false, "TGPT_not_a_real_token": true} {
		world := newWorld(t)
		world.env["TILL_ACCESS_TOKEN"] = value
		loaded, err := world.load(nil)
		if err != nil || loaded.Account.Test() != want {
			t.Errorf("%s: a test account is %v, %v", value, loaded.Account.Test(), err)
		}
	}
}

// What only resembles an address would be a file's name, with the password in it.
func TestTheDatabaseIsAFileOrAServer(t *testing.T) {
	for value, want := range map[string]string{
		"POSTGRES://till@db/shop": "postgres://till@db/shop", " postgresql://db/shop ": "postgresql://db/shop",
		"a=b.db": "a=b.db", "/var/lib/till/a b.db": "/var/lib/till/a b.db", `C:\till\till.db`: `C:\till\till.db`,
		"mysql://u:hidden@h/d": "", "host=127.0.0.1 password=hidden": "", "dbname=shop": "", "postgres:/u:hidden@h/d": "", "file:///tmp/a.db": "", " ": "",
	} {
		world := newWorld(t)
		world.env["TILL_DATABASE"] = value
		loaded, err := world.load(nil)
		if want == "" && (err == nil || strings.Contains(err.Error(), "hidden")) || want != "" && (err != nil || loaded.Files.Database != want) {
			t.Errorf("S12 %q is %q, %v, want %q", value, loaded.Files.Database, err, want)
		}
	}
}
