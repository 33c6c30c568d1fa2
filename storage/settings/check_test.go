package settings_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"checkout/till/storage/settings"
)

func TestAWrongValueIsRefusedWithAdvice(t *testing.T) {
	for _, c := range []struct{ name, key, value, want string }{
		{"a base URL without a scheme", "base_url", "pay.example.mg", "write an address like https://pay.example.mg"},
		{"plain http to another machine", "base_url", "http://pay.example.mg", "write an address like https://pay.example.mg"},
		{"plain http to a name that begins like loopback", "base_url", "http://localhost.example.mg", "write an address like https://pay.example.mg"},
		{"another scheme", "base_url", "ftp://127.0.0.1", "write an address like https://pay.example.mg"},
		{"a JavaScript address", "base_url", "javascript:alert(1)", "write an address like https://pay.example.mg"},
		{"a user name in an address", "base_url", "https://u:hidden@pay.example.mg", "write an address like https://pay.example.mg"},
		{"a query in an address", "base_url", "https://pay.example.mg/?a=b", "write an address like https://pay.example.mg"},
		{"a bare question mark", "base_url", "https://pay.example.mg/?", "write an address like https://pay.example.mg"},
		{"a fragment in an address", "base_url", "https://pay.example.mg/#a", "write an address like https://pay.example.mg"},
		{"a blank in an address", "base_url", "https://pay.example.mg/a b", "write an address like https://pay.example.mg"},
		{"a port out of range", "base_url", "https://pay.example.mg:99999", "write an address like https://pay.example.mg"},
		{"a port that is missing", "base_url", "https://pay.example.mg:", "write an address like https://pay.example.mg"},
		{"plain http from outside", "public_url", "http://shop.example.mg", "write an address like https://shop.example.mg, without a path"},
		{"a public address without a scheme", "public_url", "shop.example.mg", "write an address like https://shop.example.mg, without a path"},
		{"a path after a public address", "public_url", "https://shop.example.mg/webhook", "without a path"},
		{"a path and a query after a public address", "public_url", "https://shop.example.mg/path?x", "write an address like https://shop.example.mg, without a path"},
		{"a path without a slash", "order_path", "api", "a path begins with one /"},
		{"a path that is a host", "order_path", "//evil.example/api", "a path begins with one /"},
		{"a path with a query", "order_path", "/api?x=1", "a path begins with one /"},
		{"a path with a line break", "webhook_path", "/hook\n", "a path begins with one /"},
		{"a path that is served already", "webhook_path", "/healthz", "a path begins with one /"},
		{"a host with a scheme", "checkout_hosts", "https://pay.example.mg", "write a host like"},
		{"a host with a path", "checkout_hosts", "pay.example.mg/pay", "write a host like"},
		{"a header with a colon", "signature_header", "x-svc-signature:", "write a header's name like"},
		{"a header with a blank", "signature_header", "x svc", "write a header's name like"},
		{"an unknown scheme", "signature_scheme", "sha1", "choose one of static, body"},
		{"an address to listen on without a port", "listen", "127.0.0.1", "write HOST:PORT"},
		{"a named port", "listen", "127.0.0.1:http", "write HOST:PORT"},
		{"a port that is too large", "listen", "127.0.0.1:65536", "write HOST:PORT"},
		{"a till without letters and digits", "till", "é!", "take up to 20 characters"},
		{"a till with a long name", "till", strings.Repeat("T", 21), "take up to 20 characters"},
		{"an unknown language", "language", "de", "choose one of en, fr, mg"},
		{"an unknown theme", "theme", "sepia", "choose one of auto, dark, light, contrast"},
		{"a sound that is neither", "sound", "loud", "write on or off"},
		{"a blank database", "database", " ", "the database is a file or"},
		{"a secret of 15 characters", "webhook_secret", "whsec_demo_0123", "has 16 characters or more"},
		{"15 characters of two bytes each", "webhook_secret", "éàéàéàéàéàéàéàé", "has 16 characters or more"},
		{"the documentation's placeholder", "webhook_secret", "your-webhook-secret", "has 16 characters or more"},
		{"the placeholder in capitals", "webhook_secret", "YOUR_WEBHOOK_SECRET", "has 16 characters or more"},
		{"one character again and again", "webhook_secret", strings.Repeat("a", 20), "has 16 characters or more"},
		{"blanks", "webhook_secret", strings.Repeat(" ", 16), "has 16 characters or more"},
		{"blanks of several kinds", "webhook_secret", strings.Repeat(" \t", 8), "has 16 characters or more"},
		{"a token of another service", "access_token", "sk_test_not_a_token", "begins with TGP_, or with TGPT_"},
		{"a token that is only the prefix", "access_token", "TGP_", "begins with TGP_, or with TGPT_"},
		{"a test token that is only the prefix", "access_token", "TGPT_", "begins with TGP_, or with TGPT_"},
		{"a token with a line break", "access_token", token + "\n", "no blank and no line break"},
		{"a printer without its folder", "printer", "lp0", "write a device file like /dev/usb/lp0"},
		{"a network printer without a port", "printer", "tcp://192.168.1.50", "write a device file like /dev/usb/lp0"},
		{"a queue that would be an option", "printer", "lp:-x", "write a device file like /dev/usb/lp0"},
		{"a width of other paper", "printer_columns", "80", "choose one of 32, 42"},
		{"a line break in a header", "receipt_header", "Lot 0\nAnalakely", "write each line as a text of its own"},
		{"a rate with decimals", "vat", "5.5", "write whole percent"},
		{"a negative rate", "vat", "-20", "write whole percent"},
		{"a good printer", "printer", "/dev/usb/lp0", ""},
		{"a good printer", "printer", "lp:Ticket_58", ""},
		{"a good printer", "printer", "tcp://[fe80::1]:9100", ""},
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
				t.Errorf("the error does not name the variable: %v", err)
			}
			if asked := settings.Check(c.key, c.value); (asked == nil) != (err == nil) {
				t.Errorf("Check returned %v, unlike the settings", asked)
			}
			expectHidden(t, err, "hidden", "\n", "\x1b")
			if strings.Contains(c.name, "15 characters") || c.key == "access_token" && len(c.value) > len("TGPT_") {
				expectHidden(t, err, strings.TrimSpace(c.value))
			}
		})
	}
	if err := settings.Check("base_url", ""); err == nil || !strings.Contains(err.Error(), "write an address like https://pay.example.mg") {
		t.Errorf("no address: got error %v", err)
	}
	if err := settings.Check("colour", "3"); err == nil || !strings.Contains(err.Error(), "there is no setting") {
		t.Errorf("an unknown key: got error %v", err)
	}
	world := newWorld(t)
	world.Flags["theme"] = "sepia"
	_, err := world.load()
	if fault, is := errors.AsType[*settings.ValueError](err); !is || !fault.FromFlag() || fault.Where != "--theme" {
		t.Errorf("a wrong flag: got error %v, want a ValueError for --theme", err)
	}
}

func expectHidden(t *testing.T, err error, hidden ...string) {
	t.Helper()
	for _, text := range hidden {
		if err != nil && strings.Contains(err.Error(), text) {
			t.Errorf("the message shows %q: %v", text, err)
		}
	}
}

func (w *world) edit() *settings.File {
	w.t.Helper()
	file, err := settings.Edit(settings.Sources{Env: w.getenv})
	must(w.t, err)
	return file
}

func TestEditingAFileKeepsItsOtherLines(t *testing.T) {
	const handWritten = `# Our shop.
shop = "Chez Rado" # Since 1998.
webhook_secret = [
  "` + secret + `_new", # From Monday on.
  "` + secret + `",
]
colour = 3

listen = "127.0.0.1:9000"`
	for _, c := range []struct{ name, key, value, from, to string }{
		{"a value is replaced in its place", "listen", "127.0.0.1:9001", `listen = "127.0.0.1:9000"`, `listen = "127.0.0.1:9001"`},
		{"a key is added at the end", "till", `T"2\`, `:9000"`, ":9000\"\ntill = \"T\\\"2\\\\\""},
		{"a blank value removes the key", "shop", "", `shop = "Chez Rado" # Since 1998.` + "\n", ""},
		{"a list gives way as a whole", "webhook_secret", "another_" + secret, "webhook_secret = [\n  \"" + secret + "_new\", # From Monday on.\n  \"" + secret + "\",\n]", `webhook_secret = "another_` + secret + `"`},
		{"the same value keeps its comment", "shop", "Chez Rado", "", ""},
		{"the first of a list keeps the list", "webhook_secret", secret + "_new", "", ""},
		{"nothing is removed twice", "public_url", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			world := newWorld(t)
			path := world.write("etc/till/config.toml", handWritten, 0o600)
			file := world.edit()
			file.Set(c.key, c.value)
			must(t, file.Save())
			got, err := os.ReadFile(path)
			if want := strings.Replace(handWritten, c.from, c.to, 1) + "\n"; string(got) != want {
				t.Errorf("%v, the file is\n%s\nwant\n%s", err, got, want)
			}
		})
	}
}

func TestOnlyTheOwnerCanReadANewFile(t *testing.T) {
	world := newWorld(t)
	file := world.edit()
	for name, value := range map[string]string{"access_token": token, "webhook_secret": secret} {
		file.Set(name, value)
	}
	must(t, file.Save())
	if loaded := world.mustLoad(); loaded.Account.AccessToken.Reveal() != token || loaded.Webhook.Secrets[0].Reveal() != secret {
		t.Errorf("got settings %+v", loaded)
	}
	for path, want := range map[string]os.FileMode{file.Path: 0o600, filepath.Dir(file.Path): 0o700 | os.ModeDir} {
		if about, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && about.Mode() != want {
			t.Errorf("%s: %v, %v", path, err, about.Mode())
		}
	}
}

func TestAFailedSaveLeavesNoDraft(t *testing.T) {
	world := newWorld(t)
	path := world.write("etc/till/config.toml", "shop = \"A\"\n", 0o600)
	file := world.edit()
	file.Set("shop", "B")
	// Save cannot replace a folder that is in place of the file.
	must(t, os.Rename(path, path+".was"))
	must(t, os.MkdirAll(filepath.Join(path, "full"), 0o700))
	if err := file.Save(); err == nil {
		t.Error("Save returned no error")
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".till-*")); err != nil || len(left) > 0 {
		t.Errorf("the draft %v remains (%v)", left, err)
	}
}

func TestSavingKeepsASymbolicLink(t *testing.T) {
	world := newWorld(t)
	target := world.write("dotfiles/till.toml", "shop = \"A\"\n", 0o600)
	link := filepath.Join(world.home, "etc", "till", "config.toml")
	must(t, os.MkdirAll(filepath.Dir(link), 0o700))
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	file := world.edit()
	file.Set("shop", "B")
	must(t, file.Save())
	text, err := os.ReadFile(target)
	if at, linkErr := os.Readlink(link); string(text) != "shop = \"B\"\n" || at != target {
		t.Errorf("%v, %v: the target is %q, the link leads to %s", err, linkErr, text, at)
	}
}

func TestAFileThatCannotBeEditedIsRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"with a table", "[colours]\nbar = 1", `no setting "colours"`},
		{"with a list of tables", "[[listen]]\nport = 1", `no setting "listen"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			world := newWorld(t)
			world.write("etc/till/config.toml", c.text, 0o600)
			_, err := settings.Edit(settings.Sources{Env: world.getenv})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
