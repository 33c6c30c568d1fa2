package assets_test

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/tui/tuitest"
)

func TestEveryTextOfAPageIsTranslatedAndShown(t *testing.T) {
	verbs := regexp.MustCompile(`%[0-9]*[a-z]`)
	for _, folder := range []string{"redirects", "../payments/sandbox/server"} {
		texts, err := assets.LoadTexts(os.DirFS(folder), "texts.toml")
		tuitest.Must(t, err)
		page := read(t, folder, "page.html") + read(t, folder, "*.go")
		for key := range texts.Words {
			_, kind, _ := strings.Cut(key, "_")
			made := kind == "title" || kind == "text" // Whether the code builds keys of this kind from a name.
			if !made && !strings.Contains(page, `"`+key+`"`) {
				t.Errorf("%s: nothing shows %s", folder, key)
			}
			texts.Language = "en"
			english, _ := texts.Say(key)
			for _, language := range i18n.Languages() {
				texts.Language = language
				text, err := texts.Say(key)
				if got, want := verbs.FindAllString(text, -1), verbs.FindAllString(english, -1); err != nil || !slices.Equal(got, want) {
					t.Errorf("%s: %s in %s has the placeholders %v, want %v (%v)", folder, key, language, got, want, err)
				}
			}
		}
	}
}

// read returns the contents of all files in a folder that match a pattern, as one text.
func read(t *testing.T, folder, pattern string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, pattern))
	tuitest.Must(t, err)
	all := ""
	for _, name := range names {
		text, err := os.ReadFile(name)
		tuitest.Must(t, err)
		all += string(text)
	}
	return all
}

func TestLoadTextsReportsMissingTexts(t *testing.T) {
	tests := []struct{ name, file, want string }{
		{"a language is missing", "[pay]\nen = \"Pay\"\nfr = \"Payer\"", "pay in"},
		{"a text is empty", "[pay]\nen = \"Pay\"\nfr = \"\"\nmg = \"Andoavy\"", `"fr"`},
		{"an unknown language", "[pay]\nen = \"Pay\"\nfr = \"Payer\"\nmg = \"Andoavy\"\nde = \"Zahlen\"", "a language that is none"},
		{"no texts", "pay", "read texts"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := fstest.MapFS{"texts.toml": {Data: []byte(test.file)}}
			if _, err := assets.LoadTexts(files, "texts.toml"); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v", err)
			}
		})
	}
	if _, err := assets.LoadTexts(fstest.MapFS{}, "texts.toml"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is missing gives %v", err)
	}
}

func TestATextThatDoesNotExistIsAnError(t *testing.T) {
	if text, err := (assets.Texts{}).Say("pay"); err == nil {
		t.Errorf("got %q, want an error", text)
	}
}

func TestLanguageReadsTheQueryAndAcceptLanguage(t *testing.T) {
	tests := []struct{ name, query, accept, want string }{
		{"no language", "", "", "en"},
		{"one language", "", "fr", "fr"},
		{"a region", "", "mg-MG", "mg"},
		{"upper case", "", "FR-fr", "fr"},
		{"the first of equal weights", "", "mg,fr", "mg"},
		{"the largest weight", "", "fr;q=0.3,mg;q=0.8", "mg"},
		{"blanks", "", " fr ; q=0.3 , mg ; q=0.2", "fr"},
		{"an unknown language", "", "de,it;q=0.9", "en"},
		{"a weight of zero", "", "fr;q=0", "en"},
		{"invalid weights", "", "fr;q=x, mg;q=7, fr;q=-1", "en"},
		{"anything", "", "*", "en"},
		{"the parameter", "lang=mg", "fr", "mg"},
		{"a parameter with an unknown language", "lang=xx", "fr", "fr"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			request := httptest.NewRequest(http.MethodGet, "/?"+test.query, nil)
			if test.accept != "" {
				request.Header.Set("Accept-Language", test.accept)
			}
			if got := assets.Language(request); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}
