package doctor_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/doctor"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest/counter"
)

// report is a finding of a state.
func report(kind doctor.Kind, state doctor.State, text string) doctor.Report {
	return doctor.NewReport(kind, func(i18n.Texts) (doctor.State, string, string) { return state, text, "" })
}

func TestFindingsHaveAFixedOrderAndAKindIsWellWhenAllOfItIs(t *testing.T) {
	var got []string
	for _, finding := range doctor.Findings(counter.Texts(t, "en"),
		report(doctor.Service, doctor.OK, "a"), report(doctor.Clock, doctor.OK, "b"), report(doctor.Clock, doctor.Warn, "c"),
		report(doctor.Clock, doctor.Fail, "d"), report(doctor.Token, doctor.OK, "e"), report(doctor.Token, doctor.OK, "f"),
	) {
		got = append(got, string(finding.Check)+" "+string(finding.State)+" "+finding.Text)
	}
	if want := []string{"token ok e", "clock warn c", "clock fail d", "service ok a"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

func TestACheckEndsAfterFiveSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		reports := doctor.Run(t.Context(), func(ctx context.Context) []doctor.Report {
			<-ctx.Done()
			return doctor.OfService(payments.Visit{}, payments.ErrTooSlow, began)
		})
		found := doctor.Findings(counter.Texts(t, "en"), reports...)
		if len(found) != 1 || !strings.Contains(found[0].Text, "too long") || time.Since(began) != 5*time.Second {
			t.Errorf("after %s: %+v", time.Since(began), found)
		}
	})
}

func TestWhatALookAtAnAddressSays(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	way := doctor.Way{URL: "https://shop.example.mg", Path: "/hook", Target: "127.0.0.1:8788", Listener: "A"}
	for name, tt := range map[string]struct {
		reports []doctor.Report
		state   doctor.State
		want    string
	}{
		"a certificate that ends soon": {
			doctor.OfService(payments.Visit{Status: 405, Expires: now.AddDate(0, 0, 13)}, nil, now), doctor.Warn, "certificate until 2026-12-04",
		},
		"one that lasts":                    {doctor.OfService(payments.Visit{Status: 405, Expires: now.AddDate(0, 1, 0)}, nil, now), doctor.OK, "can be reached"},
		"a service without the order path":  {doctor.OfService(payments.Visit{Status: 404}, nil, now), doctor.Warn, "order_path"},
		"a service that sends on":           {doctor.OfService(payments.Visit{Status: 308}, nil, now), doctor.Warn, "order_path"},
		"a service that is out of order":    {doctor.OfService(payments.Visit{Status: 503}, nil, now), doctor.Warn, "Try again later"},
		"a front that sends on":             {[]doctor.Report{doctor.OfPublic(way, payments.Visit{Status: 301}, nil, now)}, doctor.Fail, "answers 301"},
		"a front with a page of its own":    {[]doctor.Report{doctor.OfPublic(way, payments.Visit{Status: 200}, nil, now)}, doctor.Fail, "another program"},
		"any listener, where none is known": {[]doctor.Report{doctor.OfPublic(doctor.Way{}, payments.Visit{Status: 200, Listener: "B"}, nil, now)}, doctor.OK, ""},
		"the shop's own certificate, which ends soon": {
			[]doctor.Report{doctor.OfPublic(way, payments.Visit{Status: 200, Listener: "A", Expires: now.Add(time.Hour)}, nil, now)},
			doctor.Warn, "Renew the certificate",
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, language := range i18n.Languages() {
				found := doctor.Findings(counter.Texts(t, language), tt.reports...)
				if len(found) != 1 || found[0].State != tt.state {
					t.Fatalf("%s: found %+v", language, found)
				}
				if said := strings.Join(doctor.Rows(found, theme.Plain(), 80), " "); language == "en" && !strings.Contains(said, tt.want) {
					t.Errorf("it does not say %q: %s", tt.want, said)
				}
			}
		})
	}
}
