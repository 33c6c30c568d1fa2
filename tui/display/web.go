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
	maxStreams     = 16               // How many browsers may look at once,
	maxOfAddress   = 4                // and how many of one address: it must not shut the others out.
	streamPatience = 10 * time.Second // How long a browser may take nothing.
	streamBeat     = time.Second      // How often the time is looked at.
)

// web is the customer's screen as a page.
type web struct {
	Config
	templates *template.Template
	style     template.CSS
	script    template.JS
	streams   *streams
	done      <-chan struct{}
}

// streams counts the browsers that look.
type streams struct {
	mu  sync.Mutex
	all int
	of  map[string]int // By their addresses.
}

// begin takes a browser in, unless too many look already.
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
// shows what it is told by "/scenes", a stream of server-sent events, and
// reloads by itself where scripts are off. It answers GET and HEAD, and only by
// the machine's address or the name "localhost", so that no other site's name
// can be pointed at it. Its streams end with ctx.
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

// numbered tells whether a host is an address or "localhost", rather than a
// name that anybody may own.
func numbered(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil || strings.EqualFold(host, "localhost")
}

func (p *web) servePage(w http.ResponseWriter, r *http.Request) {
	now := p.Source.Now()
	found, err := look(r.Context(), p.Source, p.Till)
	drawn, err := p.draw(stage{}.take(found, err, now).scene(now))
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

// demo says that no money moves, where that is so.
func (p *web) demo() string {
	whole, _ := p.Texts.Frame.Mark(p.Demo, p.Test)
	return whole
}

// serveScenes streams scenes until the browser or the server goes: the one of
// the moment at once, and every other as it comes.
func (p *web) serveScenes(w http.ResponseWriter, r *http.Request) {
	address, _, _ := net.SplitHostPort(r.RemoteAddr)
	if !p.streams.begin(address) {
		http.Error(w, "Too many screens look already", http.StatusServiceUnavailable)
		return
	}
	defer p.streams.end(address)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	control := http.NewResponseController(w)
	// The server's limit is for requests that are to arrive; this one has.
	_ = control.SetReadDeadline(time.Time{})
	p.tell(r.Context(), func(text string) bool {
		_ = control.SetWriteDeadline(time.Now().Add(streamPatience))
		_, err := io.WriteString(w, text+"\n\n")
		return err == nil && control.Flush() == nil
	})
}

// tell says each scene, until say fails or ctx ends.
func (p *web) tell(ctx context.Context, say func(text string) bool) {
	changes, beat := p.Source.Watch(ctx), time.NewTicker(streamBeat)
	defer beat.Stop()
	var now stage
	last := ""
	for reading, alive := true, say("retry: 1000"); alive; {
		if reading || now.failed {
			found, err := look(ctx, p.Source, p.Till)
			now = now.take(found, err, p.Source.Now())
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
			alive = say("data: " + last)
		}
		select {
		case _, alive = <-changes:
			reading = true
		case <-beat.C:
			reading = false
		case <-ctx.Done():
			return
		case <-p.done:
			return
		}
	}
}

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

// draw returns a scene as HTML.
func (p *web) draw(shown customer.View) (template.HTML, error) {
	view := sceneView{View: p.dress(shown, p.Source.Now()), Texts: p.Texts}
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

// outline returns the dark modules as the path of an SVG image, a stroke for
// each run of them, and the image's side.
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
