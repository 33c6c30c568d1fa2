package assets

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"net/http"
	"regexp"
	"strconv"
)

// Pages returns a handler for the paths that begin with /success, /canceled or /failed: the pages
// after the checkout for shops without a website. They say that the counter confirms the payment.
func Pages() http.Handler {
	texts, err := LoadTexts(Files, "redirects/texts.toml")
	if err != nil {
		panic("assets: " + err.Error()) // LoadTexts fails only if the embedded files are wrong.
	}
	page := template.Must(template.ParseFS(Files, "redirects/page.html"))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		outcome := regexp.MustCompile(`^/(success|canceled|failed)`).FindStringSubmatch(r.URL.Path)
		if outcome == nil {
			http.NotFound(w, r)
			return
		}
		view := struct {
			Texts
			Outcome string
			Style   template.CSS
		}{Texts{Language(r), texts.Words}, outcome[1], PageStyle}
		w.Header().Set("Content-Language", view.Language)
		WritePage(w, http.StatusOK, page, view, PageStyle, "", "'none'")
	})
}

// WritePage executes a template and writes the page, which browsers must not cache. The page may
// use only the given style, the script if there is one, and that script's requests to the page's
// origin. Forms may be sent only to targets, a source list such as "'self'".
func WritePage(
	w http.ResponseWriter, status int, page *template.Template, view any, style template.CSS, script template.JS, targets string,
) {
	var drawn bytes.Buffer
	if err := page.Execute(&drawn, view); err != nil {
		panic("assets: " + err.Error()) // Only a wrong template fails.
	}
	policy := "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src " + source(string(style)) + "; form-action " + targets
	if script != "" {
		policy += "; script-src " + source(string(script)) + "; connect-src 'self'"
	}
	header := w.Header()
	header.Set("Content-Length", strconv.Itoa(drawn.Len()))
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Robots-Tag", "noindex")
	header.Set("Cache-Control", "no-store")
	header.Set("Vary", "Accept-Language")
	// The policy "no-referrer" would set the header Origin of this page's forms to "null".
	header.Set("Referrer-Policy", "same-origin")
	w.WriteHeader(status)
	_, _ = w.Write(drawn.Bytes())
}

// source returns the hash of an element's content, for a Content-Security-Policy.
func source(element string) string {
	sum := sha256.Sum256([]byte(element))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
