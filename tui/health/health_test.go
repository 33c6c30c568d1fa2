package health_test

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/counter"
	"checkout/till/tui/doctor"
	"checkout/till/tui/health"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// desk is the health screen under test, with facts that the test sets.
type desk struct {
	*tuitest.Driver
	t       *testing.T
	shop    *shoptest.Counter
	facts   payments.Health
	now     time.Time
	ran     time.Duration
	reached []error // Errors that the checks return, in order; nil means success.
	tries   int
	copied  string
	calls   []payments.Call
}

func open(t *testing.T, language string) *desk {
	t.Helper()
	return shown(t, language, theme.Plain(), "https://till.example.mg")
}

// unchecked returns the open health screen of a shop without a public address, before the checks
// over the network.
func unchecked(t *testing.T) *desk {
	t.Helper()
	return shown(t, "en", theme.Plain(), "", func(config *health.Config) { config.Checks = nil }).enter()
}

// shown returns the health screen of a shop. public is the shop's public address; it may be blank.
func shown(t *testing.T, language string, styles theme.Theme, public string, changes ...func(*health.Config)) *desk {
	t.Helper()
	d := &desk{t: t, now: shoptest.Opening(), facts: payments.Health{
		Listening: true, Address: "127.0.0.1:8788", LastEvent: shoptest.Opening().Add(-7 * time.Minute),
	}}
	d.shop = shoptest.Open(t)
	config := health.Config{
		Console:    live.Console{Service: d.shop.Service, Run: shoptest.Run(t), Till: shoptest.Till, Zone: shoptest.Zone(), Theme: styles, Texts: i18n.Load(language)},
		Facts:      func() payments.Health { return d.facts },
		Now:        func() time.Time { return d.now },
		Ran:        func() time.Duration { return d.ran },
		Calls:      func() []payments.Call { return d.calls },
		ServiceURL: "https://api.example.mg/v1",
		PublicURL:  public,
		Copy:       func(text string) error { d.copied = text; return nil },
		Checks: []doctor.Check{func(context.Context) doctor.Report {
			return func(t i18n.Texts) []doctor.Finding {
				visit := payments.Visit{Status: http.StatusOK, Listener: "A"}
				return []doctor.Finding{doctor.OfPublic(t, doctor.Way{URL: public}, visit, nil, d.now)}
			}
		}, func(context.Context) doctor.Report {
			d.tries++
			err := d.reached[min(d.tries, len(d.reached))-1]
			return func(t i18n.Texts) []doctor.Finding {
				return doctor.OfService(t, payments.Visit{Status: http.StatusMethodNotAllowed}, err, d.now)
			}
		}},
	}
	for _, change := range changes {
		change(&config)
	}
	d.reached = []error{nil}
	d.Driver = tuitest.Drive(t, shoptest.Wrap(health.New(config)), 80, 24)
	return d
}

func (d *desk) enter() *desk {
	d.Send(live.Entered{})
	return d
}

// look sends a picture of the current state to the screen. If reach is blank, the picture contains
// the reachability that follows from the facts.
func (d *desk) look(reach payments.Reach) *desk {
	d.Send(counter.Picture{Now: d.now, Reach: cmp.Or(reach, d.facts.Reach(d.now))})
	return d
}

// TestEachStateHasItsFinding checks the states that are not in a golden file.
func TestEachStateHasItsFinding(t *testing.T) {
	for name, tt := range map[string]struct {
		ill   func(d *desk)
		reach payments.Reach
		want  []string
	}{
		"requests of strangers are only counted": {
			func(d *desk) { d.facts.Refused = 3 },
			"",
			[]string{"? Events", "Requests refused since the last good event: 3."},
		},
		"the database server's answers stopped": {
			func(d *desk) { d.facts.Shared, d.facts.Heard = true, d.now.Add(-3*time.Minute) },
			payments.ReachStoreDown,
			[]string{"✗ Database         NO DATABASE", "last answer 3 min ago"},
		},
		"the database server never answered, with a cause": {
			func(d *desk) { d.facts.Shared, d.facts.StoreDown, d.facts.Fault = true, true, "The name is taken." },
			"",
			[]string{"✗ Database         NO DATABASE", "no answer since the start", "The name is taken."},
		},
		"the clock ran for hours": {
			func(d *desk) { d.now, d.ran = d.now.Add(8*time.Hour), 8*time.Hour }, "", []string{"✓ Clock  21/11 20:00"},
		},
		"the database server answered": {
			func(d *desk) { d.facts.Shared, d.facts.Heard = true, d.now.Add(-2*time.Second) }, "", []string{"✓ Database  answered 2 s ago"},
		},
		"the clock was set forward": {
			func(d *desk) { d.now, d.ran = d.now.Add(time.Hour), time.Minute },
			"",
			[]string{"✗ Clock            21/11 13:00", "The clock was changed"},
		},
		"the clock was set back": {
			func(d *desk) { d.now, d.ran = d.now.Add(-time.Hour), time.Minute },
			"",
			[]string{"✗ Clock            21/11 11:00"},
		},
		"the database server's clock differs": {
			func(d *desk) {
				d.facts.Shared, d.facts.Heard, d.facts.Skew, d.now = true, d.now, 15*time.Minute, d.now.Add(15*time.Minute)
			},
			"",
			[]string{"✗ Clock            21/11 12:15", "differ by 15 min"},
		},
		"the connection to the database is not encrypted": {
			func(d *desk) { d.facts.Shared, d.facts.Heard, d.facts.Readable = true, d.now, "disable" },
			"",
			[]string{"! Database", "sslmode=disable"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, "en").enter()
			tt.ill(d)
			d.look(tt.reach).Sees(tt.want...)
		})
	}
}

func TestATillWithoutAListenerIsHealthy(t *testing.T) {
	d := unchecked(t)
	d.facts.Shared, d.facts.Heard, d.facts.Address = true, d.now, ""
	d.facts.Listeners = []payments.Listener{{Name: "server:8788", Silent: 2 * time.Second}}
	d.look("").Sees("stores the reports    server:8788", "2 s ago").Lacks("! Listener").Lacks("Events")
}

func TestASilentListenerIsNamed(t *testing.T) {
	const second, hour = time.Second, time.Hour
	for name, tt := range map[string]struct {
		address string
		silent  []time.Duration // For how long the listeners a:1 and b:2 have been silent.
		want    []string
	}{
		"the only one, for seconds":       {"", []time.Duration{11 * second}, []string{"! Listener", "a:1: no listener, 11 s", "some seconds"}},
		"the only one, for minutes":       {"", []time.Duration{hour}, []string{"✗ Listener", "NO LISTENER", "till listen"}},
		"one of two":                      {"", []time.Duration{second, hour}, []string{"! Listener", "not at this till", "b:2 for 60 min", "Another listener works"}},
		"another one than this till's":    {"127.0.0.1:8788", []time.Duration{second, hour}, []string{"! Listener", "127.0.0.1:8788: receives payments", "b:2 for 60 min"}},
		"both, and this till has another": {"127.0.0.1:8788", []time.Duration{11 * second, hour}, []string{"! Listener", "a:1, b:2 for 11 s"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, "en").enter()
			d.facts.Shared, d.facts.Heard, d.facts.Address = true, d.now, tt.address
			for i, silence := range tt.silent {
				listener := payments.Listener{Name: []string{"a:1", "b:2"}[i], Silent: silence}
				d.facts.Listeners = append(d.facts.Listeners, listener)
			}
			d.look("").Sees(tt.want...)
		})
	}
}

func TestTheServiceIsCheckedOnEntryAndWithR(t *testing.T) {
	d := open(t, "en")
	d.Lacks("Service")
	d.reached = []error{errors.New("refused"), nil}
	d.enter().Sees("cannot be reached")
	d.look("").Sees("cannot be reached")
	d.Press("r").Sees("tried 12:00").Lacks("cannot be reached")
	tuitest.Equal(t, d.tries, 2, "checks")
}

func (d *desk) left(times int) {
	d.t.Helper()
	tuitest.Equal(d.t, len(shoptest.Received[live.Closed](d.Model().(shoptest.Harness[health.Model]))), times, "times that the cashier left")
}

func TestEscClosesTheScreen(t *testing.T) {
	d := open(t, "en").enter()
	d.Press("esc")
	d.left(1)
}

func TestTheReportForSupportIsShownAndCopied(t *testing.T) {
	d := open(t, "en").enter().look("")
	trade(d)
	d.Press("d").Sees("Report for support", "Sent to the terminal's clipboard.", "till · T1 · 2026-11-21", "slowest 310 ms · 95 % in 310 ms")
	if !strings.Contains(d.copied, "median 90 ms · failed 1") || !strings.Contains(d.copied, "✓ Listener: 127.0.0.1:8788: receives payments\n") {
		t.Errorf("copied\n%s", d.copied)
	}
	d.Press("esc").Sees("What to do").Lacks("Sent to the terminal")
	d.left(0)
}

func TestTheScreenLooksAsItDid(t *testing.T) {
	states := map[string]func(d *desk){
		"well": func(*desk) {},
		"cut-off": func(d *desk) {
			d.facts.Shared, d.facts.StoreDown, d.facts.Heard = true, true, d.now.Add(-12*time.Second)
		},
		"ill": func(d *desk) {
			d.facts = payments.Health{Refused: 12, Cause: payments.Cause{Kind: payments.CauseSecretChanged}, StoreDown: true}
			d.reached = []error{errors.New("no")}
			d.Press("r")
		},
		"polled": func(d *desk) {
			d.facts.Shared, d.facts.Heard, d.facts.Polls = true, d.now.Add(-time.Second), true
		},
		"busy":    trade,
		"report":  func(d *desk) { trade(d); d.Press("d") },
		"unset":   func(d *desk) { d.facts.LastEvent = time.Time{} },
		"crowded": func(d *desk) { d.facts.Crowded = true },
		"forged":  func(d *desk) { d.facts.Cause.Kind = payments.CauseSignatureKnown },
		"refused": func(d *desk) {
			d.facts.Refused, d.facts.Cause = 3, payments.Cause{Kind: payments.CauseOtherHeader, Detail: "X-Brand-Signature"}
		},
	}
	tuitest.Gallery{
		States: slices.Sorted(maps.Keys(states)),
		Wide:   []string{"busy", "ill", "report"},
		// The text at the right of a border, and texts that have no room at 80×24 above long findings or a
		// long report.
		Yields: []string{"relay.last", "path.hour", "path.slow", "relay.refused_head", "verdicts.not_paid", "verdicts.paid"},
		Show: func(t *testing.T, state, language string, styles theme.Theme) *tuitest.Driver {
			public := "https://till.example.mg"
			if state == "unset" {
				public = ""
			}
			d := shown(t, language, styles, public).enter()
			states[state](d)
			d.look("")
			return d.Driver
		},
	}.Test(t)
}

// trade creates orders during an hour and a half, and then opens the screen.
func trade(d *desk) {
	pay := func() { d.shop.Pay(d.shop.Charge("")) }
	pay() // When the screen is opened, this payment is more than an hour old, so it is not shown.
	d.shop.Advance(40 * time.Minute)
	pay()
	for range 3 {
		d.shop.Advance(14 * time.Minute)
		pay()
		pay()
		d.shop.Advance(2 * time.Minute)
	}
	d.shop.Fail(d.shop.Charge(""), "")
	d.shop.Reply(shoptest.Refuse("no"))
	d.shop.Charge("")
	d.now, d.ran = d.shop.Now(), d.shop.Now().Sub(shoptest.Opening())
	d.facts.LastEvent = d.now.Add(-2 * time.Minute)
	d.facts.Accepted, d.facts.Repeated = 12, 1
	for i, took := range []int{84, 90, 310, 77, 120} {
		at := d.now.Add(time.Duration(i-20) * time.Minute)
		d.calls = append(d.calls, payments.Call{At: at, Took: time.Duration(took) * time.Millisecond, Failed: i == 2})
	}
	d.Press("r")
}
