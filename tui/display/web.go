package display

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"net"
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

const (
	maxStreams   = 16               // How many streams are open at once,
	maxOfAddress = 4                // and how many from one address, which must not shut the others out.
	writeTimeout = 10 * time.Second // For one event.
	clockStep    = time.Second      // Between two looks at the clock.
)

type web struct {
	Config
	templates *template.Template
	style     template.CSS
	script    template.JS
	streams   *streams
	done      <-chan struct{}
}

type streams struct {
	mu  sync.Mutex
	all int
	of  map[string]int // By their addresses.
}

// begin counts a stream in, unless there are too many.
func (s *streams) begin(address string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all >= maxStreams || s.of[address] >= maxOfAddress {
		return false
	}
	s.all++
	s.of[address]++
	return true
}

func (s *streams) end(address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if s.of[address]--; s.of[address] == 0 {
		delete(s.of, address)
	}
}

// Handler returns the customer's screen as a web page: "/" is the page, which
// shows the server-sent events of "/scenes", and reloads by itself where scripts
// are off. It answers GET and HEAD, and only where the Host is an address or
// "localhost" (against DNS rebinding). Its streams end with ctx.
func Handler(ctx context.Context, config Config) (http.Handler, error) {
	config.Shop = payments.Clean(config.Shop, payments.MaxLabelWidth)
	templates, err := template.New("").Funcs(template.FuncMap{
		"money":  i18n.Money[payments.Ariary],
		"number": i18n.Number,
		"price":  func(amount payments.Ariary) string { return i18n.Number(int64(amount)) },
	}).ParseFS(assets.Display, "display/*.html")
	if err != nil {
		return nil, fmt.Errorf("make the customer's page: %w", err)
	}
	style, err := assets.Display.ReadFile("display/display.css")
	if err != nil {
		return nil, fmt.Errorf("make the customer's page: %w", err)
	}
	script, err := assets.Display.ReadFile("display/display.js")
	if err != nil {
		return nil, fmt.Errorf("make the customer's page: %w", err)
	}
	return &web{
		Config: config, templates: templates,
		style: template.CSS(style), script: template.JS(script), //nolint:gosec // Our own files, built in.
		streams: &streams{of: make(map[string]int)}, done: ctx.Done(),
	}, nil
}

// ServeHTTP serves the page and its stream.
func (p *web) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case !numbered(r.Host):
		http.Error(w, "Misdirected Request", http.StatusMisdirectedRequest)
	case r.URL.Path != "/" && r.URL.Path != "/scenes":
		http.NotFound(w, r)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
	case r.URL.Path == "/":
		p.servePage(w, r)
	case r.Method == http.MethodHead:
		w.Header().Set("Content-Type", "text/event-stream")
	default:
		p.serveScenes(w, r)
	}
}

// numbered tells whether a host is an IP address or "localhost".
func numbered(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil || strings.EqualFold(host, "localhost")
}

func (p *web) servePage(w http.ResponseWriter, r *http.Request) {
	now := p.Source.Now()
	found, err := readSnapshot(r.Context(), p.Source, p.Till)
	drawn, err := p.draw(presenter{}.update(found, err, now).scene(now))
	var page bytes.Buffer
	if err == nil {
		err = p.templates.ExecuteTemplate(&page, "page.html", struct {
			Language, Shop string
			Style          template.CSS
			Script         template.JS
			Scene          template.HTML
			Demo           string
		}{p.Language, p.Shop, p.style, p.script, drawn, p.demo()})
	}
	if err != nil {
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	}
	assets.Protect(w.Header(), assets.StyleSource(p.style), "'none'")
	assets.AllowScript(w.Header(), assets.ScriptSource(p.script))
	_, _ = w.Write(page.Bytes())
}

// demo returns the mark of the demo or of a test account; blank without one.
func (p *web) demo() string {
	whole, _ := p.Texts.Frame.Mark(p.Demo, p.Test)
	return whole
}

// serveScenes streams scenes until the browser or the server ends: the current one
// at once, then each change.
func (p *web) serveScenes(w http.ResponseWriter, r *http.Request) {
	address, _, _ := net.SplitHostPort(r.RemoteAddr)
	if !p.streams.begin(address) {
		http.Error(w, "Too many screens are open already", http.StatusServiceUnavailable)
		return
	}
	defer p.streams.end(address)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	control := http.NewResponseController(w)
	// The server's read deadline is for the request, which has arrived.
	_ = control.SetReadDeadline(time.Time{})
	p.stream(r.Context(), func(text string) bool {
		_ = control.SetWriteDeadline(time.Now().Add(writeTimeout))
		_, err := io.WriteString(w, text+"\n\n")
		return err == nil && control.Flush() == nil
	})
}

// stream sends each scene, until send fails or ctx ends.
func (p *web) stream(ctx context.Context, send func(text string) bool) {
	changes, clock := p.Source.Watch(ctx), time.NewTicker(clockStep)
	defer clock.Stop()
	var now presenter
	last := ""
	for reading, alive := true, send("retry: 1000"); alive; {
		if reading || now.failed {
			found, err := readSnapshot(ctx, p.Source, p.Till)
			now = now.update(found, err, p.Source.Now())
		}
		drawn, err := p.draw(now.scene(p.Source.Now()))
		if err != nil {
			return
		}
		text, err := json.Marshal(string(drawn))
		if err != nil {
			return
		}
		if string(text) != last {
			last = string(text)
			alive = send("data: " + last)
		}
		select {
		case _, alive = <-changes:
			reading = true
		case <-clock.C:
			reading = false
		case <-ctx.Done():
			return
		case <-p.done:
			return
		}
	}
}

type sceneView struct {
	customer.View
	Texts       i18n.Texts
	Look        badge.Look // Of an outcome.
	Host        string     // Of the link.
	Path        string     // Of the code's dark modules.
	Side        int        // Of the code with its quiet zone, in modules.
	Whole, Ends int64      // The link's life in seconds; when it ends, in seconds since 1970.
}

func (p *web) draw(shown customer.View) (template.HTML, error) {
	view := sceneView{View: p.complete(shown, p.Source.Now()), Texts: p.Texts}
	view.Look, _ = shown.Kind.Look(p.Texts)
	if shown.Kind == customer.Code {
		link := shown.Order.Link
		view.Ends = link.ExpiresAt.Unix()
		view.Whole = int64(link.ExpiresAt.Sub(shown.Order.CreatedAt) / time.Second)
		if parsed, err := url.Parse(link.URL); err == nil {
			view.Host = parsed.Host
		}
		if encoded, err := qr.New(link.URL); err == nil {
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
