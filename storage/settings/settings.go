// Package settings loads the configuration of a shop from flags, environment
// variables, a TOML file and defaults, in this precedence. It guarantees that every
// value is validated, that a file which others can read or change is refused, and
// that no error and no format verb prints one of the two secrets.
package settings

import (
	"net/url"

	"checkout/till/payments"
)

// Settings is the configuration of a shop. Every value is validated, and one that
// was not set has its default.
//
// The tags of a field are its key in the file ("key"), its check, its default
// and its help. A field with them is a setting: from them [Keys] makes the key, the
// variable and the flag, and [checked] has the checks.
type Settings struct {
	Account Account
	Webhook Webhook
	Counter Counter
	Files   Files
}

// Account is the shop's account with the payment service.
type Account struct {
	// BaseURL has no slash at its end; it is empty when not set.
	BaseURL     string          `key:"base_url" check:"address" usage:"address of the payment service: https, or http on loopback"`
	OrderPath   string          `key:"order_path" check:"path" default:"/api/payement/service" usage:"path of the order call"` // The service's own spelling.
	AccessToken payments.Secret `key:"access_token" check:"token" usage:"the shop's access token"`
	// CheckoutHosts are in lower case; none allows any https host.
	CheckoutHosts []string `key:"checkout_hosts" check:"host" usage:"hosts that a checkout link may have, separated by commas"`
	// Remote is the address of a service on another machine that a source of the
	// settings names, even one that another source overrides. Empty for none.
	Remote string
}

// None tells whether no account is set: then no order can be made.
func (a Account) None() bool { return a.BaseURL == "" && a.AccessToken.Empty() }

// Test tells whether the account is one with which no money moves.
func (a Account) Test() bool { return payments.IsTestToken(a.AccessToken) }

// Local tells whether the payment service is on this machine, as a sandbox is.
func (a Account) Local() bool {
	address, err := url.Parse(a.BaseURL)
	return err == nil && loopback(address.Hostname())
}

// Webhook is where and how the payment service's events arrive.
type Webhook struct {
	Secrets         []payments.Secret `key:"webhook_secret" check:"secret" usage:"the secret that signs webhooks"` // The current one first.
	SignatureHeader string            `key:"signature_header" check:"header" default:"x-svc-signature" usage:"header that carries the signature"`
	SignatureScheme string            `key:"signature_scheme" check:"static,body" default:"static" usage:"what is signed: static or body"`
	Listen          string            `key:"listen" check:"listen" default:"127.0.0.1:8788" usage:"address of the webhook listener; port 0 picks one"`
	// Listens tells whether a console receives webhooks: at a database that
	// several tills share only where listen is set, for till listen does it there.
	Listens   bool
	Path      string `key:"webhook_path" check:"webhook path" default:"/webhook" usage:"path of the webhook"`
	PublicURL string `key:"public_url" check:"public address" usage:"address at which the payment service reaches the listener, without the path"`
}

// Counter is what the people at the counter see and hear.
type Counter struct {
	Shop     string `key:"shop" check:"name" usage:"the shop's name"`
	Till     string `key:"till" check:"till" default:"T1" usage:"the till's name, with which references begin"`
	Language string `key:"language" check:"en,fr,mg" usage:"en, fr or mg (default: the locale's)"`
	Theme    string `key:"theme" check:"auto,dark,light,contrast" default:"auto" usage:"auto, dark, light or contrast"`
	Sound    bool   `key:"sound" check:"switch" default:"on" usage:"on or off"`
	Plain    bool   `key:"plain" check:"switch" default:"off" switch:"" usage:"on or off: lines alone, for screen readers, dumb terminals and pipes"`
}

// Files are the places on disk. What is not set is empty where the machine names
// no home for it.
type Files struct {
	Settings string // The settings file, be it there or not.
	Database string `key:"database" check:"database" usage:"database file, or postgres://… for one that several tills share"`
	Demo     string // The demo's database.
	Log      string // Where the console writes its log.
	Marks    string // The folder in which it is noted which databases there are.
	// Outbox is where a listener keeps the events that the database cannot take.
	// Unless it is set it is empty where the database is a file: what ails that
	// file's disk would ail it.
	Outbox string `key:"outbox" check:"filled" usage:"file in which events wait while the database is away; best not on its disk"`
	// Drafts is where a till keeps the sales that are being entered while its
	// shop's database is away. Empty where the database is a file, which has
	// them.
	Drafts string
}
