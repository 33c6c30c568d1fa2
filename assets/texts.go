package assets

import (
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"checkout/till/assets/i18n"
)

// ErrTexts says that a file of texts is not complete, or that a text is asked
// for that does not exist.
var ErrTexts = errors.New("unsound texts")

// Languages returns the languages of the pages, the one that is taken when a
// browser names none of them first.
func Languages() []string { return i18n.Languages() }

// Texts are the texts of a set of pages in one language.
type Texts struct {
	language string
	texts    map[string]string
}

// LoadTexts reads a file of texts, in which each key has its text in every
// language, and returns the texts by language. A key that lacks a language is an
// error that names it ([ErrTexts]).
func LoadTexts(files fs.FS, path string) (map[string]Texts, error) {
	var keys map[string]map[string]string
	if _, err := toml.DecodeFS(files, path, &keys); err != nil {
		return nil, fmt.Errorf("read texts %s: %w", path, err)
	}
	languages := make(map[string]Texts)
	for _, language := range Languages() {
		texts := make(map[string]string, len(keys))
		for key, translations := range keys {
			texts[key] = translations[language]
			if texts[key] == "" || len(translations) != len(Languages()) {
				return nil, fmt.Errorf("%w: %s in %s has no text for %q, or one for a language that is none", ErrTexts, key, path, language)
			}
		}
		languages[language] = Texts{language: language, texts: texts}
	}
	return languages, nil
}

// Language returns the code of the language.
func (t Texts) Language() string { return t.language }

// Keys returns the names of all texts, sorted.
func (t Texts) Keys() []string { return slices.Sorted(maps.Keys(t.texts)) }

// Say returns the text of a key with its placeholders filled in, and
// [ErrTexts] when there is none: a template that asks for it fails.
func (t Texts) Say(key string, arguments ...any) (string, error) {
	text, known := t.texts[key]
	if !known {
		return "", fmt.Errorf("%w: no text %q", ErrTexts, key)
	}
	if len(arguments) == 0 {
		return text, nil
	}
	return fmt.Sprintf(text, arguments...), nil
}

// Language returns the language that a request asks for: by its parameter
// "lang", else by the header Accept-Language, else English.
func Language(r *http.Request) string {
	if asked := r.URL.Query().Get("lang"); slices.Contains(Languages(), asked) {
		return asked
	}
	best, weight := Languages()[0], 0.0
	for choice := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Language"), ","), ",") {
		tag, parameters, _ := strings.Cut(strings.TrimSpace(choice), ";")
		primary, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
		if q := quality(parameters); q > weight && slices.Contains(Languages(), primary) {
			best, weight = primary, q
		}
	}
	return best
}

// quality reads the weight of one choice of an Accept-Language header, 0 to 1.
// One that cannot be read counts for nothing.
func quality(parameters string) float64 {
	value, stated := strings.CutPrefix(strings.ReplaceAll(parameters, " ", ""), "q=")
	if !stated {
		return 1
	}
	q, err := strconv.ParseFloat(value, 64)
	if err != nil || q < 0 || q > 1 {
		return 0
	}
	return q
}

// Choice is one entry of a page's language switch.
type Choice struct {
	Code, Name string
	Current    bool
}

// Choices returns the entries of the language switch, each in its own
// language.
func (t Texts) Choices() []Choice {
	choices := []Choice{{Code: "en", Name: "English"}, {Code: "fr", Name: "Français"}, {Code: "mg", Name: "Malagasy"}}
	for i := range choices {
		choices[i].Current = choices[i].Code == t.language
	}
	return choices
}

// Style returns the style sheet of the redirect pages and of the hosted page,
// ready to stand in a page's style element. Its [StyleSource] lets a policy allow it and no other.
func Style() template.CSS {
	sheet, err := Redirects.ReadFile("redirects/page.css")
	if err != nil {
		panic("assets: no style sheet was built in: " + err.Error())
	}
	return template.CSS(sheet) //nolint:gosec // It is our own file, built in.
}
