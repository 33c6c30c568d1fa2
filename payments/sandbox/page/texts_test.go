package page_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"checkout/till/assets"
)

func TestTheTextsOfThePageAreCompleteAndShown(t *testing.T) {
	texts, err := assets.LoadTexts(os.DirFS("."), "texts.toml")
	if err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	for _, name := range []string{"page.html", "page.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		shown.Write(text)
	}
	for _, key := range texts["en"].Keys() {
		_, kind, _ := strings.Cut(key, "_")
		made := kind == "title" || kind == "text" // By the name of what is shown.
		if !made && !strings.Contains(shown.String(), `"`+key+`"`) {
			t.Errorf("nothing shows %s", key)
		}
	}
	verbs := regexp.MustCompile(`%[0-9]*[a-z]`)
	for _, key := range texts["en"].Keys() {
		english, _ := texts["en"].Say(key)
		for language, translated := range texts {
			text, err := translated.Say(key)
			if got, want := verbs.FindAllString(text, -1), verbs.FindAllString(english, -1); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s in %s has the placeholders %v, not %v (%v)", key, language, got, want, err)
			}
		}
	}
}
