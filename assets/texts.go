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
)

// ErrTexts says that a file of texts is not complete, or that a text is asked
// for that does not exist.
var ErrTexts = errors.New("unsound texts")

// Languages returns the languages of the pages, the one that is taken when a
// browser names none of them first.
func Languages() []string { return []string{"en", "fr", "mg"} }

// Texts are the texts of a set of pages in one language.
type Texts struct {
	language string
	texts    map[string]string
}

// LoadTexts reads a file of texts, in which each key has its text in every
// language, and returns the texts by language. A key that lacks a language, or
// has placeholders that differ, is an error that names it ([ErrTexts]).
func LoadTexts(files fs.FS, path string) (map[string]Texts, error) {
	var keys map[string]map[string]string
	if _, err := toml.DecodeFS(files, path, &keys); err != nil {
		return nil, fmt.Errorf("read texts %s: %w", path, err)
	}
	languages := make(map[string]Texts)
	for _, language := range Languages() {
		languages[language] = Texts{language: language, texts: make(map[string]string)}
	}
	for key, translations := range keys {
		if len(translations) != len(languages) {
			return nil, fmt.Errorf("%w: %s in %s has %d languages", ErrTexts, key, path, len(translations))
		}
		for language, text := range translations {
			texts, known := languages[language]
			if !known || text == "" {
				return nil, fmt.Errorf("%w: %s in %s has no text for %q", ErrTexts, key, path, language)
			}
			if placeholders(text) != placeholders(translations[Languages()[0]]) {
				return nil, fmt.Errorf("%w: %s in %s has other placeholders in %s", ErrTexts, key, path, language)
			}
			texts.texts[key] = text
		}
	}
	return languages, nil
}

// placeholders returns the verbs of a text in their order.
func placeholders(text string) string {
	var verbs strings.Builder
	for _, part := range strings.Split(text, "%")[1:] {
		verb := strings.IndexFunc(part, func(r rune) bool { return r < '0' || r > '9' })
		if verb >= 0 {
			verbs.WriteByte(part[verb])
		}
	}
	return verbs.String()
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
	var choices []Choice
	for _, code := range Languages() {
		choices = append(choices, Choice{Code: code, Name: languageName(code), Current: code == t.language})
	}
	return choices
}

func languageName(code string) string {
	switch code {
	case "fr":
		return "Français"
	case "mg":
		return "Malagasy"
	}
	return "English"
}

// Style returns the style sheet of the redirect pages and the hosted page, ready to stand in a
// page's style element. Its [StyleSource] lets a policy allow it and no other.
func Style() template.CSS {
	sheet, err := Redirects.ReadFile("redirects/page.css")
	if err != nil {
		panic("assets: no style sheet was built in: " + err.Error())
	}
	return template.CSS(sheet) //nolint:gosec // It is our own file, built in.
}
