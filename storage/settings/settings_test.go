package settings_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/storage/settings"
)

const (
	token  = "TGP_test_not_a_real_token"
	secret = "whsec_demo_0123456789abcdef"
)

// world is an environment with a home of its own.
type world struct {
	home string
	env  map[string]string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	home := t.TempDir()
	return &world{home: home, env: map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, "etc"),
		"XDG_DATA_HOME": filepath.Join(home, "share"), "XDG_STATE_HOME": filepath.Join(home, "state"),
	}}
}

func (w *world) getenv(name string) string { return w.env[name] }

// write puts a file into the home and returns its path.
func (w *world) write(t *testing.T, name, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(w.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	// The umask may have taken rights away.
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func (w *world) load(flags map[string]string) (settings.Settings, error) {
	return settings.Load(settings.Sources{Env: w.getenv, Flags: flags})
}

func TestAShopThatDecidedNothingHasTheDefaults(t *testing.T) {
	world := newWorld(t)
	loaded, err := world.load(nil)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%+v", loaded)
	want := fmt.Sprintf("%+v", settings.Settings{
		Account: settings.Account{OrderPath: "/api/payement/service"},
		Webhook: settings.Webhook{
			SignatureHeader: "x-svc-signature", SignatureScheme: "static",
			Listen: "127.0.0.1:8788", Listens: true, Path: "/webhook",
		},
		Counter: settings.Counter{Till: "T1", Theme: "auto", Sound: true},
		Files: settings.Files{
			Settings: filepath.Join(world.home, "etc", "till", "config.toml"),
			Database: filepath.Join(world.home, "share", "till", "till.db"),
			Demo:     filepath.Join(world.home, "share", "till", "demo.db"),
			Log:      filepath.Join(world.home, "state", "till", "till.log"), Marks: filepath.Join(world.home, "etc", "till", "databases"),
		},
	})
	if got != want {
		t.Errorf("defaults are\n%s\nwant\n%s", got, want)
	}
}

func TestEachSourceGoesBeforeTheNext(t *testing.T) {
	const usual, env, option = "etc/till/config.toml", "env.toml", "option.toml"
	for _, tt := range []struct {
		name          string
		files         []string // Each names its own path as the shop.
		variable      string
		flag          string
		want          string
		missingOption bool
	}{
		{name: "the default stands when nothing is said"},
		{name: "the file goes before the default", files: []string{usual}, want: usual},
		{name: "the environment goes before the file", files: []string{usual}, variable: "variable", want: "variable"},
		{name: "the flag goes before all", files: []string{usual}, variable: "variable", flag: "flag", want: "flag"},
		{name: "TILL_CONFIG names another file", files: []string{usual, env}, want: env},
		{name: "--config goes before TILL_CONFIG", files: []string{usual, env, option}, want: option},
		{name: "a file that was asked for must be there", files: []string{usual}, missingOption: true, want: "there is no settings file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			world, from := newWorld(t), settings.Sources{Flags: map[string]string{}}
			from.Env = world.getenv
			world.env["TILL_SHOP"] = tt.variable
			for _, file := range tt.files {
				path := world.write(t, file, "shop = '"+file+"'", 0o600)
				switch file {
				case env:
					world.env["TILL_CONFIG"] = path
				case option:
					from.Path = path
				}
			}
			if tt.missingOption {
				from.Path = filepath.Join(world.home, "missing.toml")
			}
			if tt.flag != "" {
				from.Flags["shop"] = tt.flag
			}
			loaded, err := settings.Load(from)
			got := loaded.Counter.Shop
			if tt.missingOption && err != nil {
				got, err = err.Error()[:len(tt.want)], nil
			}
			if err != nil || got != tt.want {
				t.Errorf("the shop is %q, %v, want %q", got, err, tt.want)
			}
		})
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
		"spool":            {"/tmp/spool.db", "/tmp/spool.db", func(s settings.Settings) any { return s.Files.Spool }},
		"public_url":       {"https://shop.example.mg", "https://shop.example.mg", func(s settings.Settings) any { return s.Webhook.PublicURL }},
		"shop":             {"Chez\tRado\u202e", "Chez Rado", func(s settings.Settings) any { return s.Counter.Shop }},
		"till":             {"Caisse 2", "Caisse 2", func(s settings.Settings) any { return s.Counter.Till }},
		"language":         {"mg", "mg", func(s settings.Settings) any { return s.Counter.Language }},
		"theme":            {"contrast", "contrast", func(s settings.Settings) any { return s.Counter.Theme }},
		"sound":            {"off", "false", func(s settings.Settings) any { return s.Counter.Sound }},
		"plain":            {"on", "true", func(s settings.Settings) any { return s.Counter.Plain }},
	}
	for _, key := range settings.Keys() {
		tt, known := values[key.Name]
		if !known {
			t.Errorf("the test has no value for %s", key.Name)
			continue
		}
		sources := map[string]func(*world) (settings.Settings, error){
			"file": func(w *world) (settings.Settings, error) {
				w.write(t, "etc/till/config.toml", fmt.Sprintf("%s = %q\n", key.Name, tt.value), 0o600)
				return w.load(nil)
			},
			"environment": func(w *world) (settings.Settings, error) {
				w.env[key.Env()] = tt.value
				return w.load(nil)
			},
			"flag": func(w *world) (settings.Settings, error) {
				return w.load(map[string]string{key.Name: tt.value})
			},
		}
		for source, load := range sources {
			t.Run(key.Name+" from the "+source, func(t *testing.T) {
				loaded, err := load(newWorld(t))
				if key.Secret && source == "flag" {
					if err == nil || !strings.Contains(err.Error(), "has no flag") {
						t.Errorf("a secret's flag gives %v", err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if got := fmt.Sprint(tt.got(loaded)); got != tt.want {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			})
		}
	}
}

func TestSecretsAreNeverPrinted(t *testing.T) {
	world := newWorld(t)
	world.env["TILL_ACCESS_TOKEN"], world.env["TILL_WEBHOOK_SECRET"] = token, secret
	loaded, err := world.load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		printed := fmt.Sprintf(verb, loaded)
		if strings.Contains(printed, token) || strings.Contains(printed, secret) {
			t.Errorf("W30 %s prints a secret: %s", verb, printed)
		}
	}
}

func TestASettingErrorTellsWhetherAFlagWasWrong(t *testing.T) {
	world := newWorld(t)
	_, err := world.load(map[string]string{"theme": "sepia"})
	var fault *settings.ValueError
	if !errors.As(err, &fault) || !fault.FromFlag() || fault.Where != "--theme" {
		t.Errorf("a wrong flag gives %v", err)
	}
	world.env["TILL_THEME"] = "sepia"
	_, err = world.load(nil)
	if !errors.As(err, &fault) || fault.FromFlag() || fault.Where != "TILL_THEME" || errors.Unwrap(fault) == nil {
		t.Errorf("a wrong variable gives %v", err)
	}
}

func TestFilesLieWhereTheSystemKeepsThem(t *testing.T) {
	for _, tt := range []struct {
		name, system        string
		env                 map[string]string
		config, data, state string
	}{
		{
			"XDG variables decide on every system", "darwin",
			map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s"},
			"/c", "/d", "/s",
		},
		{
			"a relative XDG variable counts as none", "linux",
			map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "etc"},
			"/h/.config", "/h/.local/share", "/h/.local/state",
		},
		{
			"macOS has its Library", "darwin",
			map[string]string{"HOME": "/h"},
			"/h/Library/Application Support", "/h/Library/Application Support", "/h/Library/Logs",
		},
		{
			"Windows has its AppData", "windows",
			map[string]string{"AppData": "/roaming", "LocalAppData": "/local"},
			"/roaming", "/local", "/local",
		},
		{"a process without a home has no places", "linux", nil, "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var want settings.Files
			if tt.config != "" {
				want = settings.Files{
					Settings: tt.config + "/till/config.toml", Database: tt.data + "/till/till.db", Demo: tt.data + "/till/demo.db",
					Log: tt.state + "/till/till.log", Marks: tt.config + "/till/databases",
				}
			}
			if got := settings.Places(tt.system, func(name string) string { return tt.env[name] }); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func TestADatabaseUnderHomeIsExpanded(t *testing.T) {
	world := newWorld(t)
	for given, want := range map[string]string{
		"~/till.db": filepath.Join(world.home, "till.db"), "till.db": "till.db", "postgres://db/till": "postgres://db/till",
	} {
		loaded, err := world.load(map[string]string{"database": given})
		if err != nil || loaded.Files.Database != want {
			t.Errorf("%s becomes %q, %v, want %q", given, loaded.Files.Database, err, want)
		}
	}
}

// P11: where several tills share a shop, its listener is another program.
func TestAConsoleListensUnlessItsDatabaseIsAtAServer(t *testing.T) {
	for _, tt := range []struct {
		database, listen string
		want             bool
	}{
		{"till.db", "", true},
		{"till.db", "127.0.0.1:9000", true},
		{"postgres://db/till", "", false},
		{"postgres://db/till", "127.0.0.1:8788", true},
	} {
		world := newWorld(t)
		world.env["TILL_DATABASE"], world.env["TILL_LISTEN"] = tt.database, tt.listen
		loaded, err := world.load(nil)
		if err != nil || loaded.Webhook.Listens != tt.want || loaded.Webhook.Listen == "" {
			t.Errorf("P11 %+v: %+v %v", tt, loaded.Webhook, err)
		}
	}
}

func TestASpoolStandsBeforeADatabaseElsewhere(t *testing.T) {
	world := newWorld(t)
	for _, tt := range []struct{ database, spool, want string }{
		{"till.db", "", ""},
		{"postgres://db/till", "", filepath.Join(world.home, "state", "till", "spool.db")},
		{"postgres://db/till", "/mnt/b/spool.db", "/mnt/b/spool.db"},
		{"till.db", "~/spool.db", filepath.Join(world.home, "spool.db")},
	} {
		world.env["TILL_DATABASE"], world.env["TILL_SPOOL"] = tt.database, tt.spool
		if loaded, err := world.load(nil); err != nil || loaded.Files.Spool != tt.want {
			t.Errorf("%+v: the spool is %q, %v", tt, loaded.Files.Spool, err)
		}
	}
}

func TestATillKeepsItsSalesApartFromADatabaseAtAServer(t *testing.T) {
	world := newWorld(t)
	place := func(database, till string) string {
		t.Helper()
		loaded, err := world.load(map[string]string{"database": database, "till": till})
		if err != nil {
			t.Fatal(err)
		}
		return loaded.Files.Drafts
	}
	const address = "postgres://till@db:5432/shop?sslmode=disable"
	usual := place(address, "T1")
	if folder, name := filepath.Split(usual); folder != filepath.Join(world.home, "state", "till")+"/" || !strings.HasPrefix(name, "drafts-T1-") {
		t.Errorf("the sales are kept in %q", usual)
	}
	if found := place("till.db", "T1"); found != "" {
		t.Errorf("those of a database in a file are kept in %q", found)
	}
	for name, tt := range map[string]struct {
		database, till string
		same           bool
	}{
		"the same for another user":           {"postgresql://soa@db:5432/shop", "T1", true},
		"the same another way":                {"postgres://till@db:5432/shop?sslmode=require", "T1", true},
		"another till's":                      {address, "T2", false},
		"a till's whose letters are the same": {address, "T-1", false},
		"another server's":                    {"postgres://till@other:5432/shop", "T1", false},
		"another database's":                  {"postgres://till@db:5432/test", "T1", false},
		"those behind a socket":               {"postgres://till@/shop?host=/run/postgresql", "T1", false},
		"another schema's":                    {address + "&search_path=two", "T1", false},
	} {
		if found := place(tt.database, tt.till); (found == usual) != tt.same {
			t.Errorf("%s are kept in %s, the usual ones in %s", name, found, usual)
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

func TestAPasswordStandsOnNoCommandLine(t *testing.T) {
	for address, fits := range map[string]bool{
		"postgres://till@db/shop":                    true,
		"postgres://db/shop?sslmode=verify-full":     true,
		"/var/lib/till/a:b@c.db":                     true,
		"postgres://till:not-a-password@db/shop":     false,
		"postgresql://till:not-a-password@db/shop":   false,
		"postgres://db/shop?password=not-a-password": false,
		"postgres://till:not-a%zz-password@db/shop":  false,
		" POSTGRES://till:not-a-password@db/shop":    false,
		"postgres://till:not-a@password@db/shop":     false,
	} {
		_, err := settings.Load(settings.Sources{
			Env: func(string) string { return "" }, Flags: map[string]string{"database": address},
		})
		if (err == nil) != fits || err != nil && strings.Contains(err.Error(), "not-a") {
			t.Errorf("%s: %v", address, err)
		}
		env := func(name string) string { return map[string]string{"TILL_DATABASE": address}[name] }
		if _, err := settings.Load(settings.Sources{Env: env}); err != nil {
			t.Errorf("%s in the environment: %v", address, err)
		}
	}
}
