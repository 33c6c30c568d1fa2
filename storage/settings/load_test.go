package settings_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage/settings"
)

func TestWrongSettingsFilesAreRefusedWithAdvice(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a misspelt key", "acces_token = \"x\"", `there is no setting "acces_token"`},
		{"a key of another shape", "[listen-address]\nport = 1", `there is no setting "listen-address"`},
		{"a very long key", strings.Repeat("k", 100) + " = 1", "there is no setting"},
		{"a date", "shop = 2026-11-21", "config.toml): write the value in double quotes"},
		{"a number that is no address", "listen = 8788", "config.toml): write HOST:PORT"},
		{"a list in place of one value", "shop = [\"a\", \"b\"]", "not a list"},
		{"a list of numbers", "webhook_secret = [1, 2]", "a list holds texts"},
		{"a list for the switch", "sound = [\"on\", \"off\"]", "not a list"},
		{"a list for the token", "access_token = [\"a\", \"b\"]", "not a list"},
		{"an empty secret", "webhook_secret = \"\"", "has 16 characters or more"},
		{"an empty list of secrets", "webhook_secret = []", "the list of webhook secrets is empty"},
		{"a short secret among good ones", "webhook_secret = [\"" + secret + "\", \"short\"]", "has 16 characters or more"},
		{"an empty access token", "access_token = \"\"", "begins with TGP_"},
		{"a text without quotes", "till = \"T1\"\nshop = Chez Rado", "line 2 cannot be read"},
		{"a secret without quotes", "webhook_secret = 0123" + secret, "line 1 cannot be read"},
		{"a key that appears twice", "till = \"T1\"\ntill = \"T2\"", "line 2 cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			world := newWorld(t)
			world.write("etc/till/config.toml", c.text, 0o600)
			_, err := world.load()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			expectHidden(t, err, secret)
		})
	}
}

func TestTwoSecretsASwitchAndNumbersAreAccepted(t *testing.T) {
	world := newWorld(t)
	world.write("etc/till/config.toml", "webhook_secret = [\"new_"+secret+"\", \""+secret+"\"]\nsound = false\nvat = 20\nprinter_columns = 42\ncredit_limit = 50000\n", 0o600)
	loaded := world.mustLoad()
	secrets := loaded.Webhook.Secrets
	if len(secrets) != 2 || secrets[0].Reveal() != "new_"+secret || secrets[1].Reveal() != secret || loaded.Counter.Sound {
		t.Errorf("got %d secrets and sound %v, want both secrets and no sound", len(secrets), loaded.Counter.Sound)
	}
	if loaded.Receipt.VAT != 20 || loaded.Receipt.Columns != 42 || loaded.Counter.CreditLimit != 50_000 {
		t.Errorf("got %+v and %+v", loaded.Receipt, loaded.Counter)
	}
}

// The test covers the settings file and the files of secrets, which follow the same rules.
func TestFilesThatOthersCanReadAreRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("rights are not in the mode there")
	}
	for _, c := range []struct {
		name, folder string // "credentials" stands for systemd's credentials folder.
		mode         fs.FileMode
		owner        int
		want         string // The command in the advice, before the path; blank for a file that is accepted.
	}{
		{"readable by everybody", "etc", 0o644, 0, "chmod 600 "},
		{"readable by the group", "etc", 0o640, 0, "chmod 600 "},
		{"writable by everybody", "etc", 0o602, 0, "chmod 600 "},
		{"only the owner can use it", "etc", 0o600, 0, ""},
		{"only the owner can read it", "etc", 0o400, 0, ""},
		{"with a path that a shell would part", "it's mine", 0o644, 0, "chmod 600 "},
		{"of another user, who can change it", "etc", 0o600, 12345, "chown 0 "},
		{"as systemd hands them over", "credentials", 0o440, 0, ""},
		{"credentials readable by everybody", "credentials", 0o444, 0, "chmod 600 "},
		{"credentials writable by the group", "credentials", 0o660, 0, "chmod 600 "},
		{"in a folder that is not systemd's", "elsewhere", 0o440, 0, "chmod 600 "},
	} {
		for variable, text := range map[string]string{"TILL_CONFIG": "shop = \"Rado\"", "TILL_WEBHOOK_SECRET_FILE": secret} {
			t.Run(variable+" "+c.name, func(t *testing.T) {
				world := newWorld(t)
				world.env["CREDENTIALS_DIRECTORY"] = filepath.Join(world.home, "credentials")
				path := world.write(c.folder+"/file", text, c.mode)
				world.env[variable] = path
				if c.owner > 0 {
					if os.Geteuid() != 0 {
						t.Skip("only root can give files away")
					}
					must(t, os.Chown(path, c.owner, -1))
				}
				if strings.Contains(path, "'") {
					path = "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
				}
				loaded, err := world.load()
				switch {
				case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want+path)):
					t.Errorf("got %v, want %s%s", err, c.want, path)
				case c.want == "" && (err != nil || loaded.Counter.Shop == "" && len(loaded.Webhook.Secrets) == 0):
					t.Errorf("the file was not read: %v", err)
				}
			})
		}
	}
}

func TestInvisibleCharactersInSecretsAreNamed(t *testing.T) {
	utf16 := "\xff\xfe"
	for _, character := range secret {
		utf16 += string(character) + "\x00"
	}
	for name, c := range map[string]struct{ before, after, want string }{
		"byte order mark":        {"\ufeff", "", "U+FEFF (byte order mark)"},
		"zero-width space":       {"", "\u200b", "U+200B (zero-width space)"},
		"zero-width joiner":      {"", "\u200d", "U+200D"},
		"right-to-left mark":     {"\u200f", "", "U+200F"},
		"soft hyphen":            {"", "\u00ad", "U+00AD (soft hyphen)"},
		"no-break space":         {"", "\u00a0", "U+00A0 (no-break space)"},
		"escape":                 {"", "\x1b", "U+001B"},
		"NUL":                    {"", "\x00", "U+0000 (NUL)"},
		"not UTF-8":              {"\xe9", "", "byte 0xE9 (not UTF-8)"},
		"UTF-16, as Notepad's":   {utf16, "", "byte 0xFF (not UTF-8)"},
		"accents, white space":   {" éàü ", " \t", ""},
		"text of another script": {"маркет", "", ""},
	} {
		for variable, value := range map[string]string{"TILL_WEBHOOK_SECRET": secret, "TILL_ACCESS_TOKEN": token} {
			t.Run(variable+" "+name, func(t *testing.T) {
				if c.want == "" && variable == "TILL_ACCESS_TOKEN" {
					t.Skip("a token is ASCII")
				}
				world := newWorld(t)
				world.env[variable+"_FILE"] = world.write("secret", c.before+value+c.after, 0o600)
				_, err := world.load()
				if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), value)) {
					t.Errorf("got %v, want %q", err, c.want)
				}
			})
		}
	}
}

func TestASecretFileLosesOneLineBreak(t *testing.T) {
	world := newWorld(t)
	for text, want := range map[string]string{
		secret + "\n": secret, secret: secret, secret + "\n\n": secret + "\n", secret + "\r\n": secret, " " + secret + " \n": " " + secret + " ",
	} {
		world.env["TILL_WEBHOOK_SECRET_FILE"] = world.write("secret", text, 0o600)
		if loaded := world.mustLoad(); loaded.Webhook.Secrets[0].Reveal() != want {
			t.Errorf("the text %q gives the secret %q", text, loaded.Webhook.Secrets[0].Reveal())
		}
	}
}

func TestAnUnusableSecretFileIsRefused(t *testing.T) {
	world := newWorld(t)
	for _, c := range []struct{ variable, path, also, want string }{
		{"TILL_WEBHOOK_SECRET", world.write("empty", "", 0o600), "", "has 16 characters or more"},
		{"TILL_WEBHOOK_SECRET", world.write("line", "\n", 0o600), "", "has 16 characters or more"},
		{"TILL_ACCESS_TOKEN", filepath.Join(world.home, "no"), "", "TILL_ACCESS_TOKEN_FILE: open"},
		{"TILL_ACCESS_TOKEN", world.home, "", "is a folder"},
		{"TILL_ACCESS_TOKEN", world.write("large", strings.Repeat("x", 1<<20+1), 0o600), "", "larger than 1 MiB"},
		{"TILL_ACCESS_TOKEN", world.write("token", token, 0o600), token, "unset one of them"},
	} {
		world := newWorld(t)
		world.env[c.variable+"_FILE"], world.env[c.variable] = c.path, c.also
		if _, err := world.load(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.path, err, c.want)
		}
	}
}

// For any text, a settings file gives either valid settings or an error.
func FuzzSettingsFile(f *testing.F) {
	f.Add("shop = \"Rado\"\nlisten = \"127.0.0.1:0\"\nsound = false\n")
	f.Add("webhook_secret = [\"" + secret + "\", \"" + secret + "2\"]\naccess_token = \"" + token + "\"")
	f.Add("base_url = \"http://[::1]:80/\"\ncheckout_hosts = [\"a.example\"]")
	f.Add("[a.b]\nc = 1\n")
	f.Add("shop = \"\"\"\n\x1b[31m\"\"\"\nlisten = 1")
	file := filepath.Join(f.TempDir(), "config.toml")
	f.Fuzz(func(t *testing.T, text string) {
		must(t, os.WriteFile(file, []byte(text), 0o600))
		loaded, err := settings.Load(settings.Sources{Path: file, Env: func(string) string { return "" }})
		if err != nil {
			return
		}
		for _, key := range loaded.Webhook.Secrets {
			if len([]rune(key.Reveal())) < 16 {
				t.Errorf("a short secret was accepted")
			}
		}
		token, address := loaded.Account.AccessToken, strings.ToLower(loaded.Account.BaseURL)
		shown := loaded.Counter.Shop + loaded.Counter.Till
		if !token.Empty() && !payments.IsToken(token) ||
			address != "" && !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://") ||
			strings.ContainsFunc(shown, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			t.Errorf("accepted token %+v, address %q, texts %q", token, address, shown)
		}
	})
}

func TestUnknownNamesComeWithTheNearestSetting(t *testing.T) {
	got := settings.UnknownVariables([]string{
		"TILL_ACCES_TOKEN=x", "TILL_TOKEN=x", "TILL_WEBHOOK_SECRET_FILES=x", "TILL_DATABSE=", "TILL_COLOUR=3", "TILL_ESC\x1b[2J=", "TILL",
		"TILL_BASE_URL=x", "TILL_WEBHOOK_SECRET_FILE=x", "TILL_CONFIG=x", "TILL_TEST_LONG=1", "HOME=/", "PATH",
	})
	want := map[string]string{
		"TILL_ACCES_TOKEN": "TILL_ACCESS_TOKEN", "TILL_TOKEN": "TILL_ACCESS_TOKEN",
		"TILL_WEBHOOK_SECRET_FILES": "TILL_WEBHOOK_SECRET_FILE", "TILL_DATABSE": "TILL_DATABASE", "TILL_COLOUR": "", "TILL_ESC[2J": "",
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	world := newWorld(t)
	for name, want := range map[string]string{"acces_token": "access_token", "colour": ""} {
		world.write("etc/till/config.toml", name+" = \"x\"", 0o600)
		_, err := world.load()
		if unknown, is := errors.AsType[*settings.UnknownKeyError](err); !is || unknown.Nearest != want {
			t.Errorf("%s: got %v, want the suggestion %q", name, err, want)
		}
	}
}
