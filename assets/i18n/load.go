package i18n

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Languages returns the codes of the supported languages. The contributor's guide explains
// how to add one.
func Languages() []string { return []string{"en", "fr", "mg"} }

// NextLanguage returns the language after that of the texts, and the first one after the last.
func (t Texts) NextLanguage() string {
	all := Languages()
	return all[(slices.Index(all, t.Language)+1)%len(all)]
}

// Load returns the texts of a supported language, or the English texts for any other code.
func Load(language string) Texts {
	switch language {
	case "fr":
		return Texts{Words: fr(), Language: language}
	case "mg":
		return Texts{Words: mg(), Language: language}
	}
	return Texts{Words: en(), Language: "en"}
}

// All returns all texts by section and key, as in "sale.charge".
func (t Texts) All() map[string]string {
	all := make(map[string]string)
	collect(all, "", reflect.ValueOf(*t.Words))
	return all
}

func collect(all map[string]string, name string, value reflect.Value) {
	within := strings.TrimPrefix(name+".", ".")
	switch value.Kind() {
	case reflect.Struct:
		for field, text := range value.Fields() {
			collect(all, within+field.Tag.Get("toml"), text)
		}
	case reflect.Map:
		for key, text := range value.Seq2() {
			collect(all, within+key.String(), text)
		}
	case reflect.Array:
		for key, text := range value.Seq2() {
			collect(all, within+fmt.Sprint(key), text)
		}
	default:
		all[name] = value.String()
	}
}

// Choose returns the language of the first locale that is not empty: "fr" for "fr_FR.UTF-8". A
// language that is not supported gives "en".
func Choose(locales ...string) string {
	code, _, _ := strings.Cut(strings.ToLower(cmp.Or(locales...)), "_")
	code, _, _ = strings.Cut(code, ".")
	if slices.Contains(Languages(), code) {
		return code
	}
	return "en"
}
