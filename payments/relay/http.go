package relay

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
)

// writeJSON answers with JSON. It ignores write errors, because the client notices that no answer
// came.
func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value) //nolint:errchkjson // Encoding cannot fail, only the connection.
}

func (s *Server) answer(w http.ResponseWriter, status int, text string) {
	s.tally(strconv.Itoa(status))
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "30")
	}
	w.Header().Set("Connection", "close")
	http.Error(w, text, status)
}

func (s *Server) fail(w http.ResponseWriter, what string, err error) {
	s.config.Logger.Error("the store failed", keyFailure, fmt.Errorf("%s: %w", what, err))
	s.answer(w, http.StatusServiceUnavailable, "Service Unavailable")
}

// sender returns the address of a request's sender: behind a reverse proxy, the last address in
// X-Forwarded-For, else the remote address of the connection.
func (s *Server) sender(r *http.Request) string {
	// The last address comes from our proxy; a sender can forge the others.
	chain := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	const longest = 64 // Longer than any address with its port and zone.
	if last := strings.TrimSpace(chain[len(chain)-1]); s.config.Proxied && last != "" {
		return last[:min(len(last), longest)]
	}
	return r.RemoteAddr
}

// senderIP returns the IP address of a sender without its port; for IPv6, its /64 network.
func senderIP(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		address = host
	}
	if ip, err := netip.ParseAddr(address); err == nil && ip.Is6() && !ip.Is4In6() {
		network, _ := ip.Prefix(64) // Prefix fails only for an address of fewer than 64 bits.
		return network.String()
	}
	return address
}

func decode(w http.ResponseWriter, r *http.Request, into any) error {
	return json.NewDecoder(http.MaxBytesReader(w, r.Body, 4<<10)).Decode(into)
}

// kept returns the headers to store: the signature header, and other headers in which a signature
// could be. Each of the two parts has at most maxHeaders bytes of JSON, because the till refuses a
// letter of more than maxSealed bytes.
func kept(header http.Header, signature string) http.Header {
	// Headers of HTTP itself, of browsers and of proxies, which never contain a signature.
	const never = " Accept Accept-Encoding Accept-Language Cache-Control Connection Content-Encoding Content-Length " +
		"Content-Type Cookie Expect Forwarded Host Keep-Alive Pragma Referer Te Trailer Transfer-Encoding Upgrade User-Agent Via " +
		"X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-Real-Ip "
	found, size := http.Header{}, 0
	signature = http.CanonicalHeaderKey(signature)
	for name, values := range header {
		text, _ := json.Marshal(http.Header{name: values}) //nolint:errchkjson // A map of texts can always be encoded.
		length := len(text)
		switch {
		case name == signature && length <= maxHeaders:
			found[name] = values
		case size+length <= maxHeaders && !strings.Contains(never, " "+name+" "):
			found[name] = values
			size += length
		}
	}
	return found
}
