package server

import (
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"checkout/till/assets"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/sandbox"
)

var (
	//go:embed dashboard.html
	dashboardPage string
	//go:embed dashboard.css
	dashboardStyle string
)

type dashboardView struct {
	*sandbox.Sandbox
	Style     template.CSS
	Base      string
	Edit      bool   // Whether the form for the faults is open; the page then does not refresh.
	Scenario  string // Name of the current scenario; empty if the faults match none.
	Scenarios []sandbox.Scenario
	Chosen    int64  // ID of the delivery that is shown with its requests and replies.
	Searching bool   // Whether the form for the search is open; the page then does not refresh.
	Search    string // Only entries with this text are shown.
}

const maxShown = 100

func (v dashboardView) Orders() []sandbox.Order {
	return newest(v.Sandbox.Orders(), func(o sandbox.Order) bool { return v.finds(o.OrderReference, o.Reference, o.Description) })
}

func (v dashboardView) Deliveries() []sandbox.Delivery {
	return newest(v.Sandbox.Deliveries(), func(d sandbox.Delivery) bool { return v.finds(d.Body) })
}

// Log returns the newest activities that the search finds. It leaves out tries, which are shown
// with their delivery.
func (v dashboardView) Log() []sandbox.Activity {
	return newest(v.Activities(), func(a sandbox.Activity) bool {
		return a.Kind != "delivery" && v.finds(a.OrderReference, a.Reference, a.Body)
	})
}

func (v dashboardView) finds(texts ...string) bool {
	return strings.Contains(strings.ToLower(strings.Join(texts, "\n")), strings.ToLower(v.Search))
}

// newest returns the first [maxShown] wanted entries of a list that is sorted newest first.
func newest[T any](list []T, wanted func(T) bool) (found []T) {
	for _, entry := range list {
		if len(found) < maxShown && wanted(entry) {
			found = append(found, entry)
		}
	}
	return found
}

// The functions that the templates of the pages call.

func cleanText(text string) string { return clean.Text(text, payments.MaxShownWidth) }

func printableText(text string) string { return string(Printable([]byte(text))) }

func words(name any) string { return strings.ReplaceAll(fmt.Sprint(name), "_", " ") }

func localTime(at time.Time) string { return at.Local().Format("2006-01-02 15:04:05 MST") }

func took(span time.Duration) string {
	return max(span.Round(time.Millisecond), time.Millisecond).String()
}

func lastTry(tries []sandbox.Try) sandbox.Try { return tries[len(tries)-1] }

func formatted(faults any) (string, error) {
	text, err := json.Marshal(faults, sandbox.JSON(), jsontext.WithIndent("  "))
	return string(Printable(text)), err
}

// dashboard serves the dashboard. A meta element refreshes the page, unless the form for the faults
// or for the search is open.
func dashboard(service *sandbox.Sandbox) http.HandlerFunc {
	tmpl := template.Must(template.New("dashboard.html").Funcs(template.FuncMap{
		"clean": cleanText, "printable": printableText, "words": words, "at": localTime, "group": group, "took": took,
		"last": lastTry, "status": http.StatusText, "json": formatted,
	}).Parse(dashboardPage))
	return func(w http.ResponseWriter, r *http.Request) {
		view := dashboardView{
			Sandbox: service, Base: service.Config().BaseURL(r), Edit: r.URL.Query().Has("edit"), Scenarios: sandbox.Scenarios(),
			Style: template.CSS(dashboardStyle), //nolint:gosec // Our own embedded file.
		}
		view.Searching = r.URL.Query().Has("search")
		view.Search = strings.TrimSpace(r.URL.Query().Get("search"))
		// A missing or invalid ID gives 0, which no delivery has.
		view.Chosen, _ = strconv.ParseInt(r.URL.Query().Get("delivery"), 10, 64)
		faults := service.Faults()
		for _, scenario := range view.Scenarios {
			if scenario.Faults == faults {
				view.Scenario = scenario.Name
			}
		}
		assets.WritePage(w, http.StatusOK, tmpl, view, view.Style, "", "'self'")
	}
}
