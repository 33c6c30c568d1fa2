package server

import (
	"embed"
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

// maxShown bounds the rows of each list on the dashboard.
const maxShown = 100

//go:embed dashboard.html page.html texts.toml
var files embed.FS

//go:embed dashboard.css
var dashboardStyle string

// dashboardView is what the template is filled with.
type dashboardView struct {
	Style      template.CSS
	Config     sandbox.Config
	Base       string
	Edit       bool   // The form for the faults is open, and the page does not refresh itself.
	Scenario   string // That is played; empty for faults of one's own.
	Scenarios  []sandbox.Scenario
	Faults     sandbox.Faults
	Orders     []sandbox.Order
	Deliveries []sandbox.Delivery
	Chosen     int64 // The delivery that is shown with request and replies.
	Activities []sandbox.Activity
}

// dashboard serves one page, which refreshes itself by a meta element unless its
// form for the faults is open. Its forms post to the API.
func dashboard(service *sandbox.Sandbox) http.HandlerFunc {
	config := service.Config()
	page := template.Must(template.New("dashboard.html").Funcs(template.FuncMap{
		"clean":     func(text string) string { return payments.Clean(text, payments.MaxShownWidth) },
		"printable": func(text string) string { return string(Printable([]byte(text))) },
		"words":     func(name any) string { return strings.ReplaceAll(fmt.Sprint(name), "_", " ") },
		"at":        func(at time.Time) string { return at.Local().Format(time.DateTime) },
		"status":    http.StatusText,
		"json": func(faults any) (string, error) { // As the form has them.
			text, err := json.Marshal(faults, sandbox.JSON(), jsontext.WithIndent("  "))
			return string(Printable(text)), err
		},
	}).ParseFS(files, "dashboard.html"))
	return func(w http.ResponseWriter, r *http.Request) {
		query, faults, orders, deliveries := r.URL.Query(), service.Faults(), service.Orders(), service.Deliveries()
		view := dashboardView{
			Style:  template.CSS(dashboardStyle), //nolint:gosec // It is our own file, built in.
			Config: config, Base: config.BaseURL(r), Edit: query.Has("edit"),
			Scenarios: sandbox.Scenarios(), Faults: faults, Activities: service.Activities(),
			Orders: orders[:min(len(orders), maxShown)], Deliveries: deliveries[:min(len(deliveries), maxShown)],
		}
		view.Chosen, _ = strconv.ParseInt(query.Get("delivery"), 10, 64) // 0 when it is none.
		for _, scenario := range view.Scenarios {
			if scenario.Faults == faults {
				view.Scenario = scenario.Name
			}
		}
		assets.WritePage(w, http.StatusOK, page, view, view.Style, "", "'self'")
	}
}
