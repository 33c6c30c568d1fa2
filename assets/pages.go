package assets

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"net/http"
	"strconv"
)

// Pages returns the pages that a customer is sent to after the checkout, for
// shops without a website: /success, /canceled and /failed, in the browser's
// language. They say that the counter confirms the payment; they read nothing
// of the request but its path and language, and change nothing.
func Pages() http.Handler {
	texts, err := LoadTexts(Redirects, "redirects/texts.toml")
	if err != nil {
		panic("assets: " + err.Error()) // A defect of what was built in.
	}
	return &pages{texts, template.Must(template.ParseFS(Redirects, "redirects/page.html")), Style()}
}

type pages struct {
	texts map[string]Texts
	page  *template.Template
	style template.CSS
}

// ServeHTTP answers GET and HEAD of the three paths.
func (p *pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var outcome string
	switch r.URL.Path {
	case "/success", "/canceled", "/failed":
		outcome = r.URL.Path[1:]
	default:
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
		return
	}
	view := struct {
		Texts
		Outcome string
		Style   template.CSS
	}{p.texts[Language(r)], outcome, p.style}
	var page bytes.Buffer
	if err := p.page.Execute(&page, view); err != nil {
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	}
	Protect(w.Header(), StyleSource(p.style), "'none'")
	w.Header().Set("Content-Language", view.Language())
	w.Header().Set("Content-Length", strconv.Itoa(page.Len()))
	_, _ = w.Write(page.Bytes())
}

// StyleSource returns the source of a Content-Security-Policy that allows
// exactly this style element.
func StyleSource(style template.CSS) string {
	sum := sha256.Sum256([]byte(style))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// ScriptSource returns the source of a Content-Security-Policy that allows
// exactly this script element.
func ScriptSource(script template.JS) string { return StyleSource(template.CSS(script)) } //nolint:gosec // It is hashed, not shown.

// Protect sets the headers of an HTML page: it loads nothing, runs no script,
// stands in no frame, is kept nowhere, and its forms go to the given targets
// alone. Both arguments are sources of a Content-Security-Policy.
// [AllowScript] lets one script run.
func Protect(header http.Header, style, forms string) {
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; "+
		"style-src "+style+"; form-action "+forms)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Robots-Tag", "noindex")
	header.Set("Cache-Control", "no-store")
	header.Set("Vary", "Accept-Language")
	// With "no-referrer" a browser gives a form of this page the origin
	// "null", which would look like another site's.
	header.Set("Referrer-Policy", "same-origin")
}

// AllowScript widens the policy that [Protect] set for a page: this script may
// run, and may ask the page's own origin, and no other script or origin. The
// argument is what [ScriptSource] returns.
func AllowScript(header http.Header, script string) {
	header.Set("Content-Security-Policy",
		header.Get("Content-Security-Policy")+"; script-src "+script+"; connect-src 'self'")
}
