package storage

import (
	"fmt"
	"runtime"
	"strings"

	"checkout/till/payments"
)

// Settings is what a shop decides: every value is checked, and what was not set
// has its default. The two secrets cannot be printed.
type Settings struct {
	Account Account
	Webhook Webhook
	Counter Counter
	Files   Files
}

// Account is the shop's account with the payment service.
type Account struct {
	BaseURL       string          // https, or http on loopback, without a slash at its end; empty when not set.
	OrderPath     string          // Begins with a slash.
	AccessToken   payments.Secret // Begins with TGP_; empty when not set.
	CheckoutHosts []string        // Hosts that a link may have, in lower case; none for any.
}

// Webhook is where and how the payment service's events arrive.
type Webhook struct {
	Secrets         []payments.Secret // 16 characters or more each, the current one first; none when not set.
	SignatureHeader string
	SignatureScheme string // "static" or "body".
	Listen          string // HOST:PORT; port 0 picks one.
	Path            string // Begins with a slash.
	PublicURL       string // What the service calls, without the path; empty when not set.
}

// Counter is what the people at the counter see and hear.
type Counter struct {
	Shop     string // Cleaned; may be empty.
	Till     string // Cleaned, with at least one ASCII letter or digit.
	Language string // "en", "fr" or "mg"; empty to follow the locale.
	Theme    string // "auto", "dark", "light" or "contrast".
	Sound    bool
	Plain    bool // The line mode in the place of the screens.
}

// Files are the places on disk. All but Database are empty where the machine
// names no home for them.
type Files struct {
	Settings string // The settings file, be it there or not.
	Database string // A file, or an address such as postgres://…
	Demo     string // The demo's database.
	Log      string // Where the console writes its log.
	Marks    string // The folder in which it is noted which databases there are.
	// Spool is where a listener keeps the events that the database cannot take.
	// Unless it is set it is empty where the database is a file: what ails that
	// file's disk would ail the spool.
	Spool string
	// Drafts is where a till keeps the sales that are being entered while its
	// shop's database is away. Empty where the database is a file, which has
	// them.
	Drafts string
}

// LoadOptions say where settings come from.
type LoadOptions struct {
	// Path is the settings file that was asked for, which must exist; empty for
	// TILL_CONFIG, or else for the usual one, which need not exist.
	Path string
	// Env reads an environment variable; an empty one is one that is not set.
	Env func(string) string
	// Flags are the values given on the command line, by the key's name.
	Flags map[string]string
}

// A SettingError says which value is wrong, where it stands and what to do. It
// never holds the value of a secret.
type SettingError struct {
	Where   string // "--listen", "TILL_LISTEN" or "listen in /…/config.toml".
	Problem error
}

// Error returns the place and the problem.
func (e *SettingError) Error() string { return e.Where + ": " + e.Problem.Error() }

// Unwrap returns the problem.
func (e *SettingError) Unwrap() error { return e.Problem }

// FromFlag tells whether the value stood on the command line.
func (e *SettingError) FromFlag() bool { return strings.HasPrefix(e.Where, "--") }

// Load reads the settings: a flag goes before the environment, the environment
// before the settings file, the file before the default. Every value that is
// given is checked, also one that another overrides; a wrong one is a
// [*SettingError]. A settings file that others can read, or that holds a key
// that does not exist, is refused.
func Load(options LoadOptions) (Settings, error) {
	settings := defaults(runtime.GOOS, options.Env)
	required := options.Path
	if required == "" {
		required = options.Env("TILL_CONFIG")
	}
	if required != "" {
		settings.Files.Settings = required
	}
	if settings.Files.Settings != "" {
		if err := settings.readFile(settings.Files.Settings, required != "", options.Env); err != nil {
			return Settings{}, err
		}
	}
	for _, key := range Keys() {
		if err := settings.readEnv(key, options.Env); err != nil {
			return Settings{}, err
		}
		value, given := options.Flags[key.Name]
		if !given {
			continue
		}
		if key.Secret {
			return Settings{}, fmt.Errorf("%s has no flag: a command line is visible to every user of the machine", key.Name)
		}
		if err := key.apply(&settings, "--"+key.Flag(), key.split(value)); err != nil {
			return Settings{}, err
		}
		if err := checkVisible(value); err != nil {
			return Settings{}, &SettingError{Where: "--" + key.Flag(), Problem: err}
		}
	}
	settings.Files.Database = underHome(settings.Files.Database, options.Env)
	settings.Files.Spool = underHome(settings.Files.Spool, options.Env)
	if settings.Files.Spool == "" && strings.Contains(settings.Files.Database, "://") {
		settings.Files.Spool = spoolPlace(runtime.GOOS, options.Env)
	}
	if Served(settings.Files.Database) {
		settings.Files.Drafts = draftsPlace(runtime.GOOS, options.Env, settings.Files.Database, settings.Counter.Till)
	}
	return settings, nil
}

// readEnv takes a key's value from the environment; a secret's also from the
// file that the environment names.
func (s *Settings) readEnv(key Key, env func(string) string) error {
	value, where := env(key.Env()), key.Env()
	if key.Secret && env(key.Env()+"_FILE") != "" {
		if value != "" {
			return fmt.Errorf("%s and %s_FILE are both set: unset one of them", where, where)
		}
		where += "_FILE"
		secret, err := readSecret(env(where), env)
		if err != nil {
			return &SettingError{Where: where, Problem: err}
		}
		return key.apply(s, where, []string{secret})
	}
	if value == "" {
		return nil
	}
	return key.apply(s, where, key.split(value))
}
