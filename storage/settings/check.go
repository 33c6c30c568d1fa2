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
	"time"
	"unicode"
	"unicode/utf8"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/money"
	"checkout/till/payments/relay"
	"checkout/till/payments/secret"
	"checkout/till/storage"
)

// maxTill is the maximum length of a till's name, in characters.
const maxTill = 20

// rule is a check of a value. check returns the normalized value, and whether the value is valid.
// advice says how to correct an invalid value.
type rule struct {
	check  func(value string) (usual string, sound bool)
	advice string
}

func rules() map[string]rule {
	return map[string]rule{
		// The payment service's address.
		"address": {checkURL, "write an address like https://pay.example.mg, without a user name and without ? or #; " +
			"http:// only for this machine, as in http://127.0.0.1:8789"},
		// The address of the shop, to which the payment service sends events.
		"public address": {checkPublicURL, "write an address like https://shop.example.mg, without a path (webhook_path has it); " +
			"http:// only for this machine"},
		"relay":     {checkRelay, "write the webhook's address at the relay, as in https://relay.example.mg/w/7GQX: till relay join sets it"},
		"relay key": {checkRelayKey, relay.ErrKey.Error()},
		"path":      {checkPath, `a path begins with one /, and has no blanks and none of ? # % \ " < >`},
		"webhook path": {checkWebhookPath, "a path begins with one /, has no blanks, and is none that till serves itself, " +
			"such as /healthz: take one that cannot be guessed"},
		"token": {checkToken, "an access token begins with " + payments.TokenPrefix + ", or with " + payments.TestTokenPrefix +
			" where it is one of a test account, and has no blank and no line break: copy it from the merchant area"},
		"secret": {checkSecret, fmt.Sprintf("a webhook secret has %d characters or more, not all the same, and is no example "+
			"of the documentation: copy it from the merchant area", payments.MinSecret)},
		"host":     {checkHost, "write a host like pay.example.mg, without https:// and without a path"},
		"header":   {checkHeader, "write a header's name like x-svc-signature, without a colon"},
		"listen":   {checkListen, "write HOST:PORT, as in 127.0.0.1:8788"},
		"name":     {checkName, ""},
		"till":     {checkTill, fmt.Sprintf("take up to %d characters with a letter or a digit among them, as in T1", maxTill)},
		"database": {checkDatabase, storage.ErrAddress.Error()},
		"printer":  {checkPrinter, "write a device file like /dev/usb/lp0, tcp://HOST:9100, or lp:NAME for a queue of CUPS"},
		"line":     {checkLine, `write each line as a text of its own, as in receipt_header = ["Lot 0, Analakely", "Antananarivo 101"]`},
		"sum":      {checkSum, "write whole ariary, as in credit_limit = 50000"},
		"percent":  {checkPercent, "write whole percent from 0 to 99, as in vat = 20"},
		// At most 08:00: with a late hour, a cashier who is not an owner could close yesterday's account
		// during the day.
		"early hour": {checkEarlyHour, "write an hour and minutes from 00:00 to 08:00, as in 04:00"},
		"filled":     {checkFilled, "the value is empty: leave the key out to have the default"},
		"switch":     {checkSwitch, "write on or off"},
	}
}

// checked validates and normalizes a value. name is the name of a rule, a list of allowed values
// separated by commas, or empty to allow every value.
func checked(name, value string) (string, error) {
	if name == "secret" || name == "token" {
		if err := checkCharacters(value); err != nil {
			return "", err
		}
	}
	if rule, named := rules()[name]; named {
		usual, sound := rule.check(value)
		if !sound {
			return "", errors.New(rule.advice)
		}
		return usual, nil
	}
	choices, choice := strings.Split(name, ","), strings.ToLower(strings.TrimSpace(value))
	if name == languages {
		choice, _, _ = strings.Cut(choice, "_")
		choice, _, _ = strings.Cut(choice, ".")
	}
	switch {
	case name == "":
		return value, nil
	case !slices.Contains(choices, choice):
		return "", fmt.Errorf("%q is not known: choose one of %s", show(value), strings.Join(choices, ", "))
	}
	return choice, nil
}

// languages are the choices for the language. A value may also be a locale, such as fr_FR.UTF-8.
const languages = "en,fr,mg"

// checkURL accepts an https address, or an http address on loopback, because the till sends secrets
// to the address. It refuses an address with a user name, a query or a fragment.
func checkURL(value string) (string, bool) {
	address, err := url.Parse(value)
	if err != nil || address.Hostname() == "" || address.Opaque != "" || address.User != nil || !visible(value) ||
		strings.ContainsAny(value, "?#") || strings.HasSuffix(address.Host, ":") || address.Port() != "" && !isPort(address.Port()) {
		return "", false
	}
	return strings.TrimRight(value, "/"), address.Scheme == "https" || address.Scheme == "http" && loopback(address.Hostname())
}

func checkPublicURL(value string) (string, bool) {
	address, sound := checkURL(value)
	_, host, _ := strings.Cut(address, "://")
	return address, sound && !strings.Contains(host, "/")
}

func checkRelay(value string) (string, bool) {
	address, sound := checkURL(value)
	base, box, found := strings.Cut(address, "/w/")
	return address, sound && found && box != "" && !strings.Contains(box, "/") && strings.Count(base, "/") == 2
}

func checkRelayKey(value string) (string, bool) {
	_, err := relay.ParseKey(value)
	return value, err == nil
}

func checkToken(value string) (string, bool) {
	return value, payments.IsToken(secret.New(value)) && visible(value)
}

func checkHost(value string) (string, bool) {
	return strings.ToLower(value), value != "" && visible(value) && !strings.ContainsAny(value, "/@?#*\\")
}

func checkHeader(value string) (string, bool) {
	const marks = "!#$%&'*+-.^_`|~"
	other := func(r rune) bool { return !alphanumeric(r) && !strings.ContainsRune(marks, r) }
	return value, value != "" && !strings.ContainsFunc(value, other)
}

// checkListen accepts HOST:PORT. An empty host means all addresses of the machine.
func checkListen(value string) (string, bool) {
	host, port, err := net.SplitHostPort(value)
	return value, err == nil && (port == "0" || isPort(port)) && visible(host)
}

func checkName(value string) (string, bool) {
	return clean.Text(value, payments.MaxLabelWidth), true
}

// checkTill accepts a till's name of at most maxTill characters. At least one must be an ASCII
// letter or digit, because the till's code consists of these.
func checkTill(value string) (string, bool) {
	name := clean.Text(value, payments.MaxLabelWidth)
	return name, strings.ContainsFunc(name, alphanumeric) && utf8.RuneCountInString(name) <= maxTill
}

func checkDatabase(value string) (string, bool) {
	address, err := storage.CheckAddress(value)
	return address, err == nil
}

func checkLine(value string) (string, bool) {
	return clean.Text(value, payments.MaxLabelWidth), !strings.Contains(value, "\n")
}

func checkPercent(value string) (string, bool) {
	rate, err := strconv.Atoi(value)
	return value, err == nil && rate >= 0 && rate < 100
}

func checkSum(value string) (string, bool) {
	sum, err := money.ParseAriary(value)
	return sum.String(), err == nil || value == "0"
}

func checkEarlyHour(value string) (string, bool) {
	clock, err := time.Parse("15:04", value)
	return clock.Format("15:04"), err == nil && (clock.Hour() < 8 || clock.Hour() == 8 && clock.Minute() == 0)
}

func checkFilled(value string) (string, bool) { return value, strings.TrimSpace(value) != "" }

func checkSwitch(value string) (string, bool) {
	switch strings.ToLower(value) {
	case "on", "true", "yes", "1":
		return "on", true
	case "off", "false", "no", "0":
		return "off", true
	}
	return "", false
}

func checkPrinter(value string) (string, bool) {
	if queue, found := strings.CutPrefix(value, "lp:"); found {
		return value, queue != "" && visible(queue) && !strings.HasPrefix(queue, "-")
	}
	if address, found := strings.CutPrefix(value, "tcp://"); found {
		host, port, err := net.SplitHostPort(address)
		return value, err == nil && host != "" && visible(host) && isPort(port)
	}
	// A Windows path for a device or a printer begins with two backslashes, as in \\.\COM3 or
	// \\computer\printer.
	return value, value == "" || strings.HasPrefix(value, "/") || strings.HasPrefix(value, `\\`)
}

func loopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && address.Unmap().IsLoopback()
}

func isPort(text string) bool {
	port, err := strconv.ParseUint(text, 10, 16)
	return err == nil && port > 0
}

func checkPath(value string) (string, bool) {
	return value, strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "//") && visible(value) && !strings.ContainsAny(value, "?#%\\\"<>")
}

func checkWebhookPath(value string) (string, bool) {
	served := slices.Contains([]string{"/success", "/canceled", "/failed", "/healthz", "/readyz", "/metrics"}, value)
	path, sound := checkPath(value)
	return path, sound && !served
}

// placeholders are the example secrets in the documentation, which anybody can read.
const placeholders = "your-webhook-secret your_webhook_secret your webhook secret"

// checkSecret accepts a webhook secret without changing it: white space may belong to it. It
// refuses a short secret, white space alone, a single repeated character, and the placeholders.
func checkSecret(value string) (string, bool) {
	first, _ := utf8.DecodeRuneInString(value)
	return value, utf8.RuneCountInString(value) >= payments.MinSecret && strings.TrimSpace(value) != "" && strings.Trim(value, string(first)) != "" &&
		!strings.Contains(placeholders, strings.ToLower(strings.TrimSpace(value)))
}

// InvisibleError is returned for a secret or a token with an invisible character.
type InvisibleError struct {
	Character string // Code point and name, such as "U+FEFF (byte order mark)", or a byte that is not UTF-8.
}

func (e *InvisibleError) Error() string {
	return "it contains the invisible character " + e.Character + ": copy it again from the merchant area, and save a file as UTF-8"
}

// checkCharacters returns an [*InvisibleError] for the first invisible character. It allows blanks,
// tabs and line breaks, because a secret may contain them.
func checkCharacters(value string) error {
	names := map[rune]string{0: " (NUL)", 0xa0: " (no-break space)", 0xad: " (soft hyphen)", 0x200b: " (zero-width space)", 0xfeff: " (byte order mark)"}
	for i, character := range value {
		switch {
		case character == utf8.RuneError && !strings.HasPrefix(value[i:], string(utf8.RuneError)):
			return &InvisibleError{fmt.Sprintf("byte 0x%02X (not UTF-8)", value[i])}
		case !unicode.IsPrint(character) && !strings.ContainsRune("\t\r\n", character):
			return &InvisibleError{fmt.Sprintf("%U%s", character, names[character])}
		}
	}
	return nil
}

// visible reports whether a text is printable ASCII without blanks.
func visible(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

func alphanumeric(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}
