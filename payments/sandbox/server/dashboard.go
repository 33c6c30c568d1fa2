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
	"checkout/till/payments/sandbox"
)

var (
	//go:embed dashboard.html
	dashboardPage string
	//go:embed dashboard.css
	dashboardStyle string
)

// dashboardView is the data for the template: the sandbox and what the request selects.
type dashboardView struct {
	*sandbox.Sandbox
	Style     template.CSS
	Base      string
	Edit      bool   // The form for the faults is open, and the page does not refresh.
	Scenario  string // Name of the current scenario; empty for other faults.
	Scenarios []sandbox.Scenario
	Chosen    int64 // ID of the delivery shown with its requests and replies.
}

// dashboard serves the dashboard. The page refreshes by a meta element, unless its form for
// the faults is open. Its forms post to the API.
func dashboard(service *sandbox.Sandbox) http.HandlerFunc {
	tmpl := template.Must(template.New("dashboard.html").Funcs(template.FuncMap{
		"clean":     func(text string) string { return payments.Clean(text, payments.MaxShownWidth) },
		"printable": func(text string) string { return string(Printable([]byte(text))) },
		"words":     func(name any) string { return strings.ReplaceAll(fmt.Sprint(name), "_", " ") },
		"at":        func(at time.Time) string { return at.Local().Format(time.DateTime) },
		"status":    http.StatusText,
		"json": func(faults any) (string, error) { // Formats faults for the form.
			text, err := json.Marshal(faults, sandbox.JSON(), jsontext.WithIndent("  "))
			return string(Printable(text)), err
		},
	}).Parse(dashboardPage))
	return func(w http.ResponseWriter, r *http.Request) {
		view := dashboardView{
			Sandbox: service, Base: service.Config().BaseURL(r), Edit: r.URL.Query().Has("edit"), Scenarios: sandbox.Scenarios(),
			Style: template.CSS(dashboardStyle), //nolint:gosec // Our own embedded file.
		}
		view.Chosen, _ = strconv.ParseInt(r.URL.Query().Get("delivery"), 10, 64) // 0 if missing or invalid.
		faults := service.Faults()
		for _, scenario := range view.Scenarios {
			if scenario.Faults == faults {
				view.Scenario = scenario.Name
			}
		}
		assets.WritePage(w, http.StatusOK, tmpl, view, view.Style, "", "'self'")
	}
}
