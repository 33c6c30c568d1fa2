package i18n

import (
	"strings"
	"time"
)

// Day reads a day as people write it, and returns its beginning in the zone of
// now. It knows 21/11/2026, 21/11/26 and 2026-11-21, and 21/11, which is the
// last such day up to now's own. The words for today and yesterday count in
// every language: people mix them. It reports whether the text is a day.
func Day(text string, now time.Time) (time.Time, bool) {
	year, month, day := now.Date()
	today := time.Date(year, month, day, 0, 0, 0, 0, now.Location())
	switch strings.ReplaceAll(strings.ToLower(text), "’", "'") {
	case "today", "aujourd'hui", "androany":
		return today, true
	case "yesterday", "hier", "omaly":
		return today.AddDate(0, 0, -1), true
	}
	for _, layout := range []string{"2/1/2006", "2/1/06", time.DateOnly} {
		if at, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return at, true
		}
	}
	at, err := time.Parse("2/1", text)
	if err != nil {
		return time.Time{}, false
	}
	// A 29 February may be up to eight years ago.
	for back := range 9 {
		found := time.Date(year-back, at.Month(), at.Day(), 0, 0, 0, 0, now.Location())
		if found.Day() == at.Day() && !found.After(today) {
			return found, true
		}
	}
	return time.Time{}, false
}
