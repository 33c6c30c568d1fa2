package assets

import (
	"fmt"
	"io/fs"
	"net/http"
	"strings"

	"github.com/BurntSushi/toml"
	"golang.org/x/text/language"

	"checkout/till/assets/i18n"
)

// Texts contains the texts of a set of pages, and the language of a page. Templates read them with
// [Texts.Say].
type Texts struct {
	Language string
	Words    map[string]map[string]string
}

// LoadTexts reads a TOML file of texts. Every key must have a text in each language, and in no
// other one.
func LoadTexts(files fs.FS, path string) (texts Texts, err error) {
	if _, err := toml.DecodeFS(files, path, &texts.Words); err != nil {
		return texts, fmt.Errorf("read texts %s: %w", path, err)
	}
	for key, translations := range texts.Words {
		for _, code := range i18n.Languages() {
			if translations[code] == "" || len(translations) != len(i18n.Languages()) {
				return texts, fmt.Errorf("%s in %s has no text for %q, or one for a language that is none", key, path, code)
			}
		}
	}
	return texts, nil
}

// Say returns the text of a key with arguments for its placeholders. A missing text is an error.
func (t Texts) Say(key string, arguments ...any) (string, error) {
	text := t.Words[key][t.Language]
	if text == "" {
		return "", fmt.Errorf("there is no text %q", key)
	}
	if len(arguments) == 0 {
		return text, nil
	}
	return fmt.Sprintf(text, arguments...), nil
}

// Language returns the language of a request: that of the parameter "lang", of the header
// Accept-Language, or English.
func Language(r *http.Request) string {
	codes := i18n.Languages() // The first one, English, is the default.
	tags := make([]language.Tag, len(codes))
	for i, code := range codes {
		tags[i] = language.Make(code)
	}
	_, best := language.MatchStrings(language.NewMatcher(tags), r.URL.Query().Get("lang"), strings.Join(r.Header.Values("Accept-Language"), ","))
	return codes[best]
}

// Choice is an entry of a page's language switch.
type Choice struct{ Code, Name string }

// Choices returns the entries of the language switch, each in its own language.
func (Texts) Choices() []Choice {
	return []Choice{{"en", "English"}, {"fr", "Français"}, {"mg", "Malagasy"}}
}
