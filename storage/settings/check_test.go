package settings_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"checkout/till/storage/settings"
)

func TestAWrongValueIsRefusedWithAdvice(t *testing.T) {
	for _, c := range []struct {
		key, advice       string
		refused, accepted []string
	}{
		{"base_url", "write an address like https://pay.example.mg", []string{
			"pay.example.mg", "http://pay.example.mg", "http://localhost.example.mg", "ftp://127.0.0.1",
			"javascript:alert(1)", "https://u:hidden@pay.example.mg", "https://pay.example.mg/?a=b",
			"https://pay.example.mg/?", "https://pay.example.mg/#a", "https://pay.example.mg/a b",
			"https://pay.example.mg:99999", "https://pay.example.mg:",
		}, []string{"http://127.0.0.1:8789", "http://[::1]:8789", "http://localhost", "https://pay.example.mg:8443/base"}},
		{"public_url", "write an address like https://shop.example.mg, without a path", []string{
			"http://shop.example.mg", "shop.example.mg", "https://shop.example.mg/webhook",
			"https://shop.example.mg/path?x",
		}, nil},
		{"order_path", "a path begins with one /", []string{"api", "//evil.example/api", "/api?x=1"}, nil},
		{"webhook_path", "a path begins with one /", []string{"/hook\n", "/healthz"}, []string{"/h/8f2a~_-.9"}},
		{"checkout_hosts", "write a host like", []string{
			"https://pay.example.mg", "pay.example.mg/pay",
		}, []string{"pay.example.mg, pay2.example.mg:8443"}},
		{"signature_header", "write a header's name like", []string{"x-svc-signature:", "x svc"}, nil},
		{"signature_scheme", "choose one of static, body", []string{"sha1"}, nil},
		{"listen", "write HOST:PORT", []string{
			"127.0.0.1", "127.0.0.1:http", "127.0.0.1:65536",
		}, []string{"127.0.0.1:0", "[::1]:8788", "0.0.0.0:80"}},
		{"till", "take up to 20 characters", []string{"é!", strings.Repeat("T", 21)}, []string{"Caisse n°1"}},
		{"language", "choose one of en, fr, mg", []string{"de", "de_DE.UTF-8"}, []string{"fr_FR", "fr_FR.UTF-8", "mg_MG", "EN"}},
		{"theme", "choose one of auto, dark, light, contrast", []string{"sepia"}, nil},
		{"sound", "write on or off", []string{"loud"}, []string{"ON", "false"}},
		{"database", "the database is a file or", []string{" "}, nil},
		{"webhook_secret", "has 16 characters or more", []string{
			"whsec_demo_0123", "éàéàéàéàéàéàéàé", "your-webhook-secret", "YOUR_WEBHOOK_SECRET", strings.Repeat("a", 20),
			strings.Repeat(" ", 16), strings.Repeat(" \t", 8),
		}, nil},
		{"access_token", "begins with TGP_, or with TGPT_", []string{"sk_test_not_a_token", "TGP_", "TGPT_", token + "\n"}, nil},
		{"printer", "write a device file like /dev/usb/lp0", []string{
			"lp0", "tcp://192.168.1.50", "lp:-x",
		}, []string{"/dev/usb/lp0", "lp:Ticket_58", "tcp://[fe80::1]:9100"}},
		{"printer_codepage", "choose one of 858, 850, 437, 1252, ascii", []string{"utf-8"}, nil},
		{"drawer_pin", "choose one of 2, 5", []string{"1"}, nil},
		{"printer_columns", "choose one of 32, 42, 48", []string{"80"}, nil},
		{"receipt_header", "write each line as a text of its own", []string{"Lot 0\nAnalakely"}, nil},
		{"credit_limit", "write whole ariary", []string{"-1", "50.000", "1 5", "much"}, []string{"0", "50000", "50 000"}},
		{"vat", "write whole percent", []string{"5.5", "-20"}, nil},
		{"day_begins", "from 00:00 to 08:00", []string{"08:01", "24:00"}, []string{"08:00"}},
	} {
		for _, value := range append(c.refused, c.accepted...) {
			t.Run(c.key+" "+value, func(t *testing.T) {
				refused := slices.Contains(c.refused, value)
				world := newWorld(t)
				world.env["TILL_"+strings.ToUpper(c.key)] = value
				_, err := world.load()
				if (err != nil) != refused || err != nil && !strings.Contains(err.Error(), c.advice) {
					t.Fatalf("%s = %q gives %v, want %q", c.key, value, err, c.advice)
				}
				if fault, is := errors.AsType[*settings.ValueError](err); err != nil && (!is || fault.FromFlag() || fault.Where != "TILL_"+strings.ToUpper(c.key) || fault.Unwrap() == nil) {
					t.Errorf("the error does not name the variable: %v", err)
				}
				if asked := settings.Check(c.key, value); (asked == nil) != (err == nil) {
					t.Errorf("Check returned %v, unlike the settings", asked)
				}
				expectHidden(t, err, "hidden", "\n", "\x1b")
				secret := strings.TrimSpace(value)
				if slices.Contains([]string{"webhook_secret", "access_token"}, c.key) && len(secret) > len("TGPT_") {
					expectHidden(t, err, secret)
				}
			})
		}
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
colour = 5.5

listen = "127.0.0.1:9000"`
	for _, c := range []struct{ name, key, value, from, to string }{
		{"a value is replaced in its place", "listen", "127.0.0.1:9001", `listen = "127.0.0.1:9000"`, `listen = "127.0.0.1:9001"`},
		{"a key is added at the end", "till", `T"2\`, `:9000"`, ":9000\"\ntill = \"T\\\"2\\\\\""},
		{"a blank value removes the key", "shop", "", `shop = "Chez Rado" # Since 1998.` + "\n", ""},
		{"a blank value removes a key with an invalid value", "colour", "", "colour = 5.5\n", ""},
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
	// Save cannot replace a folder that has the path of the file.
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
