// Package server contains the HTTP handlers of a payment sandbox: the hosted page, the fault lab
// and the dashboard. It checks the Host header, and refuses cross-origin requests except GET, HEAD
// and OPTIONS. It serves the dashboard and the fault lab only to requests from a loopback address,
// and to requests with a host in [sandbox.Config.AllowedHosts].
package server

import (
	_ "embed"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
)

// openAPI is the OpenAPI description of all paths except / and /openapi.yaml. [New] replaces its
// order path and signature header by those of the configuration.
//
//go:embed openapi.yaml
var openAPI string

// New returns the HTTP handler of a sandbox. It compares the path of the order call exactly:
// http.ServeMux would redirect to a cleaned path, but some clients do not follow redirects.
func New(service *sandbox.Sandbox) http.Handler {
	config := service.Config()
	page := newPage(service)
	lab := newLab(service)
	protection := http.NewCrossOriginProtection()
	description := strings.NewReplacer(gateway.DefaultOrderPath, config.OrderPath, "x-svc-signature", config.SignatureHeader).Replace(openAPI)
	lab.Handle("GET /{$}", dashboard(service))
	if config.PublicURL != "" {
		// Cannot fail: sandbox.New has checked that the address is a valid origin.
		_ = protection.AddTrustedOrigin(config.PublicURL)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", config.Now().UTC().Format(http.TimeFormat))
		path, host := r.URL.Path, (&url.URL{Host: r.Host}).Hostname()
		allowed := sandbox.Targets(config.AllowedHosts).Allow(host)
		endpoint, err := netip.ParseAddrPort(r.RemoteAddr)
		trusted := allowed || err == nil && endpoint.Addr().Unmap().IsLoopback()
		ofLab := path == "/" || strings.HasPrefix(path, "/lab/")
		switch {
		case !allowed && !isOwnHost(r, host, config.PublicURL):
			refuse(w, http.StatusMisdirectedRequest, "this host name is not the sandbox's own: start it with --allow-host "+clean.Text(host, payments.MaxLabelWidth))
		case protection.Check(r) != nil:
			refuse(w, http.StatusForbidden, "a page of another origin must not act here")
		case ofLab && !trusted:
			refuse(w, http.StatusForbidden, "the dashboard and the fault lab serve the sandbox's own machine, and who uses a name of --allow-host")
		case path == config.OrderPath && r.Method != http.MethodPost:
			w.Header().Set("Allow", http.MethodPost)
			refuse(w, http.StatusMethodNotAllowed, "only POST is served here")
		case path == config.OrderPath:
			service.ServeOrder(w, r)
		case strings.HasPrefix(path, sandbox.LinkPrefix):
			page.ServeHTTP(w, r)
		case ofLab:
			lab.ServeHTTP(w, r)
		case path == "/openapi.yaml":
			w.Header().Set("Content-Type", "application/yaml")
			_, _ = io.WriteString(w, description)
		case path == "/healthz":
			sandbox.WriteJSON(w, http.StatusOK, []byte(`{"status":"ok"}`))
		default:
			refuse(w, http.StatusNotFound, "there is nothing at this path: the order call is POST "+config.OrderPath+", the dashboard is /")
		}
	})
}

// isOwnHost reports whether a request's host is a name of the sandbox: a loopback name or address,
// the address at which the request arrived, or the host of publicURL.
func isOwnHost(r *http.Request, host, publicURL string) bool {
	public, err := url.Parse(publicURL)
	if strings.EqualFold(host, "localhost") || err == nil && host != "" && strings.EqualFold(host, public.Hostname()) {
		return true
	}
	asked, err := netip.ParseAddr(host)
	local, known := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return err == nil && (asked.IsLoopback() || known && asked.Unmap() == local.AddrPort().Addr().Unmap())
}

func refuse(w http.ResponseWriter, status int, message string) {
	sandbox.WriteJSON(w, status, gateway.EncodeMessage(message))
}
