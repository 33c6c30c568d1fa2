package header_test

import (
	"strings"
	"testing"

	"checkout/till/tui/component/header"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

func TestTheStateStaysWhenNamesAreLeftOut(t *testing.T) {
	shop := header.Header{
		Shop: "Épicerie Tantely", Place: "T1 · Fara", Mark: "DEMO: no real money", Brief: "DEMO",
		State: "receives payments", Clock: "10:24",
	}
	short := shop
	short.Short = "receives"
	wrong := shop
	wrong.Wrong, wrong.State, wrong.Mark, wrong.Brief = true, "NOT LISTENING", "", ""
	doubtful := wrong
	doubtful.Wrong, doubtful.Doubtful, doubtful.State = false, true, "not confirmed"
	unsure := shop
	unsure.Doubtful, unsure.State, unsure.Short = true, "payments not confirmed · F8", "not confirmed"
	seller := short
	seller.Place, seller.Mark, seller.Brief = "T1 · F12 sign in", "", ""
	for _, tt := range []struct {
		name  string
		head  header.Header
		width int
		want  string
	}{
		{"everything", shop, 90, " till  Épicerie Tantely  T1 · Fara     DEMO: no real money    ● receives payments   10:24"},
		{"one word for the demo", shop, 79, " till  Épicerie Tantely  T1 · Fara         DEMO    ● receives payments   10:24"},
		{"without the place", shop, 55, " till  Épicerie Ta…  DEMO  ● receives payments   10:24"},
		{"only the demo and the state", short, 17, " DEMO  ● receives"},
		{"in 40 columns", short, 40, " till  Épice…  DEMO  ● receives   10:24"},
		{"the whole name before the blanks around the demo", short, 50, " till  Épicerie Tantely  DEMO  ● receives   10:24"},
		{"the state in one word", short, 60, " till  Épicerie Tantely          DEMO    ● receives   10:24"},
		{"a problem", wrong, 64, " till  Épicerie Tantely  T1 · Fara     ✗ NOT LISTENING    10:24"},
		{"a doubt in few words", unsure, 50, " till  Épicerie…  DEMO   ! not confirmed    10:24"},
		{"a doubt", doubtful, 64, " till  Épicerie Tantely  T1 · Fara     ! not confirmed    10:24"},
		{"a blank before the state", seller, 61, " till  Épicerie Tantely  T1 · F12 sign in ● receives   10:24"},
		{"no room for this blank", seller, 60, " till  Épicerie Tantely                  ● receives   10:24"},
	} {
		got := tt.head.Draw(theme.Plain(), tt.width)
		if theme.Width(got) != tt.width || strings.TrimRight(got, " ") != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestABannerShowsItsOutcome(t *testing.T) {
	styles := theme.Plain()
	banner := header.Banner{
		Ground: styles.PaidBlock, Word: "✓ PAYÉ", Whole: "✓ PAYÉ (+1)", Amount: "12 000 Ar",
		About: "Akoho, Vary", Reference: "T1-20261123-GT-0041", Key: "F2", Does: "vu",
	}
	banner.About = "Akoho, Vary, Coca, Mofo gasy, Ravitoto, Romazava"
	large := banner.Draw(styles, 100, 36)
	banner.About = "Akoho, Vary"
	for _, row := range large {
		tuitest.Equal(t, theme.Width(row), 100, "the width of %q", row)
	}
	if all := strings.Join(large, "\n"); !strings.Contains(all, "█▀▀█ █▀▀█ █   █ █▀▀▀") || !strings.Contains(all, " F2  vu") || !strings.Contains(all, "Coca, Mof…          \n") {
		t.Errorf("got\n%s", all)
	}
	tuitest.Equal(t, strings.TrimRight(banner.Draw(styles, 70, 24)[0], " "), " ✓ PAYÉ (+1)  12 000 Ar  T1-20261123-GT-0041  Akoho, Vary    F2  vu", "one row")
}
