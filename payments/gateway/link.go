package gateway

import (
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// MaxLinkLength bounds a checkout link, in bytes.
const MaxLinkLength = 2048

// ErrUnsoundLink says that a checkout link must not be shown or opened.
var ErrUnsoundLink = errors.New("the checkout link is not valid")

// LinkPolicy says which checkout links are sound. The zero value allows https
// on any host.
type LinkPolicy struct {
	// Hosts are the only hosts a link may have, when there are any. An entry
	// is a host or host:port; case does not matter.
	Hosts []string
	// Local, when not nil, allows plain http for the addresses for which it
	// returns true: those of this machine, while the service runs on it.
	Local func(netip.Addr) bool
}

// CheckLink returns the checkout link unchanged when it is sound: visible ASCII
// of at most [MaxLinkLength] bytes, https without user info, and on the
// policy's hosts. Otherwise it returns [ErrUnsoundLink], without the link.
func CheckLink(raw string, policy LinkPolicy) (string, error) {
	// Browsers read a backslash as a slash, so that it would move the end of the host.
	unfit := func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("\\\"<>`", r) }
	link, err := url.Parse(raw)
	if err != nil || len(raw) > MaxLinkLength || strings.ContainsFunc(raw, unfit) || link.Opaque != "" || link.User != nil {
		return "", ErrUnsoundLink
	}
	// net/url decodes escapes in a host, so that it must be looked at once more. A
	// per cent sign would begin the zone of an address.
	host := link.Hostname()
	address, isAddress := hostAddress(host)
	isName := regexp.MustCompile(`^[a-zA-Z0-9._-]+$`).MatchString(host)
	if !isName && !isAddress || strings.Contains(host, "%") || strings.HasSuffix(link.Host, ":") {
		return "", ErrUnsoundLink
	}
	local := isAddress && policy.Local != nil && policy.Local(address)
	if link.Scheme != "https" && !(link.Scheme == "http" && local) {
		return "", ErrUnsoundLink
	}
	if len(policy.Hosts) > 0 && !slices.ContainsFunc(policy.Hosts, func(allowed string) bool {
		return strings.EqualFold(allowed, host) || strings.EqualFold(allowed, link.Host)
	}) {
		return "", ErrUnsoundLink
	}
	return raw, nil
}

// hostAddress returns the address of a host that needs no name service.
func hostAddress(host string) (netip.Addr, bool) {
	if strings.EqualFold(host, "localhost") {
		return netip.AddrFrom4([4]byte{127, 0, 0, 1}), true
	}
	address, err := netip.ParseAddr(host)
	return address.Unmap(), err == nil
}
