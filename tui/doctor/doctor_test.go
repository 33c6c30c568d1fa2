package doctor_test

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/doctor"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

func TestFindingsAreSortedAndAnOKIsShownOnlyWithoutProblems(t *testing.T) {
	var got []string
	for _, finding := range doctor.Join(i18n.Load("en"), []doctor.Finding{
		doctor.New(doctor.Service, doctor.OK, "", "a", ""),
		doctor.New(doctor.Clock, doctor.OK, "", "b", ""),
		doctor.New(doctor.Clock, doctor.Warn, "", "c", ""),
		doctor.New(doctor.Clock, doctor.Fail, "", "d", ""),
		doctor.New(doctor.Token, doctor.OK, "", "e", ""),
		doctor.New(doctor.Token, doctor.OK, "", "f", ""),
	}) {
		got = append(got, string(finding.Check)+" "+string(finding.State)+" "+finding.Text)
	}
	tuitest.Equal(t, got, []string{"token ok e", "clock warn c", "clock fail d", "service ok a"}, "the findings")
}

func TestACheckEndsAfterFiveSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		reports := doctor.Run(t.Context(), func(ctx context.Context) doctor.Report {
			<-ctx.Done()
			return func(t i18n.Texts) []doctor.Finding {
				return doctor.OfService(t, payments.Visit{}, payments.ErrTooSlow, began)
			}
		})
		found := doctor.Join(i18n.Load("en"), nil, reports...)
		if len(found) != 1 || !strings.Contains(found[0].Text, "too long") || time.Since(began) != 5*time.Second {
			t.Errorf("after %s: %+v", time.Since(began), found)
		}
	})
}

func TestNoFindingAdvisesToLookAtTheFindings(t *testing.T) {
	relayed := payments.Health{Listening: true, Address: "127.0.0.1:8788", Relay: payments.RelayState{Host: "relay.example.mg"}}
	elsewhere := payments.Health{Listening: true, Shared: true, Listeners: []payments.Listener{{Name: "server:8788"}}}
	for _, language := range i18n.Languages() {
		for _, reach := range payments.Reaches() {
			for _, health := range []payments.Health{relayed, elsewhere} {
				for _, found := range doctor.Findings(i18n.Load(language), doctor.Picture{Health: health, Reach: reach, Zone: time.UTC}) {
					if said := found.Text + found.Advice; strings.Contains(said, "F8") || strings.Contains(said, "till doctor") {
						t.Errorf("%s, %s: %s", language, reach, said)
					}
				}
			}
		}
	}
}

func TestFindingsOfVisitsToAddresses(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	way := doctor.Way{URL: "https://shop.example.mg", Path: "/hook", Target: "127.0.0.1:8788", Listener: "A"}
	service := func(visit payments.Visit) doctor.Report {
		return func(t i18n.Texts) []doctor.Finding { return doctor.OfService(t, visit, nil, now) }
	}
	public := func(way doctor.Way, visit payments.Visit) doctor.Report {
		return func(t i18n.Texts) []doctor.Finding { return []doctor.Finding{doctor.OfPublic(t, way, visit, nil, now)} }
	}
	for name, tt := range map[string]struct {
		report doctor.Report
		state  doctor.State
		want   string
	}{
		"a certificate that ends soon": {
			service(payments.Visit{Status: 405, Expires: now.AddDate(0, 0, 13)}), doctor.Warn, "certificate until 2026-12-04",
		},
		"a certificate that lasts":              {service(payments.Visit{Status: 405, Expires: now.AddDate(0, 1, 0)}), doctor.OK, "can be reached"},
		"a service without the order path":      {service(payments.Visit{Status: 404}), doctor.Warn, "order_path"},
		"a service that redirects":              {service(payments.Visit{Status: 308}), doctor.Warn, "order_path"},
		"a service that is out of order":        {service(payments.Visit{Status: 503}), doctor.Warn, "Try again later"},
		"a proxy that redirects":                {public(way, payments.Visit{Status: 301}), doctor.Fail, "answers 301"},
		"a proxy that shows another page":       {public(way, payments.Visit{Status: 200}), doctor.Fail, "another program"},
		"any listener, without an expected one": {public(doctor.Way{URL: "https://shop.example.mg"}, payments.Visit{Status: 200, Listener: "B"}), doctor.OK, ""},
		"another listener of the shop": {
			public(doctor.Way{URL: way.URL, Listener: "A", Others: []payments.Listener{{Name: "server:1"}, {Name: "server:2"}}},
				payments.Visit{Status: 200, Listener: payments.NewListenerID("server:2")}), doctor.OK, "leads to server:2 of this shop",
		},
		"another shop's listener": {
			public(doctor.Way{URL: way.URL, Listener: "A", Others: []payments.Listener{{Name: "server:1"}}},
				payments.Visit{Status: 200, Listener: payments.NewListenerID("server:2")}), doctor.Fail, "another program",
		},
		"a relay that is away": {public(doctor.Way{URL: "https://relay.example.mg", Relayed: true}, payments.Visit{Status: 502}), doctor.Fail, "runs the relay"},
		"the shop's certificate ends soon": {
			public(way, payments.Visit{Status: 200, Listener: "A", Expires: now.Add(time.Hour)}),
			doctor.Warn, "Renew the certificate",
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, language := range i18n.Languages() {
				found := doctor.Join(i18n.Load(language), nil, tt.report)
				if len(found) != 1 || found[0].State != tt.state {
					t.Fatalf("%s: found %+v", language, found)
				}
				if said := strings.Join(doctor.Rows(i18n.Load(language), found, theme.Plain(), 80), " "); language == "en" && !strings.Contains(said, tt.want) {
					t.Errorf("%q is missing in: %s", tt.want, said)
				}
			}
		})
	}
}

//go:generate go test -run TestTheGuideHasTheCodes -update .

func TestTheGuideHasTheCodes(t *testing.T) {
	table := "| code | what it says |\n|---|---|\n"
	constant := regexp.MustCompile(`(?m)^\t\w+ +(?:Reach|CauseKind|Code) += "(\w+)" *// (.*)$`)
	for _, file := range []string{"../../payments/reach.go", "../../payments/health.go", "findings.go", "checks.go"} {
		source, err := os.ReadFile(file)
		tuitest.Must(t, err)
		for _, match := range constant.FindAllStringSubmatch(string(source), -1) {
			table += "| `" + match[1] + "` | " + match[2] + " |\n"
		}
	}
	tuitest.Table(t, "../../assets/docs/en/contributor.md", "codes", table)
}

func TestAShopWithoutABackupReadsWhyNoneIsDue(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	texts := i18n.Load("en")
	young := doctor.OfBackup(texts, time.Time{}, now.Add(-time.Hour), now, time.UTC)
	old := doctor.OfBackup(texts, time.Time{}, now.Add(-72*time.Hour), now, time.UTC)
	tuitest.Equal(t, young.Text, "none yet, and none is due in the first two days", "the text of a young shop")
	tuitest.Equal(t, old.Text, "none yet", "the text of an old shop")
}
