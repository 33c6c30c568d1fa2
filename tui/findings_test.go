package tui_test

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/webhook"
	"checkout/till/tui/doctor"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

// ills returns, for each code that the screens, the line mode and the listener must show, a
// function that changes a till's health so that the doctor finds this code. now is the time of the
// change.
func ills(now time.Time) map[doctor.Code]func(h *payments.Health) {
	relay := payments.RelayState{Host: "relay.example.mg", Since: now.Add(-time.Hour), Contact: now, Emptied: true}
	fetches := func(alter func(*payments.RelayState)) func(*payments.Health) {
		return func(h *payments.Health) { h.Relay = relay; alter(&h.Relay) }
	}
	elsewhere := func(silent ...time.Duration) func(*payments.Health) {
		return func(h *payments.Health) {
			h.Shared, h.Heard, h.Address = true, now, ""
			for _, silence := range silent {
				h.Listeners = append(h.Listeners, payments.Listener{Name: "server:8788", Silent: silence})
			}
		}
	}
	all := map[doctor.Code]func(h *payments.Health){
		"unconfirmed":   func(h *payments.Health) { h.Looked = now },
		"refused":       func(h *payments.Health) { h.Expected = payments.Expected{Order: "REF_1", At: now, Several: true} },
		"crowded":       func(h *payments.Health) { h.Crowded = true },
		"not_listening": func(h *payments.Health) { h.Listening = false },
		"store_down":    func(h *payments.Health) { h.StoreDown = true },
		"cut_off":       func(h *payments.Health) { h.StoreDown, h.Shared = true, true },

		"listener_silent":    elsewhere(11 * time.Second),
		"no_listener":        elsewhere(time.Hour),
		doctor.ListenerLost:  elsewhere(time.Second, time.Hour),
		"fetching":           fetches(func(r *payments.RelayState) { r.Emptied = false }),
		"relay_silent":       fetches(func(r *payments.RelayState) { r.Contact = now.Add(-13 * time.Second) }),
		"no_relay":           fetches(func(r *payments.RelayState) { r.Contact = now.Add(-time.Hour) }),
		"relay_held":         fetches(func(r *payments.RelayState) { r.HeldBy = "T2" }),
		"relay_full":         fetches(func(r *payments.RelayState) { r.Full = true }),
		"relay_locked":       fetches(func(r *payments.RelayState) { r.OtherKey = 2 }),
		doctor.RelayUnknown:  fetches(func(r *payments.RelayState) { r.Unknown = true }),
		doctor.UnknownKind:   func(h *payments.Health) { h.UnknownKind = "payment.cancelled" },
		doctor.StoreReadable: func(h *payments.Health) { h.Shared, h.Heard, h.Readable = true, now, "disable" },
		doctor.ClockService:  func(h *payments.Health) { h.Ahead = 3 * time.Hour },
		doctor.OutboxWaits:   func(h *payments.Health) { h.Outbox.Events = 2 },
		doctor.OutboxAside:   func(h *payments.Health) { h.Outbox.Events, h.Outbox.SetAside = 2, 1 },
		doctor.OutboxFull:    func(h *payments.Health) { h.Outbox.Full, h.Outbox.Lost = true, 3 },
	}
	for _, cause := range payments.CauseKinds() {
		all[doctor.Code(cause)] = func(h *payments.Health) { h.Refused, h.Cause = 3, payments.Cause{Kind: cause, Detail: "body"} }
	}
	return all
}

func TestEachFindingIsInEachFace(t *testing.T) {
	t.Parallel()
	for _, reach := range payments.Reaches() {
		if ill := ills(time.Time{}); reach.NeedsAdvice() && ill[doctor.Code(reach)] == nil {
			t.Errorf("the test does not show %s", reach)
		}
	}
	for _, code := range tuitest.Some(4, slices.Sorted(maps.Keys(ills(time.Time{})))) {
		t.Run(string(code), func(t *testing.T) {
			t.Parallel()
			w := openWayIn(t)
			w.alter = ills(w.Now())[code]
			w.after(0)
			finding := w.finding(code)
			w.showsOnScreen(finding)
			w.saysInLines(finding)
			w.reports(finding)
		})
	}
}

// finding returns the finding with a code.
func (w *wayIn) finding(code doctor.Code) doctor.Finding {
	w.t.Helper()
	for _, finding := range w.findings() {
		if finding.Code == code && finding.Bad() {
			return finding
		}
	}
	w.t.Fatalf("there is no finding %s in %+v", code, w.findings())
	return doctor.Finding{}
}

func (w *wayIn) findings() []doctor.Finding {
	health, now := w.config.Health(), w.Now()
	return doctor.Findings(w.config.Texts, doctor.Picture{Health: health, Reach: health.Reach(now), Now: now, Zone: w.config.Zone})
}

// showsOnScreen checks that the header shows the short text of a finding, and that the health
// screen shows the whole text and the advice.
func (w *wayIn) showsOnScreen(finding doctor.Finding) {
	w.t.Helper()
	w.press("esc", "enter")
	if header, _, _ := strings.Cut(w.View(), "\n"); !strings.Contains(header, finding.Brief()) {
		w.t.Errorf("the header is %q, want %q", header, finding.Brief())
	}
	w.press("f8")
	for _, row := range doctor.Rows(w.config.Texts, []doctor.Finding{finding}, theme.Plain(), 60) {
		for word := range strings.FieldsSeq(row) {
			if !strings.Contains(w.View(), word) {
				w.t.Errorf("F8 does not show %q of %q\n%s", word, row, w.View())
			}
		}
	}
}

// saysInLines checks that the line mode prints the text and the advice of a finding when the
// cashier asks for them.
func (w *wayIn) saysInLines(finding doctor.Finding) {
	w.t.Helper()
	said := w.inLines("health\n")
	for _, want := range []string{finding.Text, finding.Advice} {
		if !strings.Contains(said, want) {
			w.t.Errorf("the line mode does not say %q in\n%s", want, said)
		}
	}
}

// reports checks that /healthz and /metrics contain the code of a finding.
func (w *wayIn) reports(finding doctor.Finding) {
	w.t.Helper()
	answer, ask := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/healthz", nil)
	ask.Header.Set("Accept", "application/json")
	w.handler.ServeHTTP(answer, ask)
	var told struct{ Findings []webhook.Finding }
	tuitest.Must(w.t, json.Unmarshal(answer.Body.Bytes(), &told))
	want := webhook.Finding{Code: string(finding.Code), Check: string(finding.Check), State: string(finding.State)}
	metric := `till_finding{code="` + want.Code + `",check="` + want.Check + `",state="` + want.State + `"} 1`
	found := false
	for _, problem := range told.Findings {
		found = found || problem == want
	}
	if !found {
		w.t.Errorf("/healthz has %+v, want %+v", told.Findings, want)
	}
	answer = httptest.NewRecorder()
	w.handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if !strings.Contains(answer.Body.String(), metric+"\n") {
		w.t.Errorf("/metrics lacks %s", metric)
	}
}

// problems returns the findings that the listener reports.
func (w *wayIn) problems(context.Context) (problems []webhook.Finding) {
	for _, finding := range w.findings() {
		if finding.Bad() {
			problems = append(problems, webhook.Finding{Code: string(finding.Code), Check: string(finding.Check), State: string(finding.State)})
		}
	}
	return problems
}
