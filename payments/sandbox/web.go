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
	style     template.CSS
	policy    string // What the style element is allowed by.
	forms     string // Where forms may lead to, redirects included.
	shop      string
	logger    *slog.Logger
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
	style := assets.Style()
	return &web{
		texts: texts, templates: templates, style: style, policy: assets.StyleSource(style),
		forms: formTargets(config), shop: config.Shop, logger: config.Logger,
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

// draw answers with a page.
func (p *web) draw(w http.ResponseWriter, status int, name string, view any) {
	var page bytes.Buffer
	if err := p.templates.ExecuteTemplate(&page, name, view); err != nil {
		p.logger.Error("page not drawn", slog.String(logFailure, err.Error()))
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	}
	assets.Protect(w.Header(), p.policy, p.forms)
	w.Header().Set("Content-Length", strconv.Itoa(page.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes())
}
