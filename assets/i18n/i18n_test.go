package i18n_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
)

func TestEveryLanguageHasEveryTextWithTheSamePlaceholders(t *testing.T) {
	verbs := regexp.MustCompile(`%[a-z]`)
	english := i18n.Load("en").All()
	for _, language := range i18n.Languages() {
		texts := i18n.Load(language).All()
		if len(texts) != len(english) {
			t.Errorf("%s has %d texts, English %d", language, len(texts), len(english))
		}
		for name, text := range texts {
			want := verbs.FindAllString(english[name], -1)
			if got := verbs.FindAllString(text, -1); !slices.Equal(got, want) {
				t.Errorf("%s %s has the placeholders %v, want %v", language, name, got, want)
			}
			if strings.TrimSpace(text) != text && name != "sale.prompt" {
				t.Errorf("%s %s begins or ends with a blank", language, name)
			}
		}
	}
}

func TestOnlyListedTextsEqualTheEnglishOnes(t *testing.T) {
	english := i18n.Load("en").All()
	same := map[string][]string{}
	for _, language := range []string{"fr", "mg"} {
		for name, text := range i18n.Load(language).All() {
			if text == english[name] {
				same[language] = append(same[language], name)
			}
		}
		slices.Sort(same[language])
	}
	// Texts that may be the same as in English: signs, examples, names of languages, and words that
	// exist in both languages.
	want := map[string][]string{
		"fr": {
			"asked.language en", "asked.language fr", "asked.language mg", "account.received",
			"tender_keys.link", "checks.service", "tender_titles.link", "frame.news_more", "frame.test_short", "help.CODE", "detail.order_reference", "sale.piece", "sale.pieces", "sale.prompt", "sale.total", "receipt.ticket", "receipt.total", "receipt.mobile_money", "sale.article", "catalog.code", "catalog.title", "bar.articles", "pay_keys.page",

			"key_names.alt+", "key_names.ctrl+", "key_names.tab", "path.service",
		},
		"mg": {
			"asked.language en", "asked.language fr", "asked.language mg",
			"tender_keys.link", "cash.said_exact", "frame.labelled", "frame.news_more", "frame.test_short", "frame.demo_short", "sale.prompt",
			"key_names.alt+", "key_names.ctrl+", "key_names.tab",
		},
	}
	for language, names := range want {
		slices.Sort(names)
		if !slices.Equal(same[language], names) {
			t.Errorf("%s shares %v with English, not only %v", language, same[language], names)
		}
	}
}

func TestYesAndNoAreUnderstoodInEveryLanguage(t *testing.T) {
	for _, language := range i18n.Languages() {
		plain := i18n.Load(language).Plain
		for _, word := range []string{"yes", "oui", "eny"} {
			if !slices.Contains(plain.Yes[:], word) {
				t.Errorf("%s does not take %q for yes", language, word)
			}
		}
		for _, word := range []string{"no", "n", "non", "tsia"} {
			if !slices.Contains(plain.No[:], word) {
				t.Errorf("%s does not take %q for no", language, word)
			}
		}
	}
}

// French puts a blank before ; ! ? and : and inside « ». The other languages put no blank before
// such a mark, and do not use « ». The test does not check a colon inside a word, such as an
// address or a time.
func TestPunctuationFollowsTheLanguage(t *testing.T) {
	crowded := regexp.MustCompile(`[^\s\pP][;!?:](\s|$)|«\S|\S»`)
	loose := regexp.MustCompile(`\s[;?:](\s|$)|«`)
	for language, wrong := range map[string]*regexp.Regexp{"en": loose, "fr": crowded, "mg": loose} {
		for name, text := range i18n.Load(language).All() {
			if found := wrong.FindString(text); found != "" {
				t.Errorf("%s %s: %q in %q", language, name, found, text)
			}
		}
	}
}

func TestWholeLinesFitInto80Columns(t *testing.T) {
	// Each of these texts must fit into one row of the screen.
	rows := []string{
		"sale.empty", "hints.not_understood", "hints.no_price", "hints.bad_price",
		"hints.bad_quantity", "hints.apart", "hints.two_quantities", "hints.too_large", "hints.store_failed",
		"frame.refused", "frame.not_listening", "sale.editing", "orders.unmatched",
	}
	for _, language := range i18n.Languages() {
		all := i18n.Load(language).All()
		for _, name := range rows {
			if width := len([]rune(all[name])); width > 80 {
				t.Errorf("%s %s is %d columns wide", language, name, width)
			}
		}
	}
}

func TestEveryLanguageHasExactlyTheTextsOfTheProgram(t *testing.T) {
	for _, language := range i18n.Languages() {
		all := i18n.Load(language).All()
		for _, name := range names() {
			if all[name] == "" {
				t.Errorf("%s: %s is missing", language, name)
			}
			delete(all, name)
		}
		for name := range all {
			// The keys of these texts are those of commands and of settings.
			if !strings.HasPrefix(name, "help.") && !strings.HasPrefix(name, "rules.") && !strings.HasPrefix(name, "asked.") {
				t.Errorf("%s: %s is no text of the program", language, name)
			}
		}
	}
}

// names returns the names of all texts that a language must have.
func names() []string {
	// The maps in Words are empty here, so these are only the names of struct fields.
	names := slices.Collect(maps.Keys(i18n.Texts{Words: new(i18n.Words)}.All()))
	var unpaid []payments.Status
	for _, status := range payments.Statuses() {
		if status.Unpaid() {
			unpaid = append(unpaid, status)
		}
	}
	every, atCounter := []drawer.Tender{drawer.TenderLink}, drawer.CounterTenders()
	every = append(every, atCounter...)
	return slices.Concat(
		names,
		named("tender_titles.", every), named("tender_keys.", every), named("tender_refunds.", every), named("tender_backs.", every),
		named("tender_words.", atCounter), named("tender_asks.", atCounter), named("tender_takes.", atCounter), named("tender_verbs.", atCounter),
		named("unpaid.", unpaid), named("unpaid_rest.", unpaid),
		named("verdicts.", unpaid),
		named("verdicts.", append(payments.Verdicts(), i18n.Sending)),
		named("problems.", strings.Fields("paid_there paid_here amount paid_twice no_order missing")),
		named("reach.", payments.Reaches()),
		named("charging.", slices.DeleteFunc(payments.Reaches(), needsNoAdvice)),
		named("causes.", payments.CauseKinds()),
		named("reasons.", payments.CallErrors()),
		named("failures.", strings.Fields("balance refused canceled expired")),
		named("statuses.", payments.Statuses()),
		named("kinds.", payments.EventKinds()),
		named("outcomes.", payments.Effects()),
		named("checks.", strings.Fields("settings token secret listener events public database stored clock service terminal voice printer backup")),
		// Names of keyboard keys that differ between languages. "ctrl+" and "alt+" are prefixes.
		named("key_names.", strings.Fields("enter esc del ins tab pgup/dn pgup pgdn home/end home end ctrl+ alt+")),
	)
}

func needsNoAdvice(reach payments.Reach) bool { return !reach.NeedsAdvice() }

func named[V ~string](section string, values []V) []string {
	names := make([]string, 0, len(values))
	for _, value := range values {
		names = append(names, section+string(value))
	}
	return names
}

func TestAnUnknownLanguageIsShownInEnglish(t *testing.T) {
	if got := i18n.Load("de").Language; got != "en" {
		t.Errorf("got the texts of %q", got)
	}
}

func TestNumbersAreWrittenInGroupsOfThree(t *testing.T) {
	cases := map[int64]string{
		0: "0", 999: "999", 1000: "1 000", 9000: "9 000", 1234567: "1 234 567", -1500: "−1 500",
	}
	for _, n := range slices.Sorted(maps.Keys(cases)) {
		if got := i18n.Number(n); got != cases[n] {
			t.Errorf("Number(%d) is %q, want %q", n, got, cases[n])
		}
	}
}

func TestACountdownRoundsUpToASecond(t *testing.T) {
	cases := map[time.Duration]string{
		0: "0:00", time.Millisecond: "0:01", time.Second: "0:01",
		599*time.Second + 1: "10:00", 61 * time.Second: "1:01", 2 * time.Hour: "120:00",
	}
	for left, want := range cases {
		if got := i18n.Countdown(left); got != want {
			t.Errorf("Countdown(%s) is %q, want %q", left, got, want)
		}
	}
}

func TestASpanUsesAUnitWithAtLeastTwo(t *testing.T) {
	for span, want := range map[time.Duration]string{
		-time.Hour: "0 s", 0: "0 s", 1999 * time.Millisecond: "1 s", 119 * time.Second: "119 s",
		2 * time.Minute: "2 min", 119 * time.Minute: "119 min", 2 * time.Hour: "2 h", 50 * time.Hour: "50 h",
	} {
		if got := i18n.Span(span); got != want {
			t.Errorf("Span(%s) is %q, want %q", span, got, want)
		}
	}
}

func TestChooseUsesTheFirstLocaleThatIsSet(t *testing.T) {
	cases := []struct {
		locales []string
		want    string
	}{
		{[]string{"", "", "fr_FR.UTF-8"}, "fr"},
		{[]string{"mg_MG", "fr_FR", "en_US"}, "mg"},
		{[]string{"", "FR"}, "fr"},
		{[]string{"de_DE.UTF-8", "fr_FR"}, "en"},
		{[]string{"C.UTF-8"}, "en"},
		{nil, "en"},
	}
	for _, c := range cases {
		if got := i18n.Choose(c.locales...); got != c.want {
			t.Errorf("Choose(%q) is %q, want %q", c.locales, got, c.want)
		}
	}
}

func ExampleMoney() {
	fmt.Println(i18n.Money(9000))
	// Output: 9 000 Ar
}

func TestADayIsReadInEveryUsualForm(t *testing.T) {
	zone := time.FixedZone("EAT", 3*60*60)
	// In the time zone, now is on 21 November; in UTC, it is still on the day before.
	now := time.Date(2026, 11, 21, 1, 30, 0, 0, zone)
	for _, c := range []struct{ name, text, want string }{
		{"a day and a month of this year", "20/11", "2026-11-20"},
		{"today's date", "21/11", "2026-11-21"},
		{"tomorrow's date is of last year", "22/11", "2025-11-22"},
		{"without leading zeros", "5/1", "2026-01-05"},
		{"with leading zeros", "05/01", "2026-01-05"},
		{"the last 29 February", "29/02", "2024-02-29"},
		{"with its year", "21/11/2025", "2025-11-21"},
		{"with two digits of its year", "21/11/25", "2025-11-21"},
		{"a future date with its year", "1/12/2026", "2026-12-01"},
		{"the year first", "2026-11-20", "2026-11-20"},
		{"today in English", "today", "2026-11-21"},
		{"today in French", "Aujourd'hui", "2026-11-21"},
		{"today in French with a curly apostrophe", "aujourd’hui", "2026-11-21"},
		{"today in Malagasy", "ANDROANY", "2026-11-21"},
		{"yesterday in English", "Yesterday", "2026-11-20"},
		{"yesterday in French", "hier", "2026-11-20"},
		{"yesterday in Malagasy", "omaly", "2026-11-20"},
		{"no such day", "31/02", ""},
		{"no such month", "11/21", ""},
		{"no such 29 February", "29/02/2025", ""},
		{"a day without its month", "21/", ""},
		{"a number", "21", ""},
		{"a reference", "T1-20261121-GT-0001", ""},
		{"a date and more text", "21/11 vary", ""},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			day, found := i18n.Day(c.text, now)
			if !found && c.want == "" {
				return
			}
			want, _ := time.ParseInLocation(time.DateOnly, c.want, zone)
			if !found || !day.Equal(want) {
				t.Errorf("got %v (%v), want %v", day, found, want)
			}
		})
	}
}
