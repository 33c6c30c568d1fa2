package display

import (
	"bytes"
	"context"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/customer"
	"checkout/till/tui/component/qr"
)

// sceneView is what the template of a scene is filled with.
type sceneView struct {
	customer.View
	Texts       i18n.Texts
	Look        badge.Look // Of an outcome.
	Host        string     // Of the link.
	Path        string     // Of the code's dark modules.
	Side        int        // Of the code with its quiet zone, in modules.
	Whole, Ends int64      // The link's life in seconds; when it ends, in seconds since 1970.
}

type web struct {
	Config
	templates *template.Template

	mu        sync.Mutex
	presenter presenter // Of all browsers: they show the same scene.
}

// Handler returns the customer's screen as a web page: "/" is the page, which polls
// "/scene" once a second, and reloads by itself where scripts are off. It answers
// GET and HEAD, and only where the Host is an address or "localhost" (against DNS
// rebinding).
func Handler(config Config) http.Handler {
	config.Shop = payments.Clean(config.Shop, payments.MaxLabelWidth)
	templates := template.New("").Funcs(template.FuncMap{
		"money":  i18n.Money[payments.Ariary],
		"number": i18n.Number,
		"price":  func(amount payments.Ariary) string { return i18n.Number(int64(amount)) },
	})
	p := &web{Config: config, templates: template.Must(templates.ParseFS(assets.Display, "display/*.html"))}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.servePage)
	mux.HandleFunc("GET /scene", p.serveScene)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := (&url.URL{Host: r.Host}).Hostname()
		if _, err := netip.ParseAddr(host); err != nil && !strings.EqualFold(host, "localhost") {
			http.Error(w, "Misdirected Request", http.StatusMisdirectedRequest)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func (p *web) servePage(w http.ResponseWriter, r *http.Request) {
	drawn, err := p.scene(r.Context())
	mark, _ := p.Texts.Frame.Mark(p.Demo, p.Test)
	var page bytes.Buffer
	if err == nil {
		err = p.templates.ExecuteTemplate(&page, "page.html", struct {
			Language, Shop string
			Style          template.CSS
			Script         template.JS
			Scene          template.HTML
			Demo           string
		}{p.Language, p.Shop, assets.DisplayStyle, assets.DisplayScript, drawn, mark})
	}
	if err != nil {
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	}
	assets.Protect(w.Header(), assets.DisplayStyle, assets.DisplayScript, "'none'")
	_, _ = w.Write(page.Bytes())
}

// serveScene answers with the scene alone.
func (p *web) serveScene(w http.ResponseWriter, r *http.Request) {
	drawn, err := p.scene(r.Context())
	if err != nil {
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	}
	assets.Protect(w.Header(), "", "", "'none'")
	_, _ = io.WriteString(w, string(drawn))
}

// scene reads the till's state, and draws what its customer sees now.
func (p *web) scene(ctx context.Context) (template.HTML, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	found, err := readSnapshot(ctx, p.Source, p.Till)
	now := p.Source.Now()
	p.presenter = p.presenter.update(found, err, now)

	view := sceneView{View: p.complete(p.presenter.scene(now), now), Texts: p.Texts}
	view.Look, _ = view.Kind.Look(p.Texts)
	if view.Kind == customer.Code {
		link := view.Order.Link
		view.Ends = link.ExpiresAt.Unix()
		view.Whole = int64(link.ExpiresAt.Sub(view.Order.CreatedAt) / time.Second)
		if parsed, err := url.Parse(link.URL); err == nil {
			view.Host = parsed.Host
		}
		if encoded, err := qr.New(link.URL, false); err == nil {
			view.Path, view.Side = outline(encoded.Modules())
		}
	}
	var drawn bytes.Buffer
	if err := p.templates.ExecuteTemplate(&drawn, "scene.html", view); err != nil {
		return "", fmt.Errorf("draw the customer's screen: %w", err)
	}
	return template.HTML(drawn.String()), nil //nolint:gosec // A template escaped it.
}

// quiet is the width of the quiet zone around a code, in modules.
const quiet = 4

// outline returns the dark modules as an SVG path, a rectangle for each run of
// them, and the side of the image.
func outline(modules [][]bool) (path string, side int) {
	var strokes strings.Builder
	for y, row := range modules {
		for x := 0; x < len(row); x++ {
			first := x
			for x < len(row) && row[x] {
				x++
			}
			if x > first {
				fmt.Fprintf(&strokes, "M%d %dh%dv1h-%dz", first+quiet, y+quiet, x-first, x-first)
			}
		}
	}
	return strokes.String(), len(modules) + 2*quiet
}
