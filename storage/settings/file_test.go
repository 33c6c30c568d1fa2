package settings_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"checkout/till/storage/settings"
)

func (w *world) edit() *settings.File {
	w.t.Helper()
	file, err := settings.Edit(settings.Sources{Env: w.getenv})
	must(w.t, err)
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

func TestANewFileIsForItsOwnerAlone(t *testing.T) {
	world := newWorld(t)
	file := world.edit()
	for name, value := range map[string]string{"access_token": token, "webhook_secret": secret} {
		file.Set(name, value)
	}
	must(t, file.Save())
	if loaded := world.mustLoad(); loaded.Account.AccessToken.Reveal() != token || loaded.Webhook.Secrets[0].Reveal() != secret {
		t.Errorf("loaded %+v", loaded)
	}
	for path, want := range map[string]os.FileMode{file.Path: 0o600, filepath.Dir(file.Path): 0o700 | os.ModeDir} {
		if about, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && about.Mode() != want {
			t.Errorf("%s: %v, %v", path, err, about.Mode())
		}
	}
}

func TestAFileThatCannotBeSavedLeavesNoDraft(t *testing.T) {
	world := newWorld(t)
	path := world.write("etc/till/config.toml", "shop = \"A\"\n", 0o600)
	file := world.edit()
	file.Set("shop", "B")
	// What cannot be replaced: a folder in its place.
	must(t, os.Rename(path, path+".was"))
	must(t, os.MkdirAll(filepath.Join(path, "full"), 0o700))
	if err := file.Save(); err == nil {
		t.Error("it was saved")
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".till-*")); err != nil || len(left) > 0 {
		t.Errorf("a draft is left: %v, %v", left, err)
	}
}

func TestALinkToTheSettingsFileStaysOne(t *testing.T) {
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
	for _, c := range []struct {
		name, text, want string
		mode             os.FileMode
	}{
		{"without quotes", "shop = Chez Rado", "line 1 cannot be read", 0o600},
		{"with a table", "[colours]\nbar = 1", `no setting "colours"`, 0o600},
		{"with a list of tables", "[[listen]]\nport = 1", `no setting "listen"`, 0o600},
		{"that others can read", "", "chmod 600", 0o644},
	} {
		t.Run(c.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && c.mode != 0o600 {
				t.Skip("rights are not in the mode there")
			}
			world := newWorld(t)
			world.write("etc/till/config.toml", c.text, c.mode)
			_, err := settings.Edit(settings.Sources{Env: world.getenv})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
