package settings_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage/settings"
)

// readText loads the text of a settings file.
func readText(t *testing.T, text string) (settings.Settings, error) {
	t.Helper()
	world := newWorld(t)
	world.write(t, "etc/till/config.toml", text, 0o600)
	return world.load(nil)
}

func TestWrongSettingsFilesAreRefusedWithAdvice(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a misspelt key", "acces_token = \"x\"", `there is no setting "acces_token"`},
		{"a key of another shape", "[listen-address]\nport = 1", `there is no setting "listen-address"`},
		{"a very long key", strings.Repeat("k", 100) + " = 1", "there is no setting"},
		{"a number", "listen = 8788", "config.toml: write the value in double quotes"},
		{"a list where one value stands", "shop = [\"a\", \"b\"]", "not a list"},
		{"a list of numbers", "webhook_secret = [1, 2]", "a list holds texts"},
		{"a list for the switch", "sound = [\"on\", \"off\"]", "not a list"},
		{"a list for the token", "access_token = [\"a\", \"b\"]", "not a list"},
		{"W29 an empty secret", "webhook_secret = \"\"", "the webhook secret is empty"},
		{"W29 an empty list of secrets", "webhook_secret = []", "the list of webhook secrets is empty"},
		{"W29 a short secret among good ones", "webhook_secret = [\"" + secret + "\", \"short\"]", "has 5 characters"},
		{"an empty access token", "access_token = \"\"", "begins with TGP_"},
		{"a text without quotes", "till = \"T1\"\nshop = Chez Rado", "line 2 cannot be read"},
		{"a secret without quotes", "webhook_secret = 0123" + secret, "line 1 cannot be read"},
		{"a key that stands twice", "till = \"T1\"\ntill = \"T2\"", "line 2 cannot be read"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readText(t, tt.text)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v, want %q", err, tt.want)
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("W30 the message shows the secret: %v", err)
			}
		})
	}
}

func TestTwoSecretsAreGoodWhileOneIsChanged(t *testing.T) {
	loaded, err := readText(t, "webhook_secret = [\"new_"+secret+"\", \""+secret+"\"]\nsound = false\n")
	if err != nil {
		t.Fatal(err)
	}
	secrets := loaded.Webhook.Secrets
	if len(secrets) != 2 || secrets[0].Reveal() != "new_"+secret || secrets[1].Reveal() != secret || loaded.Counter.Sound {
		t.Errorf("got %d secrets, sound %v", len(secrets), loaded.Counter.Sound)
	}
}

func TestFilesThatOthersCanReadAreRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("rights are not in the mode there")
	}
	tests := []struct {
		name string
		mode fs.FileMode
		good bool
	}{
		{"W29 readable by everybody", 0o644, false},
		{"readable by the group", 0o640, false},
		{"writable by everybody", 0o602, false},
		{"the owner's alone", 0o600, true},
		{"the owner's alone, not to be written", 0o400, true},
	}
	for _, tt := range tests {
		t.Run("settings file "+tt.name, func(t *testing.T) {
			world := newWorld(t)
			path := world.write(t, "etc/till/config.toml", "shop = \"Rado\"", tt.mode)
			loaded, err := world.load(nil)
			checkRights(t, err, path, tt.good)
			if tt.good && loaded.Counter.Shop != "Rado" {
				t.Errorf("shop is %q", loaded.Counter.Shop)
			}
		})
		t.Run("secret file "+tt.name, func(t *testing.T) {
			world := newWorld(t)
			path := world.write(t, "secret", secret, tt.mode)
			world.env["TILL_WEBHOOK_SECRET_FILE"] = path
			_, err := world.load(nil)
			checkRights(t, err, path, tt.good)
		})
	}
}

// Who owns a file can change its rights and its text.
func TestAFileOfAnotherUserIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	world := newWorld(t)
	path := world.write(t, "etc/till/config.toml", "shop = \"Rado\"", 0o600)
	if err := os.Chown(path, 12345, -1); err != nil {
		t.Fatal(err)
	}
	if _, err := world.load(nil); err == nil || !strings.Contains(err.Error(), "chown 0 "+path) {
		t.Errorf("S18 got %v", err)
	}
}

func TestCredentialsOfSystemdMayBeReadByTheirGroup(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("rights are not in the mode there")
	}
	for _, tt := range []struct {
		name, folder string
		mode         fs.FileMode
		good         bool
	}{
		{"as systemd hands them over", "credentials", 0o440, true},
		{"W29 readable by everybody", "credentials", 0o444, false},
		{"writable by the group", "credentials", 0o660, false},
		{"W29 in another folder", "elsewhere", 0o440, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			world := newWorld(t)
			world.env["CREDENTIALS_DIRECTORY"] = filepath.Join(world.home, "credentials")
			path := world.write(t, tt.folder+"/config.toml", "shop = \"Rado\"", tt.mode)
			world.env["TILL_CONFIG"] = path
			_, err := world.load(nil)
			checkRights(t, err, path, tt.good)
			delete(world.env, "TILL_CONFIG")
			path = world.write(t, tt.folder+"/secret", secret, tt.mode)
			world.env["TILL_WEBHOOK_SECRET_FILE"] = path
			_, err = world.load(nil)
			checkRights(t, err, path, tt.good)
		})
	}
}

func checkRights(t *testing.T, err error, path string, good bool) {
	t.Helper()
	switch {
	case good && err != nil:
		t.Error(err)
	case !good && (err == nil || !strings.Contains(err.Error(), "chmod 600 "+path)):
		t.Errorf("got %v, want the chmod that mends %s", err, path)
	}
}

func TestTheAdviceCanBePasted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("rights are not in the mode there")
	}
	world := newWorld(t)
	world.env["TILL_CONFIG"] = world.write(t, "it's a shop.toml", "", 0o644)
	_, err := world.load(nil)
	want := "chmod 600 '" + world.home + `/it'\''s a shop.toml'`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestASecretFileLosesOneLineBreak(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"W29 with a line break", secret + "\n", secret},
		{"without a line break", secret, secret},
		{"with two line breaks", secret + "\n\n", secret + "\n"},
		{"with the line break of Windows", secret + "\r\n", secret},
		{"with blanks around", " " + secret + " \n", " " + secret + " "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			world := newWorld(t)
			world.env["TILL_WEBHOOK_SECRET_FILE"] = world.write(t, "secret", tt.text, 0o600)
			loaded, err := world.load(nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := loaded.Webhook.Secrets[0].Reveal(); got != tt.want {
				t.Errorf("the secret is %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSecretFilesThatGiveNoSecret(t *testing.T) {
	world := newWorld(t)
	tests := []struct{ name, variable, path, also, want string }{
		{"W29 an empty file", "TILL_WEBHOOK_SECRET_FILE", world.write(t, "empty", "", 0o600), "", "is empty"},
		{"W29 a file with a line break alone", "TILL_WEBHOOK_SECRET_FILE", world.write(t, "line", "\n", 0o600), "", "is empty"},
		{"a file that is not there", "TILL_ACCESS_TOKEN_FILE", filepath.Join(world.home, "no"), "", "TILL_ACCESS_TOKEN_FILE: open"},
		{"a folder", "TILL_ACCESS_TOKEN_FILE", world.home, "", "is a folder"},
		{"a file that is too large", "TILL_ACCESS_TOKEN_FILE", world.write(t, "large", strings.Repeat("x", 1<<20+1), 0o600), "", "larger than 1 MiB"},
		{"the value beside the file", "TILL_ACCESS_TOKEN_FILE", world.write(t, "token", token, 0o600), token, "unset one of them"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			world := newWorld(t)
			world.env[tt.variable] = tt.path
			world.env["TILL_ACCESS_TOKEN"] = tt.also
			_, err := world.load(nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// F9: whatever stands in the settings file, reading it ends with sound
// settings or an error that shows no secret.
func FuzzSettingsFile(f *testing.F) {
	f.Add("shop = \"Rado\"\nlisten = \"127.0.0.1:0\"\nsound = false\n")
	f.Add("webhook_secret = [\"" + secret + "\", \"" + secret + "2\"]\naccess_token = \"" + token + "\"")
	f.Add("base_url = \"http://[::1]:80/\"\ncheckout_hosts = [\"a.example\"]")
	f.Add("[a.b]\nc = 1\n")
	f.Add("shop = \"\"\"\n\x1b[31m\"\"\"\nlisten = 1")
	file := filepath.Join(f.TempDir(), "config.toml")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		loaded, err := settings.Load(settings.Sources{Path: file, Env: func(string) string { return "" }})
		if err != nil {
			return
		}
		for _, key := range loaded.Webhook.Secrets {
			if len([]rune(key.Reveal())) < 16 {
				t.Errorf("a short secret was taken")
			}
		}
		if token := loaded.Account.AccessToken; !token.Empty() && !payments.IsToken(token) {
			t.Errorf("a token without its beginning was taken")
		}
		address := loaded.Account.BaseURL
		if address != "" && !strings.HasPrefix(strings.ToLower(address), "https://") && !strings.HasPrefix(strings.ToLower(address), "http://") {
			t.Errorf("base_url %q was taken", address)
		}
		if strings.ContainsFunc(loaded.Counter.Shop+loaded.Counter.Till, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			t.Errorf("a control character was taken in %q, %q", loaded.Counter.Shop, loaded.Counter.Till)
		}
	})
}
