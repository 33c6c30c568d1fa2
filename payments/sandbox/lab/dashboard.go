package lab

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

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/delivery"
)

// maxShown bounds the rows of each list on the dashboard.
const maxShown = 100

//go:embed dashboard.html
var files embed.FS

//go:embed dashboard.css
var style string

// Dashboard is the http.Handler of /: one page, which refreshes itself by a meta
// element unless its form for the faults is open. Its forms post to the [API].
type Dashboard struct {
	service  *sandbox.Sandbox
	template *template.Template
	style    template.CSS
}

// NewDashboard returns the dashboard of a sandbox.
func NewDashboard(service *sandbox.Sandbox) *Dashboard {
	now := service.Config().Now
	page := template.Must(template.New("dashboard.html").Funcs(template.FuncMap{
		"clean":     func(text string) string { return payments.Clean(text, payments.MaxShownWidth) },
		"printable": func(text string) string { return string(Printable([]byte(text))) },
		"words":     func(name any) string { return strings.ReplaceAll(fmt.Sprint(name), "_", " ") },
		"at":        func(at time.Time) string { return clockTime(at, now()) },
		"status":    http.StatusText,
		"json":      toJSON,
	}).ParseFS(files, "dashboard.html"))
	return &Dashboard{service, page, template.CSS(style)} //nolint:gosec // It is our own file, built in.
}

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
	Deliveries []delivery.Delivery
	Chosen     int64 // The delivery that is shown with request and replies.
	Activities []sandbox.Activity
}

// ServeHTTP shows the dashboard.
func (d *Dashboard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
		return
	}
	query, config, faults := r.URL.Query(), d.service.Config(), d.service.Faults()
	view := dashboardView{
		Style: d.style, Config: config, Base: config.BaseURL(r), Edit: query.Has("edit"),
		Scenarios: sandbox.Scenarios(), Faults: faults,
		Orders: d.service.Orders(), Deliveries: d.service.Deliveries(), Activities: d.service.Activities(),
	}
	view.Chosen, _ = strconv.ParseInt(query.Get("delivery"), 10, 64) // 0 when it is none.
	for _, scenario := range view.Scenarios {
		if scenario.Faults == faults {
			view.Scenario = scenario.Name
		}
	}
	view.Orders = view.Orders[:min(len(view.Orders), maxShown)]
	view.Deliveries = view.Deliveries[:min(len(view.Deliveries), maxShown)]
	d.service.WriteHTML(w, http.StatusOK, d.template, view, d.style, "'self'")
}

// clockTime returns a time of day, with the day unless it is today.
func clockTime(at, now time.Time) string {
	at, now = at.Local(), now.Local()
	if at.YearDay() == now.YearDay() && at.Year() == now.Year() {
		return at.Format("15:04:05")
	}
	return at.Format("2006-01-02 15:04:05")
}

// toJSON returns faults as the form has them.
func toJSON(faults any) (string, error) {
	text, err := json.Marshal(faults, delivery.JSON(), jsontext.WithIndent("  "))
	return string(Printable(text)), err
}
