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

// The settings file and a secret's file have the same rules.
func TestFilesThatOthersCanReadAreRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("rights are not in the mode there")
	}
	for _, tt := range []struct {
		name, folder string // Systemd's credentials lie in a folder of their own.
		mode         fs.FileMode
		owner        int
		want         string // What mends it, before the path; blank where nothing is wrong.
	}{
		{"W29 readable by everybody", "etc", 0o644, 0, "chmod 600 "},
		{"readable by the group", "etc", 0o640, 0, "chmod 600 "},
		{"writable by everybody", "etc", 0o602, 0, "chmod 600 "},
		{"the owner's alone", "etc", 0o600, 0, ""},
		{"the owner's alone, not to be written", "etc", 0o400, 0, ""},
		{"with a path that a shell would part", "it's mine", 0o644, 0, "chmod 600 "},
		{"S18 of another user, who can change it", "etc", 0o600, 12345, "chown 0 "},
		{"as systemd hands them over", "credentials", 0o440, 0, ""},
		{"W29 credentials readable by everybody", "credentials", 0o444, 0, "chmod 600 "},
		{"credentials writable by the group", "credentials", 0o660, 0, "chmod 600 "},
		{"W29 in a folder that is not systemd's", "elsewhere", 0o440, 0, "chmod 600 "},
	} {
		for variable, text := range map[string]string{"TILL_CONFIG": "shop = \"Rado\"", "TILL_WEBHOOK_SECRET_FILE": secret} {
			t.Run(variable+" "+tt.name, func(t *testing.T) {
				world := newWorld(t)
				world.env["CREDENTIALS_DIRECTORY"] = filepath.Join(world.home, "credentials")
				path := world.write(t, tt.folder+"/file", text, tt.mode)
				if tt.owner > 0 {
					if os.Geteuid() != 0 {
						t.Skip("only root can give files away")
					}
					if err := os.Chown(path, tt.owner, -1); err != nil {
						t.Fatal(err)
					}
				}
				if strings.Contains(path, "'") {
					path = "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
				}
				world.env[variable] = world.home + "/" + tt.folder + "/file"
				loaded, err := world.load(nil)
				switch {
				case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want+path)):
					t.Errorf("got %v, want %s%s", err, tt.want, path)
				case tt.want == "" && (err != nil || loaded.Counter.Shop == "" && len(loaded.Webhook.Secrets) == 0):
					t.Errorf("it is not read: %v", err)
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
		world.env["TILL_WEBHOOK_SECRET_FILE"] = world.write(t, "secret", text, 0o600)
		loaded, err := world.load(nil)
		if err != nil || loaded.Webhook.Secrets[0].Reveal() != want {
			t.Errorf("W29 %q gives %q, %v", text, loaded.Webhook.Secrets, err)
		}
	}
}

func TestSecretFilesThatGiveNoSecret(t *testing.T) {
	world := newWorld(t)
	for _, tt := range []struct{ variable, path, also, want string }{
		{"TILL_WEBHOOK_SECRET", world.write(t, "empty", "", 0o600), "", "is empty"},
		{"TILL_WEBHOOK_SECRET", world.write(t, "line", "\n", 0o600), "", "is empty"},
		{"TILL_ACCESS_TOKEN", filepath.Join(world.home, "no"), "", "TILL_ACCESS_TOKEN_FILE: open"},
		{"TILL_ACCESS_TOKEN", world.home, "", "is a folder"},
		{"TILL_ACCESS_TOKEN", world.write(t, "large", strings.Repeat("x", 1<<20+1), 0o600), "", "larger than 1 MiB"},
		{"TILL_ACCESS_TOKEN", world.write(t, "token", token, 0o600), token, "unset one of them"},
	} {
		world := newWorld(t)
		world.env[tt.variable+"_FILE"], world.env[tt.variable] = tt.path, tt.also
		if _, err := world.load(nil); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("W29 %s: got %v, want %q", tt.path, err, tt.want)
		}
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
