package settings

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
	"checkout/till/storage"
)

// minSecret is the number of characters that a webhook secret has at least. The
// signature of an empty secret is publicly known.
const minSecret = 16

// rules are the checks by the names that the keys have in [Settings]. Each
// returns the value in its usual form.
func rules() map[string]func(value string) (string, error) {
	return map[string]func(string) (string, error){
		"address": func(value string) (string, error) { // Of the payment service.
			return checkURL(value, "write it like https://pay.example.mg", "http:// only for this machine, as in http://127.0.0.1:8789")
		},
		"public address": func(value string) (string, error) { // At which the service reaches the shop.
			return checkURL(value, "write it without a path, like https://shop.example.mg", "http:// only for this machine")
		},
		"name": func(value string) (string, error) { return payments.Clean(value, payments.MaxLabelWidth), nil },
		"path": checkPath, "webhook path": checkWebhookPath, "token": checkToken, "secret": checkSecret, "host": checkHost,
		"switch": checkSwitch, "header": checkHeader, "listen": checkListen, "till": checkTill, "database": checkDatabase, "filled": checkFilled,
	}
}

// checked validates and normalizes a value by the rule of its key. A rule with
// commas is an enumeration; without one every value will do.
func checked(rule, value string) (string, error) {
	if check, named := rules()[rule]; named {
		return check(value)
	}
	choices, choice := strings.Split(rule, ","), strings.ToLower(strings.TrimSpace(value))
	switch {
	case rule == "":
		return value, nil
	case !slices.Contains(choices, choice):
		return "", fmt.Errorf("%q is not known: choose one of %s", show(value), strings.Join(choices, ", "))
	}
	return choice, nil
}

// checkURL takes an https address, or an http one on loopback. Secrets travel to
// it, so nothing else will do. like and secure say how it is written.
func checkURL(value, like, secure string) (string, error) {
	address, err := url.Parse(value)
	switch {
	case value == "":
		return "", fmt.Errorf("the address is missing: %s", like)
	case err != nil || address.Hostname() == "" || address.Opaque != "" || !visible(value):
		return "", fmt.Errorf("%q is no address: %s", show(value), like)
	case address.User != nil:
		return "", errors.New("an address holds no user name and no password")
	case address.RawQuery != "" || address.ForceQuery || address.Fragment != "":
		return "", fmt.Errorf("%q: leave out what follows ? or #, and %s", show(value), like)
	case strings.HasSuffix(address.Host, ":") || address.Port() != "" && !isPort(address.Port()):
		return "", fmt.Errorf("%q: the port is a number from 1 to 65535", show(value))
	case address.Scheme != "https" && (address.Scheme != "http" || !loopback(address.Hostname())):
		return "", fmt.Errorf("%q: write https:// (%s)", show(value), secure)
	}
	return strings.TrimRight(value, "/"), nil
}

func loopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && address.Unmap().IsLoopback()
}

func isPort(text string) bool {
	port, err := strconv.ParseUint(text, 10, 16)
	return err == nil && port > 0
}

func checkPath(value string) (string, error) {
	if !strings.HasPrefix(value, "/") || strings.HasPrefix(value, "//") || !visible(value) || strings.ContainsAny(value, "?#%\\\"<>") {
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

func checkToken(value string) (string, error) {
	switch {
	case !payments.IsToken(payments.NewSecret(value)):
		return "", fmt.Errorf("an access token begins with %s, or with %s where it is one of a test account: copy it from the merchant area",
			payments.TokenPrefix, payments.TestTokenPrefix)
	case !visible(value):
		return "", errors.New("the access token holds a blank or a line break: copy it anew from the merchant area")
	}
	return value, nil
}

// placeholders are secrets that stand in the documentation, where everybody can
// read them.
const placeholders = "your-webhook-secret your_webhook_secret your webhook secret"

// checkSecret takes a webhook secret as it is, white space included.
func checkSecret(value string) (string, error) {
	first, _ := utf8.DecodeRuneInString(value)
	switch length := utf8.RuneCountInString(value); {
	case length == 0:
		return "", errors.New("the webhook secret is empty: everybody knows the signature of an empty secret")
	case length < minSecret:
		return "", fmt.Errorf("the webhook secret has %d characters: it needs %d or more", length, minSecret)
	case strings.TrimSpace(value) == "":
		return "", errors.New("the webhook secret is made of blanks: copy it from the merchant area")
	case strings.Trim(value, string(first)) == "":
		return "", errors.New("the webhook secret is one character again and again: copy it from the merchant area")
	case strings.Contains(placeholders, strings.ToLower(strings.TrimSpace(value))):
		return "", errors.New("your-webhook-secret stands for the secret: copy yours from the merchant area")
	}
	return value, nil
}

// checkHost takes a host's name as it stands in a link.
func checkHost(value string) (string, error) {
	host := strings.ToLower(value)
	if host == "" || !visible(host) || strings.ContainsAny(host, "/@?#*\\") {
		return "", fmt.Errorf("%q is no host: write it like pay.example.mg, without https:// and without a path", show(value))
	}
	return host, nil
}

func checkHeader(value string) (string, error) {
	const marks = "!#$%&'*+-.^_`|~"
	if strings.ContainsFunc(value, func(r rune) bool { return !alphanumeric(r) && !strings.ContainsRune(marks, r) }) {
		return "", fmt.Errorf("%q is no header name: write it like x-svc-signature, without a colon", show(value))
	}
	return checkFilled(value)
}

// checkListen takes HOST:PORT. An empty host is every address of the machine.
func checkListen(value string) (string, error) {
	host, port, err := net.SplitHostPort(value)
	if err != nil || port != "0" && !isPort(port) || host != "" && !visible(host) {
		return "", fmt.Errorf("%q is no address to listen on: write HOST:PORT, as in 127.0.0.1:8788", show(value))
	}
	return value, nil
}

// checkTill takes the name of a till. References begin with its letters and
// digits, so there must be some.
func checkTill(value string) (string, error) {
	const longest = 20
	name := payments.Clean(value, payments.MaxLabelWidth)
	if !strings.ContainsFunc(name, alphanumeric) || utf8.RuneCountInString(name) > longest {
		return "", fmt.Errorf("%q is no name for a till: take up to %d characters with a letter or a digit among them, as in T1",
			show(value), longest)
	}
	return name, nil
}

// checkSwitch returns on or off.
func checkSwitch(value string) (string, error) {
	switch strings.ToLower(value) {
	case "on", "true", "yes", "1":
		return "on", nil
	case "off", "false", "no", "0":
		return "off", nil
	}
	return "", fmt.Errorf("%q is neither on nor off", show(value))
}

func checkFilled(value string) (string, error) {
	if strings.TrimSpace(value) == "" {
		return "", errors.New("the value is empty: leave the key out to have the default")
	}
	return value, nil
}

func checkDatabase(value string) (string, error) {
	if _, err := checkFilled(value); err != nil {
		return "", err
	}
	return storage.CheckAddress(value)
}

// visible tells whether a text is made of printable ASCII without blanks.
func visible(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

// alphanumeric tells whether a character is an ASCII letter or digit.
func alphanumeric(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}
