package wording_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest/shoptest"
	"checkout/till/tui/wording"
)

func TestEveryQuestionHasWords(t *testing.T) {
	for _, language := range []string{"en", "fr", "mg"} {
		texts := shoptest.Texts(t, language)
		for _, kind := range counter.Kinds() {
			text := wording.Question(texts, time.UTC, counter.Question{Kind: kind})
			if !strings.Contains(text, "?") {
				t.Errorf("%s: the question %s is %q, without a question mark", language, kind, text)
			}
		}
	}
}
