package assets_test

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"checkout/till/assets"
)

func TestTheTextsOfEveryPageAreComplete(t *testing.T) {
	tests := map[string]struct {
		files fs.FS
		pages string
	}{
		"redirects/texts.toml": {assets.Redirects, "redirects/page.html"},
	}
	for path, test := range tests {
		texts, err := assets.LoadTexts(test.files, path)
		if err != nil {
			t.Fatal(err)
		}
		page := read(t, test.files, test.pages)
		for _, language := range assets.Languages() {
			if texts[language].Language() != language || len(texts[language].Keys()) == 0 {
				t.Errorf("%s has no %s", path, language)
			}
		}
		for _, key := range texts["en"].Keys() {
			_, kind, _ := strings.Cut(key, "_")
			made := kind == "title" || kind == "text" // By the name of what is shown.
			if !made && !strings.Contains(page, `"`+key+`"`) {
				t.Errorf("%s: nothing shows %s", path, key)
			}
		}
	}
}

// read returns the files that a pattern names, one after the other.
func read(t *testing.T, files fs.FS, pattern string) string {
	t.Helper()
	names, err := fs.Glob(files, pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	var all strings.Builder
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

func TestAGapInTheTextsIsNamed(t *testing.T) {
	tests := []struct{ name, file, want string }{
		{"a language is missing", "[pay]\nen = \"Pay\"\nfr = \"Payer\"", "pay in"},
		{"a text is empty", "[pay]\nen = \"Pay\"\nfr = \"\"\nmg = \"Andoavy\"", `"fr"`},
		{"another language", "[pay]\nen = \"Pay\"\nfr = \"Payer\"\nmg = \"Andoavy\"\nde = \"Zahlen\"", "a language that is none"},
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
	if _, err := (assets.Texts{}).Say("pay"); !errors.Is(err, assets.ErrTexts) {
		t.Errorf("got %v", err)
	}
}

func TestTheSwitchNamesEachLanguageInItself(t *testing.T) {
	texts, err := assets.LoadTexts(assets.Redirects, "redirects/texts.toml")
	if err != nil {
		t.Fatal(err)
	}
	want := []assets.Choice{{"en", "English", false}, {"fr", "Français", false}, {"mg", "Malagasy", true}}
	if got := texts["mg"].Choices(); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestPlaceholdersAreFilledIn(t *testing.T) {
	files := fstest.MapFS{"texts.toml": {Data: []byte(`
[pay]
en = "Pay %s"
fr = "Payer %s"
mg = "Andoavy ny %s"
[time]
en = "%d min %02d s"
fr = "%d min %02d s"
mg = "%d min %02d s"
[cancel]
en = "Cancel"
fr = "Annuler"
mg = "Aoka ihany"
`)}}
	texts, err := assets.LoadTexts(files, "texts.toml")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		language, key string
		arguments     []any
		want          string
	}{
		{"en", "pay", []any{"9 000 Ar"}, "Pay 9 000 Ar"},
		{"mg", "pay", []any{"9 000 Ar"}, "Andoavy ny 9 000 Ar"},
		{"mg", "time", []any{9, 5}, "9 min 05 s"},
		{"fr", "cancel", nil, "Annuler"},
	}
	for _, test := range tests {
		if got, err := texts[test.language].Say(test.key, test.arguments...); err != nil || got != test.want {
			t.Errorf("%s in %s is %q, %v", test.key, test.language, got, err)
		}
	}
}

func TestTheLanguageIsTheBrowsers(t *testing.T) {
	tests := []struct{ name, query, accept, want string }{
		{"no wish", "", "", "en"},
		{"one wish", "", "fr", "fr"},
		{"a region", "", "mg-MG", "mg"},
		{"upper case", "", "FR-fr", "fr"},
		{"the first of equals", "", "mg,fr", "mg"},
		{"the heaviest", "", "fr;q=0.3,mg;q=0.8", "mg"},
		{"blanks", "", " fr ; q=0.3 , mg ; q=0.2", "fr"},
		{"a language that is not there", "", "de,it;q=0.9", "en"},
		{"not wanted at all", "", "fr;q=0", "en"},
		{"weights that are none", "", "fr;q=x, mg;q=7, fr;q=-1", "en"},
		{"anything", "", "*", "en"},
		{"the parameter", "lang=mg", "fr", "mg"},
		{"a parameter that is no language", "lang=xx", "fr", "fr"},
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

func TestEveryLocaleIsBuiltIn(t *testing.T) {
	files, err := fs.Glob(assets.Locales, "locales/*.toml")
	if err != nil || !slices.Contains(files, "locales/en.toml") {
		t.Errorf("got %v, %v", files, err)
	}
}
