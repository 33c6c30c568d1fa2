package clean_test

import (
	"strings"
	"testing"
	"unicode"

	"checkout/till/payments/clean"
	"checkout/till/storage/storagetest"
)

// harm returns why a text is unsafe to show, or "" for a safe text.
func harm(text string) string {
	if strings.Contains(text, "  ") || strings.TrimSpace(text) != text {
		return "loose blanks"
	}
	return storagetest.Harm(text)
}

func TestTextRemovesWhatIsUnsafe(t *testing.T) {
	for _, text := range storagetest.HostileTexts() {
		t.Run(text.Name, func(t *testing.T) {
			got := clean.Text(text.Raw, 500)
			if got != text.Clean || harm(got) != "" {
				t.Errorf("Text(%q) = %q, want %q; it holds %s", text.Raw, got, text.Clean, harm(got))
			}
		})
	}
}

// Text returns a text unchanged, without measuring it, if its bytes are not more than the columns.
// This requires that each character has at least as many bytes as columns.
func TestACharacterHasMoreBytesThanColumns(t *testing.T) {
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		text := "a" + string(r)
		kept := clean.Text(text, 100) == text
		if kept && clean.Text(text, len(text)-1) != text {
			t.Errorf("%U has as many columns as bytes", r)
		}
	}
}

func TestTextFoldsBlanksAndMarksAndCutsByWidth(t *testing.T) {
	for _, test := range []struct {
		name, text string
		width      int
		want       string
	}{
		{"runs of blanks are one", "a \t\u00a0\u3000b", 100, "a b"},
		{"blanks around dropped characters are one", "a \x1b \u200b b", 100, "a b"},
		{"a fifth mark goes", "a\u0301\u0302\u0303\u0304\u0305b", 100, "a\u0301\u0302\u0303\u0304b"},
		{"marks are counted on each base", "a\u0301\u0301\u0301b\u0301\u0301\u0301", 100, "a\u0301\u0301\u0301b\u0301\u0301\u0301"},
		{"dropped characters do not separate marks", "a\u0301\u0301\u200d\u0301\u0301\u0301", 100, "a\u0301\u0301\u0301\u0301"},
		{"a mark at the start has no base", "\u0301a", 100, "a"},
		{"a mark after a blank has no base", "a \u0301b", 100, "a b"},
		{"a longer text ends with an ellipsis", "abcd", 3, "ab…"},
		{"the ellipsis follows no blank", "ab cd", 4, "ab…"},
		{"a wide character that half fits goes", "漢字漢", 4, "漢…"},
		{"an odd width is filled", "漢字漢", 5, "漢字…"},
		{"one column holds only the ellipsis", "abc", 1, "…"},
		{"no column gives an empty text", "abc", 0, ""},
		{"marks take no room", "e\u0301e\u0301", 2, "e\u0301e\u0301"},
		{"a mark stays with its base at the cut", "e\u0301bcd", 2, "e\u0301…"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := clean.Text(test.text, test.width); got != test.want {
				t.Errorf("Text(%q, %d) = %q, want %q", test.text, test.width, got, test.want)
			}
		})
	}
}

func TestTextKnowsWideCharacters(t *testing.T) {
	narrow := "aé€™→│█⠿ﾊक"
	wide := "ᄀ⌚⏰⏳◾☀✅⭐⬛漢あ한！￥︙﹏🀄👍🇲𠀀"
	for _, r := range narrow + wide {
		want := 1
		if strings.ContainsRune(wide, r) {
			want = 2
		}
		// Text cuts a text only if it is wider than the limit.
		text := string(r)
		if fits := clean.Text(text, want) == text; !fits {
			t.Errorf("%q does not fit into %d columns", text, want)
		}
		if tight := clean.Text(text+"a", want) == text+"a"; tight {
			t.Errorf("%q and a letter fit into %d columns", text, want)
		}
	}
	for _, emoji := range []string{"❤\ufe0f", "©\ufe0f", "1\ufe0f\u20e3"} {
		if got := clean.Text(emoji, 1); got != "…" {
			t.Errorf("the emoji %q fits into one column", emoji)
		}
	}
}

// leastWidth returns the smallest width that a text may have in a terminal.
func leastWidth(text string) (width int) {
	for _, r := range text {
		switch {
		case unicode.IsMark(r):
		case r >= 0xac00 && r <= 0xd7a3, r >= 0x3400 && r <= 0x9fff, r >= 0x20000:
			width += 2
		default:
			width++
		}
	}
	return width
}

func FuzzText(f *testing.F) {
	for i, text := range storagetest.HostileTexts() {
		f.Add(text.Raw, i)
	}
	f.Add("漢字 e\u0301 👍", 5)
	f.Fuzz(func(t *testing.T, text string, width int) {
		width %= 1000
		got := clean.Text(text, width)
		if reason := harm(got); reason != "" {
			t.Fatalf("Text(%q, %d) = %q %s", text, width, got, reason)
		}
		if leastWidth(got) > max(0, width) {
			t.Fatalf("Text(%q, %d) = %q is too wide", text, width, got)
		}
		if again := clean.Text(got, width); again != got {
			t.Fatalf("Text(%q, %d) = %q, cleaned again %q", text, width, got, again)
		}
		whole := clean.Text(text, 1<<30)
		if clean.Text(whole, width) != got {
			t.Fatalf("Text(%q, %d) = %q, but %q of the clean text", text, width, got, clean.Text(whole, width))
		}
		if got != whole && width > 0 && !strings.HasSuffix(got, "…") {
			t.Fatalf("Text(%q, %d) = %q was cut without an ellipsis", text, width, got)
		}
	})
}
