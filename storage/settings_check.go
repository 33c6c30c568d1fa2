package storage

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"checkout/till/payments"
)

// MinSecretLength is the number of characters that a webhook secret has at
// least. The signature of an empty secret is publicly known.
const MinSecretLength = 16

// TokenPrefix begins every access token.
const TokenPrefix = "TGP_"

// checkAddress takes an https address, or an http one on loopback. Secrets
// travel to it, so nothing else will do.
func checkAddress(value string) (string, error) {
	address, err := url.Parse(value)
	if err != nil || address.Hostname() == "" || address.Opaque != "" || !visible(value) {
		return "", fmt.Errorf("%q is no address: write it like https://pay.example.mg", show(value))
	}
	if address.User != nil {
		return "", errors.New("an address holds no user name and no password")
	}
	if address.RawQuery != "" || address.ForceQuery || address.Fragment != "" {
		return "", fmt.Errorf("%q: leave out what follows ? or #", show(value))
	}
	if port := address.Port(); strings.HasSuffix(address.Host, ":") || (port != "" && !portNumber(port)) {
		return "", fmt.Errorf("%q: the port is a number from 1 to 65535", show(value))
	}
	switch {
	case address.Scheme == "https":
	case address.Scheme == "http" && loopback(address.Hostname()):
	default:
		return "", fmt.Errorf("%q: write https:// (http:// only for this machine, as in http://127.0.0.1:8789)", show(value))
	}
	return strings.TrimRight(value, "/"), nil
}

func loopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || (err == nil && address.Unmap().IsLoopback())
}

func portNumber(text string) bool {
	port, err := strconv.ParseUint(text, 10, 16)
	return err == nil && port > 0
}

// checkPath takes the path of an address.
func checkPath(value string) (string, error) {
	if !strings.HasPrefix(value, "/") || strings.HasPrefix(value, "//") || !visible(value) ||
		strings.ContainsAny(value, "?#%\\\"<>") {
		return "", fmt.Errorf("%q is no path: it begins with one /, and has no blanks and none of ? # %% \\ \" < >", show(value))
	}
	return value, nil
}

// checkWebhookPath takes a path on which nothing else is served.
func checkWebhookPath(value string) (string, error) {
	if slices.Contains([]string{"/success", "/canceled", "/failed", "/healthz", "/readyz", "/metrics"}, value) {
		return "", fmt.Errorf("%s is served already: choose another path, best one that cannot be guessed", value)
	}
	return checkPath(value)
}

// checkToken takes an access token.
func checkToken(values []string) (payments.Secret, error) {
	token, err := single(values)
	switch {
	case err != nil:
		return payments.Secret{}, err
	case !strings.HasPrefix(token, TokenPrefix) || token == TokenPrefix:
		return payments.Secret{}, fmt.Errorf("an access token begins with %s: copy it from the merchant area", TokenPrefix)
	case !visible(token):
		return payments.Secret{}, errors.New("the access token holds a blank or a line break: copy it anew from the merchant area")
	}
	return payments.NewSecret(token), nil
}

// checkSecrets takes webhook secrets as they are, white space included.
func checkSecrets(values []string) ([]payments.Secret, error) {
	secrets := make([]payments.Secret, 0, len(values))
	for _, value := range values {
		switch length := utf8.RuneCountInString(value); {
		case length == 0:
			return nil, errors.New("the webhook secret is empty: everybody knows the signature of an empty secret")
		case length < MinSecretLength:
			return nil, fmt.Errorf("the webhook secret has %d characters: it needs %d or more", length, MinSecretLength)
		}
		secrets = append(secrets, payments.NewSecret(value))
	}
	if len(secrets) == 0 {
		return nil, errors.New("the list of webhook secrets is empty: leave the key out, or give a secret")
	}
	return secrets, nil
}

// checkHosts takes host names as they stand in a link.
func checkHosts(values []string) ([]string, error) {
	hosts := make([]string, 0, len(values))
	for _, value := range values {
		host := strings.ToLower(value)
		if host == "" || !visible(host) || strings.ContainsAny(host, "/@?#*\\") {
			return nil, fmt.Errorf("%q is no host: write it like pay.example.mg, without https:// and without a path", show(value))
		}
		hosts = append(hosts, host)
	}
	return hosts, nil
}

// checkHeader takes the name of an HTTP header.
func checkHeader(value string) (string, error) {
	const marks = "!#$%&'*+-.^_`|~"
	for _, r := range value {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && !strings.ContainsRune(marks, r) {
			return "", fmt.Errorf("%q is no header name: write it like %s, without a colon", show(value), defaultHeader)
		}
	}
	return checkFilled(value)
}

// checkListen takes HOST:PORT. An empty host is every address of the machine.
func checkListen(value string) (string, error) {
	host, port, err := net.SplitHostPort(value)
	if err != nil || (port != "0" && !portNumber(port)) || (host != "" && !visible(host)) {
		return "", fmt.Errorf("%q is no address to listen on: write HOST:PORT, as in %s", show(value), defaultListen)
	}
	return value, nil
}

// checkName takes a name that people read.
func checkName(value string) (string, error) {
	return payments.Clean(value, payments.MaxLabelWidth), nil
}

// checkTill takes the name of a till. References begin with its letters and
// digits, so there must be some.
func checkTill(value string) (string, error) {
	const longest = 20
	name := payments.Clean(value, payments.MaxLabelWidth)
	if !strings.ContainsFunc(name, func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}) || utf8.RuneCountInString(name) > longest {
		return "", fmt.Errorf("%q is no name for a till: take up to %d characters with a letter or a digit among them, as in %s",
			show(value), longest, defaultTill)
	}
	return name, nil
}

func checkFilled(value string) (string, error) {
	if strings.TrimSpace(value) == "" {
		return "", errors.New("the value is empty: leave the key out to have the default")
	}
	return value, nil
}

// oneOf makes a check of a choice.
func oneOf(choices ...string) func(string) (string, error) {
	return func(value string) (string, error) {
		choice := strings.ToLower(strings.TrimSpace(value))
		if !slices.Contains(choices, choice) {
			return "", fmt.Errorf("%q is not known: choose one of %s", show(value), strings.Join(choices, ", "))
		}
		return choice, nil
	}
}

func checkSwitch(values []string) (bool, error) {
	value, err := single(values)
	if err != nil {
		return false, err
	}
	switch strings.ToLower(value) {
	case "on", "true", "yes", "1":
		return true, nil
	case "off", "false", "no", "0":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither on nor off", show(value))
}

// visible tells whether a text is made of printable ASCII without blanks.
func visible(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}
