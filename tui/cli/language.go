package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"checkout/till/assets/i18n"
	"checkout/till/storage"
	"checkout/till/storage/settings"
)

// chooseLanguage chooses the till's language before the command line is parsed, because the help
// texts need it. Wrong settings are ignored here.
func (a *App) chooseLanguage() {
	flags := pflag.NewFlagSet("till", pflag.ContinueOnError)
	flags.ParseErrorsAllowlist.UnknownFlags = true
	flags.SetNormalizeFunc(flagName)
	flags.BoolP("help", "h", false, "")
	path, asked := flags.String("config", "", ""), flags.String("language", a.Env("TILL_LANGUAGE"), "")
	_ = flags.Parse(a.Args)
	loaded, _ := settings.Load(settings.Sources{Path: *path, Env: a.Env})
	chosen, _ := os.ReadFile(languageFile(loaded.Files))
	for _, code := range []string{
		*asked, loaded.Counter.Language, strings.TrimSpace(string(chosen)), i18n.Choose(a.Env("LC_ALL"), a.Env("LC_MESSAGES"), a.Env("LANG")),
	} {
		if a.Language == "" && slices.Contains(i18n.Languages(), code) {
			a.Language = code
		}
	}
	a.Texts = i18n.Load(a.Language)
}

// languageFile returns the path of the file that stores the language chosen with F7. It is "" if
// the till has no local file for its sales.
func languageFile(files settings.Files) string {
	own := cmp.Or(files.Drafts, files.Database)
	if own == "" || storage.IsPostgres(own) {
		return ""
	}
	return filepath.Join(filepath.Dir(own), "language")
}

// KeepLanguage returns a function that stores a language for the next start. It returns nil if
// there is no file for it.
func KeepLanguage(files settings.Files) func(code string) error {
	path := languageFile(files)
	if path == "" {
		return nil
	}
	return func(code string) error {
		return storage.Replace(path, func(out io.Writer) error {
			_, err := fmt.Fprintln(out, code)
			return err
		})
	}
}
