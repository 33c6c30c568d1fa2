package sandbox

import (
	"bytes"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"checkout/till/assets"
)

// web draws the sandbox's pages.
type web struct {
	texts     map[string]assets.Texts
	templates *template.Template
	page      look // Of the hosted page.
	dashboard look // Of the dashboard.
	shop      string
	logger    *slog.Logger
}

// look is the style and the script of a page. A template draws them; the
// policy of the page names both, and allows no other.
type look struct {
	Style  template.CSS
	Script template.JS // Empty: the page has none.

	styleSource, scriptSource string
	forms                     string // Where forms may lead to, redirects included.
}

// newLook reads a page's style sheets, one after the other, and its script, by
// their names in [assets.Checkout]; the script's may be empty.
func newLook(script string, styles ...string) (look, error) {
	made := look{forms: "'self'"}
	for _, style := range styles {
		text, err := assets.Checkout.ReadFile(style)
		if err != nil {
			return look{}, err
		}
		made.Style += template.CSS(text) //nolint:gosec // It is our own file, built in.
	}
	made.styleSource = assets.StyleSource(made.Style)
	if script == "" {
		return made, nil
	}
	text, err := assets.Checkout.ReadFile(script)
	if err != nil {
		return look{}, err
	}
	made.Script = template.JS(text) //nolint:gosec // It is our own file, built in.
	made.scriptSource = assets.ScriptSource(made.Script)
	return made, nil
}

func newWeb(config Config) (*web, error) {
	texts, err := assets.LoadTexts(assets.Checkout, "checkout/texts.toml")
	if err != nil {
		return nil, fmt.Errorf("make the pages: %w", err)
	}
	templates, err := template.ParseFS(assets.Checkout, "checkout/*.html")
	if err != nil {
		return nil, fmt.Errorf("make the pages: %w", err)
	}
	page, err := newLook("checkout/page.js", "checkout/page.css")
	if err != nil {
		return nil, fmt.Errorf("make the pages: %w", err)
	}
	dashboard, err := newLook("checkout/dashboard.js", "checkout/dashboard.css")
	if err != nil {
		return nil, fmt.Errorf("make the pages: %w", err)
	}
	page.forms = formTargets(config)
	return &web{
		texts: texts, templates: templates, page: page, dashboard: dashboard,
		shop: config.Shop, logger: config.Logger,
	}, nil
}

// formTargets returns the sources that a form of the page may lead to. A
// browser applies the policy to the redirect after the form too.
func formTargets(config Config) string {
	sources := []string{"'self'"}
	for _, page := range []string{config.SuccessURL, config.CancelURL, config.FailureURL} {
		if target, err := url.Parse(page); err == nil && target.Host != "" {
			sources = append(sources, target.Scheme+"://"+target.Host)
		}
	}
	return strings.Join(sources, " ")
}

// draw answers with a page, whose view holds the same look.
func (p *web) draw(w http.ResponseWriter, status int, name string, look look, view any) {
	var page bytes.Buffer
	if err := p.templates.ExecuteTemplate(&page, name, view); err != nil {
		p.logger.Error("page not drawn", slog.String(logFailure, err.Error()))
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	}
	assets.Protect(w.Header(), look.styleSource, look.forms)
	if look.Script != "" {
		assets.AllowScript(w.Header(), look.scriptSource)
	}
	w.Header().Set("Content-Length", strconv.Itoa(page.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes())
}
