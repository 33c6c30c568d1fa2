package settings_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"checkout/till/storage/settings"
)

const (
	relayKey = "AAAAABBBBBCCCCCDDDDDEEEEEFGGGGGHHHHHIIIIIJJJJJKKKKKL"
	token    = "TGP_test_not_a_real_token"
	secret   = "whsec_demo_0123456789abcdef"
)

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// world is an environment with a temporary home folder.
type world struct {
	t    *testing.T
	home string
	env  map[string]string
	settings.Sources
}

func newWorld(t *testing.T) *world {
	t.Helper()
	home := t.TempDir()
	w := &world{t: t, home: home, env: map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, "etc"),
		"XDG_DATA_HOME": filepath.Join(home, "share"), "XDG_STATE_HOME": filepath.Join(home, "state"),
	}}
	w.Sources = settings.Sources{Env: w.getenv, Flags: map[string]string{}}
	return w
}

func (w *world) getenv(name string) string { return w.env[name] }

// write writes a file into the home folder and returns its path.
func (w *world) write(name, text string, mode os.FileMode) string {
	w.t.Helper()
	path := w.home + "/" + name
	must(w.t, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), mode))
	must(w.t, os.Chmod(path, mode)) // WriteFile applies the umask.
	return path
}

func (w *world) load() (settings.Settings, error) { return settings.Load(w.Sources) }

func (w *world) mustLoad() settings.Settings {
	w.t.Helper()
	loaded, err := w.load()
	must(w.t, err)
	return loaded
}

func TestUnsetSettingsHaveDefaults(t *testing.T) {
	world := newWorld(t)
	got := fmt.Sprintf("%+v", world.mustLoad())
	want := fmt.Sprintf("%+v", settings.Settings{
		Account: settings.Account{OrderPath: "/api/payement/service"},
		Webhook: settings.Webhook{
			SignatureHeader: "x-svc-signature", SignatureScheme: "static",
			Listen: "127.0.0.1:8788", Listens: true, Path: "/webhook",
		},
		Counter: settings.Counter{Till: "T1", Theme: "auto", Tenders: []string{"link", "cash"}, Sound: true, Motion: true},
		Receipt: settings.Receipt{Columns: 32, Drawer: 2, CodePage: "858", Code: true, Status: true, Print: "offer"},
		Files: settings.Files{
			Settings: filepath.Join(world.home, "etc", "till", "config.toml"),
			Database: filepath.Join(world.home, "share", "till", "till.db"),
			Demo:     filepath.Join(world.home, "share", "till", "demo.db"),
			Log:      filepath.Join(world.home, "state", "till", "till.log"), Marks: filepath.Join(world.home, "etc", "till", "databases"),
		},
		Log: settings.Log{Level: "info", Format: "text"},
	})
	if got != want {
		t.Errorf("defaults are\n%s\nwant\n%s", got, want)
	}
}

func TestEachSourceOverridesThePreviousOne(t *testing.T) {
	world := newWorld(t)
	for _, c := range []struct {
		want string
		say  func()
	}{
		{"", func() {}},
		{"the usual file", func() { world.write("etc/till/config.toml", "shop = 'the usual file'", 0o600) }},
		{"TILL_CONFIG", func() { world.env["TILL_CONFIG"] = world.write("env.toml", "shop = 'TILL_CONFIG'", 0o600) }},
		{"--config", func() { world.Path = world.write("option.toml", "shop = '--config'", 0o600) }},
		{"the environment", func() { world.env["TILL_SHOP"] = "the environment" }},
		{"the flag", func() { world.Flags["shop"] = "the flag" }},
	} {
		c.say()
		if got := world.mustLoad().Counter.Shop; got != c.want {
			t.Errorf("the shop is %q, want %q", got, c.want)
		}
	}
	world.Path = filepath.Join(world.home, "missing.toml")
	if _, err := world.load(); err == nil || !strings.Contains(err.Error(), "there is no settings file") {
		t.Errorf("a missing file named with --config: got error %v", err)
	}
}

func TestEveryKeyIsReadFromTheFileTheEnvironmentAndTheFlag(t *testing.T) {
	values := map[string]struct {
		value, want string
		got         func(settings.Settings) any
	}{
		"base_url":         {"https://pay.example.mg/v1/", "https://pay.example.mg/v1", func(s settings.Settings) any { return s.Account.BaseURL }},
		"order_path":       {"/order", "/order", func(s settings.Settings) any { return s.Account.OrderPath }},
		"access_token":     {token, token, func(s settings.Settings) any { return s.Account.AccessToken.Reveal() }},
		"checkout_hosts":   {"Pay.example.mg", "[pay.example.mg]", func(s settings.Settings) any { return s.Account.CheckoutHosts }},
		"database":         {"/tmp/a b.db", "/tmp/a b.db", func(s settings.Settings) any { return s.Files.Database }},
		"webhook_secret":   {"with, a comma and blanks ", "with, a comma and blanks ", func(s settings.Settings) any { return s.Webhook.Secrets[0].Reveal() }},
		"signature_header": {"x-brand-signature", "x-brand-signature", func(s settings.Settings) any { return s.Webhook.SignatureHeader }},
		"signature_scheme": {"Body", "body", func(s settings.Settings) any { return s.Webhook.SignatureScheme }},
		"listen":           {":9000", ":9000", func(s settings.Settings) any { return s.Webhook.Listen }},
		"webhook_path":     {"/h/Zk3", "/h/Zk3", func(s settings.Settings) any { return s.Webhook.Path }},
		"outbox":           {"/tmp/outbox.db", "/tmp/outbox.db", func(s settings.Settings) any { return s.Files.Outbox }},
		"public_url":       {"https://shop.example.mg", "https://shop.example.mg", func(s settings.Settings) any { return s.Webhook.PublicURL }},
		"relay":            {"https://relay.example.mg/w/7GQX", "https://relay.example.mg/w/7GQX", func(s settings.Settings) any { return s.Webhook.Relay }},
		"relay_key":        {relayKey, relayKey, func(s settings.Settings) any { return s.Webhook.RelayKey.Reveal() }},
		"shop":             {"Chez\tRado\u202e", "Chez Rado", func(s settings.Settings) any { return s.Counter.Shop }},
		"till":             {"Caisse 2", "Caisse 2", func(s settings.Settings) any { return s.Counter.Till }},
		"log_level":        {"warn", "warn", func(s settings.Settings) any { return s.Log.Level }},
		"log_format":       {"json", "json", func(s settings.Settings) any { return s.Log.Format }},
		"language":         {"mg", "mg", func(s settings.Settings) any { return s.Counter.Language }},
		"tenders":          {"card", "[card]", func(s settings.Settings) any { return s.Counter.Tenders }},
		"theme":            {"contrast", "contrast", func(s settings.Settings) any { return s.Counter.Theme }},
		"sound":            {"off", "false", func(s settings.Settings) any { return s.Counter.Sound }},
		"motion":           {"off", "false", func(s settings.Settings) any { return s.Counter.Motion }},
		"voice":            {"on", "true", func(s settings.Settings) any { return s.Counter.Voice }},
		"printer":          {"tcp://192.168.1.50:9100", "tcp://192.168.1.50:9100", func(s settings.Settings) any { return s.Receipt.Printer }},
		"printer_codepage": {"1252", "1252", func(s settings.Settings) any { return s.Receipt.CodePage }},
		"printer_code":     {"off", "false", func(s settings.Settings) any { return s.Receipt.Code }},
		"printer_status":   {"off", "false", func(s settings.Settings) any { return s.Receipt.Status }},
		"drawer_pin":       {"5", "5", func(s settings.Settings) any { return s.Receipt.Drawer }},
		"printer_columns":  {"42", "42", func(s settings.Settings) any { return s.Receipt.Columns }},
		"receipt":          {"Always", "always", func(s settings.Settings) any { return s.Receipt.Print }},
		"receipt_header":   {"Lot 0, Analakely", "Lot 0, Analakely", func(s settings.Settings) any { return strings.Join(s.Receipt.Header, "+") }},
		"receipt_footer":   {"Misaotra \u202e!", "Misaotra !", func(s settings.Settings) any { return strings.Join(s.Receipt.Footer, "+") }},
		"nif":              {"0000000000", "0000000000", func(s settings.Settings) any { return s.Receipt.NIF }},
		"stat":             {"00000 00 0000", "00000 00 0000", func(s settings.Settings) any { return s.Receipt.STAT }},
		"vat":              {"20", "20", func(s settings.Settings) any { return s.Receipt.VAT }},
		"credit_limit":     {"50 000", "50000", func(s settings.Settings) any { return s.Counter.CreditLimit }},
		"blind_count":      {"on", "true", func(s settings.Settings) any { return s.Counter.BlindCount }},
		"day_begins":       {"4:30", "4h30m0s", func(s settings.Settings) any { return s.Counter.DayBegins }},
		"plain":            {"on", "true", func(s settings.Settings) any { return s.Counter.Plain }},
	}
	for _, key := range settings.Keys() {
		c, known := values[key.Name]
		if !known {
			t.Errorf("the test has no value for %s", key.Name)
			continue
		}
		for source, say := range map[string]func(*world){
			"file":        func(w *world) { w.write("etc/till/config.toml", fmt.Sprintf("%s = %q\n", key.Name, c.value), 0o600) },
			"environment": func(w *world) { w.env[key.Env()] = c.value },
			"flag":        func(w *world) { w.Flags[key.Name] = c.value },
		} {
			t.Run(key.Name+" from the "+source, func(t *testing.T) {
				world := newWorld(t)
				say(world)
				loaded, err := world.load()
				if key.Secret && source == "flag" {
					if err == nil || !strings.Contains(err.Error(), "has no flag") {
						t.Errorf("a flag for a secret: got error %v", err)
					}
					return
				}
				must(t, err)
				if got := fmt.Sprint(c.got(loaded)); got != c.want {
					t.Errorf("got %q, want %q", got, c.want)
				}
			})
		}
	}
}

func TestALineOfAReceiptMayHaveCommasAndBlanks(t *testing.T) {
	const want = "Lot 0, Analakely+Antananarivo 101"
	for source, say := range map[string]func(*world){
		"a list in the file": func(w *world) {
			w.write("etc/till/config.toml", `receipt_header = ["Lot 0, Analakely", "Antananarivo 101"]`, 0o600)
		},
		"a variable": func(w *world) { w.env["TILL_RECEIPT_HEADER"] = "Lot 0, Analakely|Antananarivo 101" },
		"a flag":     func(w *world) { w.Flags["receipt_header"] = "Lot 0, Analakely|Antananarivo 101" },
	} {
		world := newWorld(t)
		say(world)
		if got := strings.Join(world.mustLoad().Receipt.Header, "+"); got != want {
			t.Errorf("%s gives %q, want %q", source, got, want)
		}
	}
}

func TestTheTokenSaysWhetherTheAccountIsATest(t *testing.T) {
	world := newWorld(t)
	for value, test := range map[string]bool{token: false, "TGPT_not_a_real_token": true} {
		world.env["TILL_ACCESS_TOKEN"] = value
		if world.mustLoad().Account.Test() != test {
			t.Errorf("%s: Test() is %v", value, !test)
		}
	}
}

func TestFilesHaveTheSystemsUsualPaths(t *testing.T) {
	for _, c := range []struct {
		name, system        string
		env                 map[string]string
		config, data, state string
	}{
		{"XDG variables decide on every system", "darwin", map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s"}, "/c", "/d", "/s"},
		{"a relative XDG variable is ignored", "linux", map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "etc"}, "/h/.config", "/h/.local/share", "/h/.local/state"},
		{"macOS has its Library", "darwin", map[string]string{"HOME": "/h"}, "/h/Library/Application Support", "/h/Library/Application Support", "/h/Library/Logs"},
		{"Windows has its AppData", "windows", map[string]string{"AppData": "/roaming", "LocalAppData": "/local"}, "/roaming", "/local", "/local"},
		{"a process without a home has no places", "linux", nil, "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want settings.Files
			if c.config != "" {
				want = settings.Files{
					Settings: c.config + "/till/config.toml", Database: c.data + "/till/till.db", Demo: c.data + "/till/demo.db",
					Log: c.state + "/till/till.log", Marks: c.config + "/till/databases",
				}
			}
			if got := settings.Places(c.system, func(name string) string { return c.env[name] }); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// A misspelled address must not be used as a file name, because it may contain a password. A
// password must not be on the command line, which other users of the machine can read.
func TestADatabaseIsAFileOrAServerAddress(t *testing.T) {
	home := filepath.Join(newWorld(t).home, "till.db")
	for _, c := range []struct {
		value, want string // Normalized value; blank if the value is refused.
		flag        bool   // The value may be given on the command line.
	}{
		{"POSTGRES://till@db/shop", "postgres://till@db/shop", true},
		{" postgresql://db/shop?sslmode=verify-full ", "postgresql://db/shop?sslmode=verify-full", true},
		{"a=b.db", "a=b.db", true},
		{"/var/lib/till/a:b@c d.db", "/var/lib/till/a:b@c d.db", true},
		{`C:\till\till.db`, `C:\till\till.db`, true},
		{"~/till.db", home, true},
		{"postgres://till:hidden@db/shop", "postgres://till:hidden@db/shop", false},
		{" POSTGRESQL://till:hidden@db/shop", "postgresql://till:hidden@db/shop", false},
		{"postgres://db/shop?password=hidden", "postgres://db/shop?password=hidden", false},
		{"postgres://till:hid%zzden@db/shop", "postgres://till:hid%zzden@db/shop", false},
		{"postgres://till:hidden@password@db/shop", "postgres://till:hidden@password@db/shop", false},
		{"mysql://u:hidden@h/d", "", false},
		{"host=127.0.0.1 password=hidden", "", false},
		{"dbname=shop", "", false},
		{"postgres:/u:hidden@h/d", "", false},
		{"file:///tmp/a.db", "", false},
		{" ", "", false},
	} {
		world := newWorld(t)
		world.env["HOME"] = filepath.Dir(home)
		world.env["TILL_DATABASE"] = c.value
		loaded, err := world.load()
		if loaded.Files.Database != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q gives database %q (%v), want %q", c.value, loaded.Files.Database, err, c.want)
		}
		expectHidden(t, err, "hid")
		world.Flags["database"] = c.value
		_, err = world.load()
		if (err == nil) != c.flag {
			t.Errorf("%s on the command line: %v", c.value, err)
		}
		expectHidden(t, err, "hid")
	}
}

func TestARelativePathInTheFileBeginsAtItsFolder(t *testing.T) {
	world := newWorld(t)
	path := world.write("etc/till/config.toml", "database = \"data/shop.db\"\noutbox = \"../outbox.db\"\n", 0o600)
	files := world.mustLoad().Files
	if want := filepath.Join(filepath.Dir(path), "data", "shop.db"); files.Database != want || files.Outbox != filepath.Join(world.home, "etc", "outbox.db") {
		t.Errorf("got database %q, want %q; outbox %q", files.Database, want, files.Outbox)
	}
	world.env["TILL_OUTBOX"], world.Flags["database"] = "here.db", "shop.db"
	if files := world.mustLoad().Files; files.Database != "shop.db" || files.Outbox != "here.db" {
		t.Errorf("outside the file, got database %q and outbox %q", files.Database, files.Outbox)
	}
}

func TestEachSettingsFileHasAnOutboxOfItsOwn(t *testing.T) {
	world := newWorld(t)
	known := make(map[string]string)
	for _, name := range []string{"", "shop.toml", "test.toml"} {
		world.Path = ""
		if name != "" {
			world.Path = world.write(name, "database = \"postgres://db/till\"\n", 0o600)
		}
		world.env["TILL_DATABASE"] = "postgres://db/till"
		outbox := world.mustLoad().Files.Outbox
		if other, is := known[outbox]; is {
			t.Errorf("the settings %q and %q have the outbox %s", name, other, outbox)
		}
		known[outbox] = name
	}
}

// Several tills share a database server. By default, their consoles do not listen, because another
// program does. If a till does listen, it has an outbox.
func TestATillWithAServerListensOnlyIfToldTo(t *testing.T) {
	world := newWorld(t)
	outbox := filepath.Join(world.home, "state", "till", "outbox.db")
	for _, c := range []struct {
		database, listen, outbox string
		listens                  bool
		wantOutbox               string
	}{
		{"till.db", "", "", true, ""},
		{"till.db", "127.0.0.1:9000", "~/outbox.db", true, filepath.Join(world.home, "outbox.db")},
		{"postgres://db/till", "", "", false, outbox},
		{"postgres://db/till", "127.0.0.1:8788", "/mnt/b/outbox.db", true, "/mnt/b/outbox.db"},
	} {
		world.env["TILL_DATABASE"], world.env["TILL_LISTEN"], world.env["TILL_OUTBOX"] = c.database, c.listen, c.outbox
		loaded := world.mustLoad()
		if loaded.Webhook.Listens != c.listens || loaded.Webhook.Listen == "" || loaded.Files.Outbox != c.wantOutbox {
			t.Errorf("%+v: got %+v and outbox %q", c, loaded.Webhook, loaded.Files.Outbox)
		}
	}
}

func TestATillWithAServerKeepsItsSalesInAFile(t *testing.T) {
	world := newWorld(t)
	place := func(database, till string) string {
		t.Helper()
		world.Flags["database"], world.Flags["till"] = database, till
		return world.mustLoad().Files.Drafts
	}
	const address = "postgres://till@db:5432/shop?sslmode=disable"
	usual := place(address, "T1")
	if folder, name := filepath.Split(usual); folder != filepath.Join(world.home, "state", "till")+"/" || !strings.HasPrefix(name, "drafts-T1-") {
		t.Errorf("the sales file is %q", usual)
	}
	files := world.mustLoad().Files
	world.write(strings.TrimPrefix(usual, world.home), "", 0o644)
	if got := files.Loose(); !slices.Equal(got, []string{"chmod 600 " + usual}) {
		t.Errorf("Loose returned %q", got)
	}
	if found := place("till.db", "T1"); found != "" {
		t.Errorf("with a database file, the sales file is %q, want none", found)
	}
	for name, c := range map[string]struct {
		database, till string
		same           bool
	}{
		"the same for another user":           {"postgresql://soa@db:5432/shop", "T1", true},
		"the same another way":                {"postgres://till@db:5432/shop?sslmode=require", "T1", true},
		"another till's":                      {address, "T2", false},
		"a till's whose letters are the same": {address, "T-1", false},
		"another server's":                    {"postgres://till@other:5432/shop", "T1", false},
		"another database's":                  {"postgres://till@db:5432/test", "T1", false},
		"those at a socket":                   {"postgres://till@/shop?host=/run/postgresql", "T1", false},
		"another schema's":                    {address + "&search_path=two", "T1", false},
	} {
		if found := place(c.database, c.till); (found == usual) != c.same {
			t.Errorf("%s: the sales file is %s, the usual one %s", name, found, usual)
		}
	}
}

func ExampleLoad() {
	environment := map[string]string{"HOME": "/home/rado", "TILL_TILL": "T2"}
	loaded, err := settings.Load(settings.Sources{
		Env:   func(name string) string { return environment[name] },
		Flags: map[string]string{"language": "mg"},
	})
	fmt.Println(loaded.Counter.Till, loaded.Counter.Language, loaded.Webhook.Listen, err)
	// Output: T2 mg 127.0.0.1:8788 <nil>
}
