package display

import (
	"context"
	"html/template"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/customer"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/theme"
)

type pageView struct {
	customer.View
	Texts       i18n.Texts
	Style       template.CSS
	Script      template.JS
	Badge       badge.Badge
	Host        string
	Path        string // SVG path of the QR code's dark modules.
	Quiet, Side int    // Width of the QR code's quiet zone, and of the code with it, in modules.
	Whole, Left int64  // The link's lifetime and the rest of it, in seconds.
}

type web struct {
	Config
	mu        sync.Mutex
	presenter presenter // All browsers show the same scene.
}

// Handler returns a handler that serves the customer's screen as a web page. The page "/" polls
// "/scene" once a second. To prevent DNS rebinding, the Host of a request must be an IP address or
// "localhost".
func Handler(config Config) http.Handler {
	config.Shop = clean.Text(config.Shop, payments.MaxLabelWidth)
	templates := template.Must(template.New("").Funcs(template.FuncMap{
		"money":     i18n.Money[money.Ariary],
		"price":     func(amount money.Ariary) string { return i18n.Number(int64(amount)) },
		"counted":   customer.Counted,
		"countdown": i18n.Countdown,
		"figures":   draw,
		"words":     func(text string) *drawing { return draw(strings.Fields(text)...) },
	}).ParseFS(assets.Files, "display/*.html"))
	p := &web{Config: config}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		view := p.view(r.Context())
		assets.WritePage(w, http.StatusOK, templates.Lookup("page.html"), view, view.Style, view.Script, "'none'")
	})
	mux.HandleFunc("GET /scene", func(w http.ResponseWriter, r *http.Request) {
		assets.WritePage(w, http.StatusOK, templates.Lookup("scene.html"), p.view(r.Context()), "", "", "'none'")
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := (&url.URL{Host: r.Host}).Hostname()
		if _, err := netip.ParseAddr(host); err != nil && !strings.EqualFold(host, "localhost") {
			http.Error(w, "Misdirected Request", http.StatusMisdirectedRequest)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func (p *web) view(ctx context.Context) pageView {
	p.mu.Lock()
	defer p.mu.Unlock()
	found, err := readSnapshot(ctx, p.Service, p.Till)
	now := p.Service.Now()
	p.presenter = p.presenter.update(found, err, now)

	view := pageView{
		View: p.show(p.presenter, now), Texts: p.Texts, Style: assets.DisplayStyle, Script: assets.DisplayScript,
	}
	view.Badge, _ = view.Kind.Badge(p.Texts)
	if view.Kind == customer.Code {
		link := view.Order.Link
		view.Left = int64(max(0, view.Remaining+time.Second-1) / time.Second)
		view.Whole = int64(link.ExpiresAt.Sub(view.Order.CreatedAt) / time.Second)
		if parsed, err := url.Parse(link.URL); err == nil {
			view.Host = parsed.Host
		}
		if encoded, err := qr.New(link.URL, theme.Theme{}); err == nil {
			modules := encoded.Modules()
			view.Path = outline(modules)
			view.Quiet = quiet
			view.Side = len(modules) + 2*quiet
		}
	}
	return view
}

// quiet is the width of the quiet zone around a QR code, in modules.
const quiet = 4
