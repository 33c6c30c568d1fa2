package sandbox

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// guard lets only requests through that ask for the sandbox by one of its own
// names, so that no other site's name can be pointed at it, and refuses to act
// for pages of another origin. Safe methods always pass: they change nothing.
func (s *Sandbox) guard(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	if s.public != nil {
		// A sound public address is always an origin.
		_ = protection.AddTrustedOrigin(s.public.Scheme + "://" + s.public.Host)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !s.own(r):
			s.refuse(w, r, http.StatusMisdirectedRequest, "this host name is not the sandbox's own: set its public address")
		case protection.Check(r) != nil:
			s.refuse(w, r, http.StatusForbidden, "a page of another origin must not act here")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// own tells whether the request names this machine's loopback, the address it
// came in by, or the public address.
func (s *Sandbox) own(r *http.Request) bool {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	if strings.EqualFold(host, "localhost") || (s.public != nil && strings.EqualFold(host, s.public.Hostname())) {
		return true
	}
	asked, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	return asked.IsLoopback() || asked.Unmap() == cameInBy(r)
}

// cameInBy returns the address of this machine that the request was sent to.
func cameInBy(r *http.Request) netip.Addr {
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if local == nil {
		return netip.Addr{}
	}
	endpoint, err := netip.ParseAddrPort(local.String())
	if err != nil {
		return netip.Addr{}
	}
	return endpoint.Addr().Unmap()
}

// fromHere tells whether a request comes from this machine.
func fromHere(r *http.Request) bool {
	endpoint, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && endpoint.Addr().Unmap().IsLoopback()
}
