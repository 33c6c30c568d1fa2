package health_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/counter"
	"checkout/till/tui/health"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

// draws fails the test unless the screen, in a window of 80×24, draws the path of a payment like want.
func (d *desk) draws(want string) {
	d.t.Helper()
	got := ""
	for row := range strings.SplitSeq(d.View(), "\n") {
		if row = strings.Trim(row, "│ "); strings.HasPrefix(row, "phone ─") {
			got = strings.Join(strings.Fields(strings.NewReplacer("─", "", "▸", "").Replace(row)), " ")
		}
	}
	tuitest.Equal(d.t, got, want, "the path")
}

func TestThePathShowsTheStateOfEachLink(t *testing.T) {
	const period = 3 * time.Minute // Time between two checks of the public address.
	silent := func(span time.Duration) func(d *desk) {
		return func(d *desk) {
			d.facts.Looked, d.facts.LeadsHere, d.facts.LastEvent = d.now, true, d.now
			d.now, d.ran = d.now.Add(span), span
			d.look("")
		}
	}
	for name, tt := range map[string]struct {
		comes         func(d *desk)
		path, verdict string
	}{
		"no event came yet":             {func(d *desk) { d.facts.LastEvent = time.Time{} }, "phone ? service ? address ✓ listener ✓ disk", "? awaits a payment"},
		"the service fails":             {func(d *desk) { d.reached = []error{errors.New("no")}; d.Press("r") }, "phone ✗ service ✓ address ✓ listener ✓ disk", "✗ broken links: 1"},
		"the database fails":            {func(d *desk) { d.facts.StoreDown = true }, "phone ✓ service ✓ address ✓ listener ✗ disk", "✗ broken links: 1"},
		"silent for less than 3":        {silent(3*period - time.Second), "phone ✓ service ✓ address ✓ listener ✓ disk", "✓ every link answers"},
		"silent for three periods":      {silent(3 * period), "phone ✓ service ✓ address ! listener ✓ disk", "! to look at: 1"},
		"silent for ten periods":        {silent(10 * period), "phone ✓ service ✓ address ✗ listener ✓ disk", "✗ No payment since 12:00: pay 100 Ar"},
		"silent, and the checks answer": {func(d *desk) { silent(10 * period)(d); d.Press("r") }, "phone ✓ service ✓ address ✓ listener ✓ disk", "✓ every link answers"},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, "en").enter()
			tt.comes(d)
			d.look("").Sees(tt.verdict)
			d.draws(tt.path)
		})
	}
}

func TestBeforeTheChecksAndAnyEventMostLinksAreUnknown(t *testing.T) {
	d := unchecked(t)
	d.facts.LastEvent = time.Time{}
	d.look("").Sees("? awaits a payment")
	d.draws("phone ? service ? address ? listener ✓ disk")
}

func TestATillWithoutAListenerKnowsTheLastPayment(t *testing.T) {
	d := open(t, "en")
	d.facts.LastEvent, d.facts.Shared, d.facts.Heard, d.facts.Address = time.Time{}, true, d.now, ""
	d.facts.Listeners = []payments.Listener{{Name: "server:8788", Silent: time.Second}}
	d.enter().look("").Sees("? awaits a payment")
	d.shop.Pay(d.shop.Charge("S1"))
	d.Send(pictured(d, true)).Sees("✓ every link answers", "event 12:00", "stored 12:00")
	d.draws("phone ✓ service ✓ address ✓ listener ✓ disk")
	d.now, d.ran = d.now.Add(2*time.Hour), 2*time.Hour
	d.facts.Heard = d.now
	d.Send(pictured(d, false)).Sees("? awaits a payment")
}

func TestWithoutAPublicAddressOnlyARecentEventProvesTheWayIn(t *testing.T) {
	d := unchecked(t).look("")
	d.Sees("event 11:53")
	d.draws("phone ✓ service ✓ address ✓ listener ✓ disk")
	d.now = d.now.Add(9 * time.Minute)
	d.look("")
	d.draws("phone ✓ service ✓ address ? listener ✓ disk")
}

func TestEachPointOfThePathHasItsPlace(t *testing.T) {
	for _, language := range i18n.Languages() {
		texts := words(t, language)
		d := shown(t, language, theme.Plain(), "").enter().look("")
		d.Resize(120, 36).Sees(texts.Address, texts.NotSet, "api.example.mg", "127.0.0.1:8788").Fits()
		d.facts.Address = ""
		d.facts.Relay.Host = "relay.example.mg"
		d.look("").Sees("relay.example.mg").Lacks("127.0.0.1:8788").Fits()
	}
}

func TestTheScreenSaysWhetherAPaymentCame(t *testing.T) {
	d := open(t, "en").enter().look("")
	d.Sees("What to do", "✓ Nothing is wrong. The service last reported a payment at 11:53.")
	d.facts.LastEvent = time.Time{}
	d.look("").Sees("? No payment was reported since the start at 12:00: pay 100 Ar", "accepted 0, repeated 0, refused 0")
	d.facts.Address = "" // Another process listens.
	d.look("").Sees("No payment since 11:00: pay 100 Ar")
}

func TestASampleDayDoesNotContradictWhatCame(t *testing.T) {
	d := shown(t, "en", theme.Plain(), "https://till.example.mg", func(c *health.Config) { c.Sample = true })
	d.facts.LastEvent = time.Time{}
	d.enter().look("").Sees("No payment was reported since the start at 12:00").Lacks("sample")
	d.shop.Pay(d.shop.Charge("S1"))
	d.Send(pictured(d, true)).Sees("Nothing is wrong. The payments above are a sample").Lacks("No payment").Fits()
}

func TestTheScreenKeepsOneListInASmallWindow(t *testing.T) {
	d := open(t, "en").enter().look("")
	d.Resize(40, 15).Sees("✓ Listener").Lacks("phone").Lacks("What to do").Fits()
}

func TestTheLastHourIsReadAgainWhenAnOrderIsPaid(t *testing.T) {
	d := open(t, "en").enter().look("")
	d.Resize(120, 36).Sees("Paid in the last hour", "─ 0 ─")
	d.shop.Pay(d.shop.Charge("S1"))
	d.Send(pictured(d, true)).Sees("✓ PAID      1", "─ 1 ✓ PAID ─")
	d.shop.TakeInParts("S2", drawer.TenderCard) // The rest by card is no second sale.
	d.Send(pictured(d, true)).Sees("¤ CASH      1", "¤ CARD      0", "7 500")
	d.now, d.ran = d.now.Add(2*time.Hour), 2*time.Hour
	d.Send(pictured(d, false)).Sees("─ 0 ─", "13:10").Lacks("PAID").Fits()
}

func TestAFailedReadOfTheLastHourIsTriedAgain(t *testing.T) {
	d := open(t, "en")
	d.shop.Break()
	d.enter().Resize(120, 36).Sees("Paid in the last hour").Lacks("─ 0 ─")
	d.shop.Mend()
	d.look("").Sees("─ 0 ─")
}

func TestTheSmallestWindowWithBoxesCutsNoText(t *testing.T) {
	for _, language := range i18n.Languages() {
		texts := words(t, language)
		d := open(t, language).enter().look("")
		trade(d)
		d.Resize(100, 28).Sees(texts.Phone, texts.Service, texts.Address, texts.Listener, texts.Disk, texts.Whole).Lacks("…").Fits()
		d.Sees(texts.Hour, texts.Keeps)
		d.facts.Looked, d.now = d.now, d.now.Add(20*time.Hour)
		d.look("").Sees(texts.Silent, "20 h", texts.Todo).Fits()
	}
}

func words(t *testing.T, language string) i18n.Path {
	t.Helper()
	return i18n.Load(language).Path
}

func pictured(d *desk, changed bool) counter.Picture {
	return counter.Picture{Now: d.now, Reach: d.facts.Reach(d.now), Changed: changed}
}

func TestANarrowWindowDrawsThePathDownwards(t *testing.T) {
	for _, language := range i18n.Languages() {
		texts := words(t, language)
		d := open(t, language).enter().look("").Resize(50, 28)
		d.Sees("\n "+texts.Phone, "\n "+texts.Disk, "│ ✓", texts.Hour, texts.Todo, "127.0.0.1:8788").Fits()
	}
}

func TestEachLinkHasAWordBeforeAnyEvent(t *testing.T) {
	d := open(t, "en")
	d.facts.LastEvent = time.Time{}
	d.enter().look("").Sees("ready").Resize(120, 36).Sees("address   passes reports", "listener  takes, stores the reports   127.0.0.1:8788   accepted 0").Lacks("none since").Fits()
}

// TestEachLinkIsToldOnce checks that the findings do not repeat what the path says, and that a narrow
// window shows how many links are not known, and all keys.
func TestEachLinkIsToldOnce(t *testing.T) {
	for _, language := range i18n.Languages() {
		d := open(t, language).enter()
		d.facts.LastEvent = time.Time{}
		d.look("").Lacks("✓ "+i18n.Load(language).Checks["listener"], "✓ "+i18n.Load(language).Checks["service"])
		d.Resize(50, 28).Sees(words(t, language).Unknown, "\n "+words(t, language).Disk)
		before := ""
		for row := range strings.SplitSeq(d.View(), "\n") {
			if strings.HasPrefix(row, "── ") && strings.TrimSpace(before) != "" {
				t.Errorf("%s: no blank row above %q", language, row)
			}
			before = row
		}
		if strings.TrimSpace(before) != "" {
			t.Errorf("%s: no blank row is above the keys\n%s", language, d.View())
		}
	}
}

func TestTheScreenFitsEveryWindow(t *testing.T) {
	reached := tuitest.Forms{}
	for _, language := range tuitest.Languages() {
		texts := i18n.Load(language)
		d := open(t, language).enter().look("")
		trade(d)
		parts := []string{"─ " + texts.Path.Title + " ─", "─ " + texts.Path.Hour + " ─", "─ " + texts.Calls.Title, texts.Path.Keeps}
		draw := func(width, height int) string { return d.Resize(width, height).Fits().View() }
		tuitest.Windows(t, []int{20, 40, 60, 72, 80, 100, 120, 200}, draw, func(view string) []string {
			boxes := strings.Contains(view, "▸ │")
			reached[fmt.Sprintf("boxes %t, hour %t, path %t", boxes, strings.Contains(view, texts.Calls.Title), strings.Contains(view, texts.Path.Title))] = true
			return tuitest.Among(view, parts...)
		})
	}
	reached.Want(t, "boxes true, hour true, path true", "boxes false, hour true, path true", "boxes false, hour false, path true", "boxes false, hour false, path false")
}

func TestTheCountsAreBelowTheBars(t *testing.T) {
	d := open(t, "en").enter().look("")
	trade(d)
	d.Resize(120, 34).Sees("7 ✓ PAID   1 ✗ NOT PAID   1 ✗ REFUSED", "─ last 120 ms ─", "slowest  310 ms", "failed      1/5", "accepted 12, repeated 1, refused 0")
	for _, once := range []string{"7 ✓ PAID", "120 ms", "Paid in the last hour"} {
		tuitest.Equal(t, strings.Count(d.View(), once), 1, "times that the screen tells %q", once)
	}
	d.Resize(34, 40).Sees("Paid in the last hour").Sees("7 ✓ PAID   1 ✗ NOT PAID", "1 ✗ REFUSED")
}

func TestTheTimesBelowTheCallsAreWhole(t *testing.T) {
	d := open(t, "en").enter().look("")
	trade(d)
	d.Resize(80, 24).Sees("13:08          13:10          13:12 │")
	d.calls[2].Took, d.calls[0].Took = d.calls[0].Took, d.calls[2].Took // There is no room for the time of the slowest call.
	d.look("").Sees("13:08                         13:12 │")
}

func TestAServiceOnThisMachineNeedsNoAddress(t *testing.T) {
	here := func(c *health.Config) { c.ServiceURL = "http://127.0.0.1:8791" }
	d := shown(t, "en", theme.Plain(), "", here, func(c *health.Config) { c.Checks = c.Checks[1:] })
	d.facts.LastEvent = time.Time{}
	d.enter().look("").Sees("service   makes codes", "can be reached · tried 12:00").Lacks("address")
	d.draws("phone ? service ? listener ✓ disk")
	d.reached = []error{errors.New("no")}
	d.Press("r").Sees("✗ broken links: 1")
	d.draws("phone ✗ service ? listener ✓ disk")
	d = shown(t, "en", theme.Plain(), "https://till.example.mg", here).enter().look("")
	d.draws("phone ✓ service ✓ address ✓ listener ✓ disk")
}

func TestFewCallsAreNotDrawnAsBars(t *testing.T) {
	d := open(t, "en").enter().look("")
	trade(d)
	d.Resize(120, 34).Sees("median", "95 %")
	d.calls = d.calls[:4]
	d.look("").Sees("By outcome").Lacks("slowest")
}
