package storage

import (
	"errors"
	"slices"
	"strings"

	"checkout/till/payments"
)

// Key is one setting: its names, and what it is for.
type Key struct {
	Name    string // In the settings file, as in base_url.
	Usage   string // One line of help.
	Default string // For the help; empty when there is none.
	Secret  bool   // It has no flag, and its value is never shown.
	List    bool   // A flag or a variable holds several values, parted by commas.
	Switch  bool   // Its flag alone means on.

	set func(*Settings, []string) error
}

// Env returns the key's environment variable, as in TILL_BASE_URL.
func (k Key) Env() string { return "TILL_" + strings.ToUpper(k.Name) }

// Flag returns the key's name on the command line, as in base-url.
func (k Key) Flag() string { return strings.ReplaceAll(k.Name, "_", "-") }

// split returns the values that a flag or a variable holds.
func (k Key) split(value string) []string {
	if !k.List {
		return []string{value}
	}
	return strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
}

// apply checks the values and sets them. where names their place for people.
func (k Key) apply(settings *Settings, where string, values []string) error {
	if err := k.set(settings, values); err != nil {
		return &SettingError{Where: where, Problem: err}
	}
	return nil
}

// Keys returns every setting, in the order in which people think of them.
func Keys() []Key { return slices.Concat(accountKeys(), webhookKeys(), counterKeys()) }

const (
	defaultOrderPath = "/api/payement/service" // The service's own spelling.
	defaultHeader    = "x-svc-signature"
	defaultScheme    = "static"
	defaultListen    = "127.0.0.1:8788"
	defaultPath      = "/webhook"
	defaultTill      = "T1"
	defaultTheme     = "auto"
)

// defaults returns the settings of a shop that decided nothing.
func defaults(system string, env func(string) string) Settings {
	return Settings{
		Account: Account{OrderPath: defaultOrderPath},
		Webhook: Webhook{
			SignatureHeader: defaultHeader, SignatureScheme: defaultScheme,
			Listen: defaultListen, Path: defaultPath,
		},
		Counter: Counter{Till: defaultTill, Theme: defaultTheme, Sound: true},
		Files:   places(system, env),
	}
}

func accountKeys() []Key {
	return []Key{
		{
			Name: "base_url", Usage: "address of the payment service: https, or http on loopback",
			set: one(func(s *Settings) *string { return &s.Account.BaseURL }, checkAddress),
		},
		{
			Name: "order_path", Usage: "path of the order call", Default: defaultOrderPath,
			set: one(func(s *Settings) *string { return &s.Account.OrderPath }, checkPath),
		},
		{
			Name: "access_token", Usage: "the shop's access token", Secret: true,
			set: func(s *Settings, values []string) error {
				token, err := checkToken(values)
				s.Account.AccessToken = token
				return err
			},
		},
		{
			Name: "checkout_hosts", Usage: "hosts that a checkout link may have, parted by commas", List: true,
			set: func(s *Settings, values []string) error {
				hosts, err := checkHosts(values)
				s.Account.CheckoutHosts = hosts
				return err
			},
		},
		{
			Name: "database", Usage: "database file, or postgres://… for one that several tills share",
			set: one(func(s *Settings) *string { return &s.Files.Database }, checkFilled),
		},
	}
}

func webhookKeys() []Key {
	return []Key{
		{
			Name: "webhook_secret", Usage: "the secret that signs webhooks", Secret: true,
			set: func(s *Settings, values []string) error {
				secrets, err := checkSecrets(values)
				s.Webhook.Secrets = secrets
				return err
			},
		},
		{
			Name: "signature_header", Usage: "header that carries the signature", Default: defaultHeader,
			set: one(func(s *Settings) *string { return &s.Webhook.SignatureHeader }, checkHeader),
		},
		{
			Name: "signature_scheme", Usage: "what is signed: static or body", Default: defaultScheme,
			set: one(func(s *Settings) *string { return &s.Webhook.SignatureScheme }, oneOf("static", "body")),
		},
		{
			Name: "listen", Usage: "address of the webhook listener; port 0 picks one", Default: defaultListen,
			set: one(func(s *Settings) *string { return &s.Webhook.Listen }, checkListen),
		},
		{
			Name: "webhook_path", Usage: "path of the webhook", Default: defaultPath,
			set: one(func(s *Settings) *string { return &s.Webhook.Path }, checkWebhookPath),
		},
		{
			Name: "spool", Usage: "file in which events wait while the database is away; best not on its disk",
			set: one(func(s *Settings) *string { return &s.Files.Spool }, checkFilled),
		},
		{
			Name: "public_url", Usage: "address at which the payment service reaches the listener, without the path",
			set: one(func(s *Settings) *string { return &s.Webhook.PublicURL }, checkAddress),
		},
	}
}

func counterKeys() []Key {
	return []Key{
		{
			Name: "shop", Usage: "the shop's name",
			set: one(func(s *Settings) *string { return &s.Counter.Shop }, checkName),
		},
		{
			Name: "till", Usage: "the till's name, with which references begin", Default: defaultTill,
			set: one(func(s *Settings) *string { return &s.Counter.Till }, checkTill),
		},
		{
			Name: "language", Usage: "en, fr or mg (default: the locale's)",
			set: one(func(s *Settings) *string { return &s.Counter.Language }, oneOf("en", "fr", "mg")),
		},
		{
			Name: "theme", Usage: "auto, dark, light or contrast", Default: defaultTheme,
			set: one(func(s *Settings) *string { return &s.Counter.Theme }, oneOf("auto", "dark", "light", "contrast")),
		},
		{
			Name: "sound", Usage: "on or off", Default: "on",
			set: func(s *Settings, values []string) error {
				sound, err := checkSwitch(values)
				s.Counter.Sound = sound
				return err
			},
		},
		{
			Name: "plain", Usage: "on or off: lines alone, for screen readers, dumb terminals and pipes", Default: "off",
			Switch: true,
			set: func(s *Settings, values []string) error {
				plain, err := checkSwitch(values)
				s.Counter.Plain = plain
				return err
			},
		},
	}
}

// one makes a setter of a check of a single text.
func one(field func(*Settings) *string, check func(string) (string, error)) func(*Settings, []string) error {
	return func(settings *Settings, values []string) error {
		value, err := single(values)
		if err != nil {
			return err
		}
		*field(settings), err = check(value)
		return err
	}
}

var errSingle = errors.New("give one value, not a list")

func single(values []string) (string, error) {
	if len(values) != 1 {
		return "", errSingle
	}
	return values[0], nil
}

// show makes a value from outside fit for a message.
func show(value string) string { return payments.Clean(value, payments.MaxLabelWidth) }
