package settings_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"checkout/till/storage/settings"
)

func (w *world) edit(t *testing.T) *settings.File {
	t.Helper()
	file, err := settings.Edit(settings.Sources{Env: w.getenv})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestAFileThatIsEditedKeepsWhatAPersonWrote(t *testing.T) {
	const handWritten = `# Our shop.
shop = "Chez Rado" # Since 1998.
webhook_secret = [
  "` + secret + `_new", # From Monday on.
  "` + secret + `",
]
colour = 3

listen = "127.0.0.1:9000"`
	tests := []struct {
		name, key, value, from, to string
	}{
		{"a value is replaced in its place", "listen", "127.0.0.1:9001", `listen = "127.0.0.1:9000"`, `listen = "127.0.0.1:9001"`},
		{"a key is added at the end", "till", `T"2\`, `:9000"`, ":9000\"\ntill = \"T\\\"2\\\\\""},
		{"a blank value removes the key", "shop", "", `shop = "Chez Rado" # Since 1998.` + "\n", ""},
		{"a list gives way as a whole", "webhook_secret", "another_" + secret, "webhook_secret = [\n  \"" + secret + "_new\", # From Monday on.\n  \"" + secret + "\",\n]", `webhook_secret = "another_` + secret + `"`},
		{"the same value keeps its comment", "shop", "Chez Rado", "", ""},
		{"the first of a list keeps the list", "webhook_secret", secret + "_new", "", ""},
		{"nothing is removed twice", "public_url", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			world := newWorld(t)
			path := world.write(t, "etc/till/config.toml", handWritten, 0o600)
			file := world.edit(t)
			file.Set(tt.key, tt.value)
			if err := file.Save(); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if want := strings.Replace(handWritten, tt.from, tt.to, 1) + "\n"; string(got) != want {
				t.Errorf("%v, the file is\n%s\nwant\n%s", err, got, want)
			}
		})
	}
}

func TestANewFileIsForItsOwnerAlone(t *testing.T) {
	world := newWorld(t)
	file := world.edit(t)
	for name, value := range map[string]string{"access_token": token, "webhook_secret": secret} {
		file.Set(name, value)
	}
	if err := file.Save(); err != nil {
		t.Fatal(err)
	}
	loaded, err := world.load(nil)
	if err != nil || loaded.Account.AccessToken.Reveal() != token || loaded.Webhook.Secrets[0].Reveal() != secret {
		t.Errorf("%v, loaded %+v", err, loaded)
	}
	for path, want := range map[string]os.FileMode{file.Path: 0o600, filepath.Dir(file.Path): 0o700 | os.ModeDir} {
		if about, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && about.Mode() != want {
			t.Errorf("%s: %v, %v", path, err, about.Mode())
		}
	}
}

func TestAFileThatCannotBeSavedLeavesNoDraft(t *testing.T) {
	world := newWorld(t)
	path := world.write(t, "etc/till/config.toml", "shop = \"A\"\n", 0o600)
	file := world.edit(t)
	file.Set("shop", "B")
	// What cannot be replaced: a folder in its place.
	if err := os.Rename(path, path+".was"); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(path, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := file.Save(); err == nil {
		t.Error("it was saved")
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".till-*")); err != nil || len(left) > 0 {
		t.Errorf("a draft is left: %v, %v", left, err)
	}
}

func TestALinkToTheSettingsFileStaysOne(t *testing.T) {
	world := newWorld(t)
	target := world.write(t, "dotfiles/till.toml", "shop = \"A\"\n", 0o600)
	link := filepath.Join(world.home, "etc", "till", "config.toml")
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	file := world.edit(t)
	file.Set("shop", "B")
	if err := file.Save(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(target)
	if at, linkErr := os.Readlink(link); string(text) != "shop = \"B\"\n" || at != target {
		t.Errorf("%v, %v: the target is %q, the link leads to %s", err, linkErr, text, at)
	}
}

func TestAFileThatCannotBeEditedIsRefused(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
		mode             os.FileMode
	}{
		{"without quotes", "shop = Chez Rado", "line 1 cannot be read", 0o600},
		{"with a table", "[colours]\nbar = 1", `no setting "colours"`, 0o600},
		{"with a list of tables", "[[listen]]\nport = 1", `no setting "listen"`, 0o600},
		{"that others can read", "", "chmod 600", 0o644},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && tt.mode != 0o600 {
				t.Skip("rights are not in the mode there")
			}
			world := newWorld(t)
			world.write(t, "etc/till/config.toml", tt.text, tt.mode)
			_, err := settings.Edit(settings.Sources{Env: world.getenv})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestAnAnswerIsCheckedByTheRuleOfItsKey(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"access_token", "TGX_1", "begins with TGP_"},
		{"access_token", token, ""},
		{"webhook_secret", "short", "it needs 16 or more"},
		{"webhook_secret", secret, ""},
		{"base_url", "http://pay.example.mg", "write https://"},
		{"listen", "8788", "write HOST:PORT"},
		{"colour", "3", "there is no setting"},
	} {
		err := settings.Check(tt.name, tt.value)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s = %q: %v, want %q", tt.name, tt.value, err, tt.want)
		}
	}
}
