// Package server is the HTTP of a payment sandbox: the hosted page, the fault lab,
// the dashboard, the check of the Host header, and the protection against requests
// that another site's page sends. The dashboard and the fault lab serve the
// sandbox's own machine, and those who use one of [sandbox.Config.AllowedHosts].
package server

import (
	"bytes"
	_ "embed"
	"html/template"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"checkout/till/assets"
	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
)

// openAPI describes all of it but the dashboard, under the usual names.
//
//go:embed openapi.yaml
var openAPI string

// handler routes by exact comparison: a redirect to a tidier path, as
// http.ServeMux makes it, would lose a POST.
type handler struct {
	service    *sandbox.Sandbox
	config     sandbox.Config
	protection *http.CrossOriginProtection

	page, lab http.Handler
	openAPI   string // With the names of this sandbox.
}

// New returns the HTTP handler of a sandbox.
func New(service *sandbox.Sandbox) http.Handler {
	h := &handler{
		service: service, config: service.Config(), protection: http.NewCrossOriginProtection(),
		page: newPage(service), lab: newLab(service),
	}
	h.openAPI = strings.NewReplacer(gateway.DefaultOrderPath, h.config.OrderPath, "x-svc-signature", h.config.SignatureHeader).Replace(openAPI)
	if h.config.PublicURL != "" {
		// A sound public address is always an origin.
		_ = h.protection.AddTrustedOrigin(h.config.PublicURL)
	}
	return h
}

// ServeHTTP serves everything that a sandbox has.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	endpoint, err := netip.ParseAddrPort(r.RemoteAddr)
	trusted := h.allowed(r) || err == nil && endpoint.Addr().Unmap().IsLoopback()
	ofLab := path == "/" || strings.HasPrefix(path, "/lab/")
	switch {
	case !h.named(r):
		refuse(w, http.StatusMisdirectedRequest, "this host name is not the sandbox's own: start it with --allow-host "+payments.Clean(hostname(r), payments.MaxLabelWidth))
	case h.protection.Check(r) != nil:
		refuse(w, http.StatusForbidden, "a page of another origin must not act here")
	case ofLab && !trusted:
		refuse(w, http.StatusForbidden, "the dashboard and the fault lab serve the sandbox's own machine, and who uses a name of --allow-host")
	case path == h.config.OrderPath && r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, http.StatusMethodNotAllowed, "only POST is served here")
	case path == h.config.OrderPath:
		h.service.ServeOrder(w, r)
	case strings.HasPrefix(path, linkPrefix):
		h.page.ServeHTTP(w, r)
	case ofLab:
		h.lab.ServeHTTP(w, r)
	case path == "/openapi.yaml":
		w.Header().Set("Content-Type", "application/yaml")
		_, _ = io.WriteString(w, h.openAPI)
	case path == "/healthz":
		sandbox.WriteJSON(w, http.StatusOK, []byte(`{"status":"ok"}`))
	default:
		refuse(w, http.StatusNotFound, "there is nothing at this path: the order call is POST "+h.config.OrderPath+", the dashboard is /")
	}
}

// named tells whether the Host header is loopback, the address that the request
// came in by, the public address, or an allowed host.
func (h *handler) named(r *http.Request) bool {
	host := hostname(r)
	public, err := url.Parse(h.config.PublicURL)
	if strings.EqualFold(host, "localhost") || h.allowed(r) || err == nil && host != "" && strings.EqualFold(host, public.Hostname()) {
		return true
	}
	asked, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if asked.IsLoopback() || local == nil {
		return asked.IsLoopback()
	}
	endpoint, err := netip.ParseAddrPort(local.String())
	return err == nil && asked.Unmap() == endpoint.Addr().Unmap()
}

func (h *handler) allowed(r *http.Request) bool {
	return slices.ContainsFunc(h.config.AllowedHosts, func(host string) bool { return strings.EqualFold(host, hostname(r)) })
}

// writeHTML answers with a page whose forms may lead to targets, sources of a
// Content-Security-Policy.
func writeHTML(w http.ResponseWriter, status int, page *template.Template, view any, style template.CSS, targets string) {
	var text bytes.Buffer
	if err := page.Execute(&text, view); err != nil {
		panic("sandbox: " + err.Error()) // A defect of the template; the server logs it.
	}
	assets.Protect(w.Header(), style, "", targets)
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes())
}

// refuse answers with a message.
func refuse(w http.ResponseWriter, status int, message string) {
	sandbox.WriteJSON(w, status, gateway.EncodeMessage(message))
}

// hostname is the Host header without its port and the brackets of IPv6.
func hostname(r *http.Request) string { return (&url.URL{Host: r.Host}).Hostname() }
