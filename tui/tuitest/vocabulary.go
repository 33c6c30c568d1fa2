package tuitest

import (
	"fmt"
	"index/suffixarray"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"checkout/till/assets/i18n"
)

// vocabulary finds the texts of each language in a view. The phrases of a text are the parts
// between its placeholders.
type vocabulary struct {
	// Phrases of each text, by language and key.
	phrases map[string]map[string][]string
	// Texts that occur only in other languages, by the language that lacks them.
	foreign map[string][]foreignText
	// Keys of the texts to find in English views, the longest text first.
	keys []string
	// Keys of texts that a view may omit.
	yields []string
	// Keys of all texts that are the same in English, by the English text.
	alike map[string][]string
}

type foreignText struct {
	key, language string
	phrases       []string
}

// newVocabulary loads the texts of all languages. data are texts that are the same in all
// languages; yields are keys of texts that a view may omit.
func newVocabulary(t *testing.T, data, yields []string) vocabulary {
	t.Helper()
	v := vocabulary{
		phrases: make(map[string]map[string][]string), foreign: make(map[string][]foreignText),
		alike: make(map[string][]string), yields: yields,
	}
	spoken := make(map[string]string)
	placeholder := regexp.MustCompile(`%[-+# 0-9.\[\]*]*[a-z]|%%`)
	for _, language := range i18n.Languages() {
		texts := i18n.Load(language)
		v.phrases[language] = make(map[string][]string)
		spoken[language] = words(strings.Join(data, "\n"))
		for key, text := range texts.All() {
			if strings.HasPrefix(key, "failures.") {
				continue // Screens show the payment service's reasons without translation.
			}
			v.phrases[language][key] = phrases(placeholder.Split(text, -1))
			spoken[language] += words(text)
		}
	}
	for language, said := range spoken {
		index := suffixarray.New([]byte(said)) // An index makes the search for thousands of phrases fast.
		unsaid := func(phrase string) bool { return len(index.Lookup([]byte(phrase), 1)) == 0 }
		for other, texts := range v.phrases {
			for key, phrases := range texts {
				if other != language && letters(phrases) >= 4 && slices.ContainsFunc(phrases, unsaid) {
					v.foreign[language] = append(v.foreign[language], foreignText{key, other, phrases})
				}
			}
		}
	}
	for key, phrases := range v.phrases["en"] {
		text := strings.Join(phrases, "")
		v.alike[text] = append(v.alike[text], key)
		if letters(phrases) >= 4 {
			v.keys = append(v.keys, key)
		}
	}
	slices.SortFunc(v.keys, func(a, b string) int { return letters(v.phrases["en"][b]) - letters(v.phrases["en"][a]) })
	return v
}

// keysIn returns the keys of the texts that an English view contains and must not cut. A part of a
// longer text does not count.
func (v vocabulary) keysIn(english string) []string {
	shown := words(english)
	var found []string
	for _, key := range v.keys {
		phrases := v.phrases["en"][key]
		if !says(shown, phrases) {
			continue
		}
		if !slices.ContainsFunc(v.alike[strings.Join(phrases, "")], v.givesWay) {
			found = append(found, key)
		}
		for _, phrase := range phrases {
			shown = strings.ReplaceAll(shown, phrase, " | ")
		}
	}
	return found
}

// givesWay reports whether a view may omit a text. For example, the key bar shows only as many keys
// as fit.
func (v vocabulary) givesWay(key string) bool {
	section, _, _ := strings.Cut(key, ".")
	return section == "key_names" || section == "bar" || strings.HasSuffix(section, "keys") || slices.Contains(v.yields, key)
}

// faults returns a message for each text of another language in a view, and for each text of keys
// that is cut or missing. If narrow is true, such a text may end in "…", and a text of one word may
// be missing.
func (v vocabulary) faults(keys []string, text, language string, narrow bool) []string {
	said := words(text)
	var faults []string
	for _, text := range v.foreign[language] {
		if says(said, text.phrases) {
			faults = append(faults, fmt.Sprintf("%s is in %s: %q", text.key, text.language, text.phrases))
		}
	}
	for _, key := range keys {
		phrases := v.phrases[language][key]
		oneWord := len(strings.Fields(strings.Join(v.phrases["en"][key], ""))) == 1
		if !v.sees(said, language, key) && !(narrow && (oneWord || begun(said, phrases))) {
			faults = append(faults, fmt.Sprintf("%s is cut or missing: %q", key, phrases))
		}
	}
	slices.Sort(faults)
	return faults
}

// sees reports whether a view contains all words of a text in a language, in any rows. If several
// texts are the same in English, the words of one of them are enough.
func (v vocabulary) sees(said, language, key string) bool {
	return slices.ContainsFunc(v.alike[strings.Join(v.phrases["en"][key], "")], func(key string) bool {
		all := strings.Fields(strings.Join(v.phrases[language][key], ""))
		return !slices.ContainsFunc(all, func(word string) bool { return !strings.Contains(said, " "+word+" ") })
	})
}

// begun reports whether a text contains the beginning of a phrase, followed by "…".
func begun(text string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(phrase string) bool {
		for end := range phrase {
			start := strings.TrimRight(phrase[:end], " ")
			if end > 1 && (strings.Contains(text, start+"…") || strings.Contains(text, start+" …")) {
				return true
			}
		}
		return false
	})
}

// says reports whether a text contains all phrases. It returns false if there are none.
func says(text string, phrases []string) bool {
	return len(phrases) > 0 && !slices.ContainsFunc(phrases, func(phrase string) bool { return !strings.Contains(text, phrase) })
}

// phrases returns the words of each part of a text.
func phrases(parts []string) []string {
	var all []string
	for _, part := range parts {
		if phrase := words(part); strings.TrimSpace(phrase) != "" {
			all = append(all, phrase)
		}
	}
	return all
}

// words returns the words of a text with one blank between two words, and one at each end.
func words(text string) string {
	return " " + strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && r != '…'
	}), " ") + " "
}

func letters(phrases []string) int { return len(strings.Join(phrases, "")) - 2*len(phrases) }
