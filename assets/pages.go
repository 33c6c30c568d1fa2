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
	texts, err := LoadTexts(Files, "redirects/texts.toml")
	if err != nil {
		panic("assets: " + err.Error()) // A defect of what was built in.
	}
	page := template.Must(template.ParseFS(Files, "redirects/page.html"))
	mux := http.NewServeMux()
	for _, outcome := range []string{"success", "canceled", "failed"} {
		mux.HandleFunc("GET /"+outcome, func(w http.ResponseWriter, r *http.Request) {
			view := struct {
				Texts
				Outcome string
				Style   template.CSS
			}{Texts{Language(r), texts.Words}, outcome, PageStyle}
			w.Header().Set("Content-Language", view.Language)
			WritePage(w, http.StatusOK, page, view, PageStyle, "", "'none'")
		})
	}
	return mux
}

// WritePage answers with a page that loads nothing, stands in no frame and is kept
// nowhere. Its forms go to targets alone, sources of a Content-Security-Policy, and it
// has this style element and no other. Only script runs, if it is not blank, and may
// ask the page's own origin.
func WritePage(
	w http.ResponseWriter, status int, page *template.Template, view any, style template.CSS, script template.JS, targets string,
) {
	var drawn bytes.Buffer
	if err := page.Execute(&drawn, view); err != nil {
		panic("assets: " + err.Error()) // A defect of the template; the server logs it.
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
	// With "no-referrer" a browser gives a form of this page the origin
	// "null", which would look like another site's.
	header.Set("Referrer-Policy", "same-origin")
	w.WriteHeader(status)
	_, _ = w.Write(drawn.Bytes())
}

// source returns the source of an element in a Content-Security-Policy.
func source(element string) string {
	sum := sha256.Sum256([]byte(element))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
