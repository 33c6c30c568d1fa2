package page_test

import (
	"os"
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
}
