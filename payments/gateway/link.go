package gateway

import (
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// MaxLinkLength is the length of the longest valid checkout link, in bytes.
const MaxLinkLength = 2048

// ErrUnsoundLink says that a checkout link is unsafe to show or open.
var ErrUnsoundLink = errors.New("the checkout link is not valid")

// LinkPolicy defines which checkout links are valid. The zero value allows any host, with https
// only.
type LinkPolicy struct {
	Hosts []string // Allowed hosts, each with or without a port; if empty, all hosts are allowed.
	// Local reports whether a link to an address may use plain http. If Local is nil, every link
	// must use https.
	Local func(netip.Addr) bool
}

// CheckLink returns [ErrUnsoundLink] if a checkout link is not valid; the error does not contain
// the link. A valid link has at most [MaxLinkLength] bytes of visible ASCII, without double quotes,
// back quotes, backslashes and angle brackets. Its scheme is https, or http if policy.Local allows
// its address. It has no user info. Its host is an IP address or an ASCII name. Its host must be in
// policy.Hosts, unless that list is empty.
func CheckLink(raw string, policy LinkPolicy) error {
	// Browsers treat a backslash as a slash, which would change where the host ends.
	unfit := func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("\\\"<>`", r) }
	link, err := url.Parse(raw)
	if err != nil || len(raw) > MaxLinkLength || strings.ContainsFunc(raw, unfit) || link.Opaque != "" || link.User != nil {
		return ErrUnsoundLink
	}
	// net/url has decoded escapes in the host, so check the characters of the host again. A per
	// cent sign starts the zone of an IPv6 address and is refused.
	host := link.Hostname()
	address, isAddress := hostAddress(host)
	isName := regexp.MustCompile(`^[a-zA-Z0-9._-]+$`).MatchString(host)
	if !isName && !isAddress || strings.Contains(host, "%") || strings.HasSuffix(link.Host, ":") {
		return ErrUnsoundLink
	}
	local := isAddress && policy.Local != nil && policy.Local(address)
	if link.Scheme != "https" && !(link.Scheme == "http" && local) {
		return ErrUnsoundLink
	}
	if len(policy.Hosts) > 0 && !slices.ContainsFunc(policy.Hosts, func(allowed string) bool {
		return strings.EqualFold(allowed, host) || strings.EqualFold(allowed, link.Host)
	}) {
		return ErrUnsoundLink
	}
	return nil
}

// hostAddress returns the address of a host that is an IP address or localhost. For other names it
// returns false.
func hostAddress(host string) (netip.Addr, bool) {
	if strings.EqualFold(host, "localhost") {
		return netip.AddrFrom4([4]byte{127, 0, 0, 1}), true
	}
	address, err := netip.ParseAddr(host)
	return address.Unmap(), err == nil
}
