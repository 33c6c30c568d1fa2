package tuitest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
)

// vocabulary tells in which language a view is. A text's phrases are its words
// between its placeholders, each phrase with a blank around every word.
type vocabulary struct {
	// phrases are those of each text of a language, by the text's key.
	phrases map[string]map[string][]string
	// foreign are the texts of other languages that are no words of a language.
	foreign map[string][]foreignText
	// keys are those that are looked for in English views, the longest text first.
	keys []string
	// yields are the keys of texts that give way where there is no room.
	yields []string
	// alike are the keys of the texts that are the same in English.
	alike map[string][]string
}

type foreignText struct {
	key, language string
	phrases       []string
}

// newVocabulary takes the texts of all languages apart. data is what is said in
// none of them, and yields are the keys of texts that give way.
func newVocabulary(t *testing.T, data, yields []string) vocabulary {
	t.Helper()
	v := vocabulary{
		phrases: make(map[string]map[string][]string), foreign: make(map[string][]foreignText),
		alike: make(map[string][]string), yields: yields,
	}
	spoken := make(map[string]string)
	for _, language := range i18n.Languages() {
		texts, err := i18n.Load(assets.Files, language)
		if err != nil {
			t.Fatal(err)
		}
		v.phrases[language] = make(map[string][]string)
		spoken[language] = words(strings.Join(data, "\n"))
		for key, text := range texts.All() {
			v.phrases[language][key] = phrases(text)
			spoken[language] += words(text)
		}
	}
	for language, said := range spoken {
		for other, texts := range v.phrases {
			for key, phrases := range texts {
				if other != language && letters(phrases) >= 4 && !says(said, phrases) {
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

// keysIn finds the texts that an English view says and that must be there as a
// whole. What is a part of a longer one is not looked for.
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

// givesWay tells whether a text is left out where there is no room for it. The
// bar of keys shows as many as have room; the help has all.
func (v vocabulary) givesWay(key string) bool {
	section, _, _ := strings.Cut(key, ".")
	return section == "key_names" || section == "bar" || strings.HasSuffix(section, "keys") || slices.Contains(v.yields, key)
}

// faults compares what a view says with the keys of the English one. In a narrow
// window a text may be cut where "…" shows it, and single words are not looked
// for: there they are often the visible part of another text that is cut.
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

// sees tells whether a view has all words of a text, or of another text that is
// the same in English. The words need not be in one row: texts are wrapped.
func (v vocabulary) sees(said, language, key string) bool {
	return slices.ContainsFunc(v.alike[strings.Join(v.phrases["en"][key], "")], func(key string) bool {
		all := strings.Fields(strings.Join(v.phrases[language][key], ""))
		return !slices.ContainsFunc(all, func(word string) bool { return !strings.Contains(said, " "+word+" ") })
	})
}

// begun tells whether a text has the beginning of a phrase, and the sign of a cut
// behind it.
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

// says tells whether all of phrases are in a text; without any there is nothing
// to say.
func says(text string, phrases []string) bool {
	return len(phrases) > 0 && !slices.ContainsFunc(phrases, func(phrase string) bool { return !strings.Contains(text, phrase) })
}

// phrases are the words of a text between its placeholders.
func phrases(text string) []string {
	var all []string
	for _, part := range regexp.MustCompile(`%[-+# 0-9.\[\]*]*[a-z]|%%`).Split(text, -1) {
		if phrase := words(part); strings.TrimSpace(phrase) != "" {
			all = append(all, phrase)
		}
	}
	return all
}

// words are the words of a text, with one blank around each.
func words(text string) string {
	return " " + strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && r != '…'
	}), " ") + " "
}

func letters(phrases []string) int { return len(strings.Join(phrases, "")) - 2*len(phrases) }
