package i18n_test

import (
	"testing"

	"checkout/till/assets/i18n"
)

func TestWhatWasSaidIsSaidInTheOtherLanguage(t *testing.T) {
	english := load(t, "en")
	cases := []struct {
		name string
		say  func(texts i18n.Texts) string
	}{
		{"a text", func(t i18n.Texts) string { return t.Hints.NoPrice }},
		{"a phrase with one word in it", func(t i18n.Texts) string { return t.CatalogNews.Saved.With("Vary 100%") }},
		{"a phrase with two", func(t i18n.Texts) string { return t.CatalogNews.Placed.With("Vary", 3) }},
		{"a word that is no text", func(i18n.Texts) string { return "boom" }},
		{"nothing", func(i18n.Texts) string { return "" }},
	}
	for _, c := range cases {
		for _, language := range i18n.Languages() {
			t.Run(c.name+" in "+language, func(t *testing.T) {
				texts := load(t, language)
				if got, want := i18n.Translate(c.say(english), english, texts), c.say(texts); got != want {
					t.Errorf("got %q, want %q", got, want)
				}
				if got, want := i18n.Translate(c.say(texts), texts, english), c.say(english); got != want {
					t.Errorf("back it is %q, want %q", got, want)
				}
			})
		}
	}
}

func TestEveryLanguageComesInItsTurn(t *testing.T) {
	language := "en"
	for _, want := range []string{"fr", "mg", "en"} {
		if language = i18n.Next(language); language != want {
			t.Errorf("next is %s, want %s", language, want)
		}
	}
	if got := i18n.Next("de"); got != "en" {
		t.Errorf("after a language that does not exist comes %s", got)
	}
}
