// Package settings loads the configuration of a shop. A flag overrides an environment variable,
// which overrides the TOML file, which overrides the default. The package validates every value,
// and refuses a file that other users can read or change. Error texts and fmt never show the access
// token or a webhook secret.
package settings

import (
	"net/url"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/secret"
)

// Settings is the configuration of a shop. Every value is validated; a value that was not set has
// its default.
//
// A field with tags is a setting. The tags are its key in the file, the name of its check (see
// [checked]), its default and its help text. The tag switch says that the flag may have no value,
// which means on.
type Settings struct {
	Account Account
	Webhook Webhook
	Counter Counter
	Receipt Receipt
	Files   Files
	Log     Log
}

// Account is the shop's account with the payment service.
type Account struct {
	// BaseURL has no trailing slash; it is empty if not set.
	BaseURL     string      `key:"base_url" check:"address" usage:"address of the payment service: https, or http on loopback"`
	OrderPath   string      `key:"order_path" check:"path" default:"/api/payement/service" usage:"path of the order call"` // The payment service spells it "payement".
	AccessToken secret.Text `key:"access_token" check:"token" usage:"the shop's access token"`
	// CheckoutHosts are in lower case; an empty list allows any https host.
	CheckoutHosts []string `key:"checkout_hosts" check:"host" usage:"hosts that a checkout link may have, separated by commas"`
	// Remote is the address of a payment service on another machine that a source gave for BaseURL. It
	// stays set even if a source of higher precedence gives a local address, because the secrets may
	// still be those of a live shop. It is empty if no source gave a remote address.
	Remote string
}

// None reports whether the settings have no account. Without an account, no order can be created.
func (a Account) None() bool { return a.BaseURL == "" && a.AccessToken.Empty() }

// Test reports whether the account is a test account: its orders move no money.
func (a Account) Test() bool { return payments.IsTestToken(a.AccessToken) }

// Local reports whether the payment service is on this machine, like a sandbox.
func (a Account) Local() bool {
	address, err := url.Parse(a.BaseURL)
	return err == nil && loopback(address.Hostname())
}

// Webhook configures how the payment service's events arrive.
type Webhook struct {
	Secrets         []secret.Text `key:"webhook_secret" check:"secret" usage:"the secret that signs webhooks"` // The current secret comes first.
	SignatureHeader string        `key:"signature_header" check:"header" default:"x-svc-signature" usage:"header that carries the signature"`
	SignatureScheme string        `key:"signature_scheme" check:"static,body" default:"static" usage:"what is signed: static or body"`
	Listen          string        `key:"listen" check:"listen" default:"127.0.0.1:8788" usage:"address of the webhook listener; port 0 picks one"`
	// Listens reports whether a console receives webhooks. With a database file it always does.
	// With a database server it does so only if the setting listen is set, because the command
	// "till listen" usually receives the webhooks there.
	Listens   bool
	Path      string `key:"webhook_path" check:"webhook path" default:"/webhook" usage:"path of the webhook"`
	PublicURL string `key:"public_url" check:"public address" usage:"address at which the payment service reaches the listener, without the path"`
	// Relay is the address of this till's webhook at a relay, a server that keeps the events until the
	// till fetches them. It is empty if the till uses no relay.
	Relay    string      `key:"relay" check:"relay" usage:"the webhook's address at a relay, for a till without a public address"`
	RelayKey secret.Text `key:"relay_key" check:"relay key" usage:"the secret of this till at its relay"`
}

// Counter configures what the people at the counter see and hear, and which sales they can make.
type Counter struct {
	Shop        string   `key:"shop" check:"name" usage:"the shop's name"`
	Till        string   `key:"till" check:"till" default:"T1" usage:"the till's name, with which references begin"`
	Language    string   `key:"language" check:"en,fr,mg" usage:"en, fr or mg (default: the locale's)"`
	Theme       string   `key:"theme" check:"auto,dark,light,contrast" default:"auto" usage:"auto, dark, light or contrast"`
	Tenders     []string `key:"tenders" check:"link,cash,card,account" default:"link,cash" usage:"ways to pay that the till offers: link, cash, card, account (the customer pays later); the key Tab goes through those after link"`
	CreditLimit int      `key:"credit_limit" check:"sum" default:"0" usage:"most that a customer may owe after a sale on account, in whole ariary; an owner may sell more; 0 for no limit"`
	Sound       bool     `key:"sound" check:"switch" default:"on" usage:"on or off"`
	Motion      bool     `key:"motion" check:"switch" default:"on" usage:"on or off: the total counts up, and PAID opens from the middle"`
	Voice       bool     `key:"voice" check:"switch" default:"off" switch:"" usage:"on or off: says aloud that a payment was proven"`
	// DayBegins is how long after midnight a day begins, for reports, exports and closings.
	DayBegins  time.Duration `key:"day_begins" check:"early hour" default:"00:00" usage:"HH:MM, up to 08:00: when a day begins for reports, exports and closings; the same on all tills"`
	BlindCount bool          `key:"blind_count" check:"switch" default:"off" switch:"" usage:"on or off: hides the expected cash until the money was counted"`
	Plain      bool          `key:"plain" check:"switch" default:"off" switch:"" usage:"on or off: lines alone, for screen readers, dumb terminals and pipes"`
}

// Receipt configures the receipts and their printer.
type Receipt struct {
	Printer string `key:"printer" check:"printer" usage:"the receipt printer: a device file like /dev/usb/lp0, tcp://HOST:9100, or lp:NAME for a queue of CUPS"`
	Columns int    `key:"printer_columns" check:"32,42,48" default:"32" usage:"32, 42 or 48: characters in a line of a receipt"`
	// CodePage, Code, Drawer and Status adapt the till to an unusual printer.
	CodePage string   `key:"printer_codepage" check:"858,850,437,1252,ascii" default:"858" usage:"858, 850, 437, 1252 or ascii: the printer's letters; till receipt --test shows which are right"`
	Code     bool     `key:"printer_code" check:"switch" default:"on" usage:"on or off: a receipt has the QR code of its sale; off for a printer without pictures"`
	Drawer   int      `key:"drawer_pin" check:"2,5" default:"2" usage:"2 or 5: the pin of the printer's socket to which the cash drawer is connected"`
	Status   bool     `key:"printer_status" check:"switch" default:"on" usage:"on or off: asks the printer whether it can print and has printed; off for one that answers wrongly"`
	Print    string   `key:"receipt" check:"offer,always,never" default:"offer" usage:"offer, always or never: offer prints when you press p"`
	Header   []string `key:"receipt_header" check:"line" usage:"lines below the shop's name, such as its address; a vertical bar separates them"`
	Footer   []string `key:"receipt_footer" check:"line" usage:"last lines of a receipt; a vertical bar separates them (default: thanks)"`
	NIF      string   `key:"nif" check:"name" usage:"the shop's tax number; with stat, a receipt is an invoice"`
	STAT     string   `key:"stat" check:"name" usage:"the shop's statistical number"`
	VAT      int      `key:"vat" check:"percent" usage:"rate of the value-added tax in the prices, in percent"`
}

// Files are the places of the till's files. A place is empty if it is not set and has no default.
type Files struct {
	Settings string // The settings file, whether it exists or not.
	Database string `key:"database" check:"database" usage:"database file, or postgres://… for one that several tills share"`
	Demo     string
	Log      string
	Marks    string // Folder with a marker file for each database file that was opened.
	// Outbox is the path of the file that keeps events while the database cannot store them. It has a
	// default only with a database server or a relay: an outbox next to a database file would usually
	// fail together with the database.
	Outbox string `key:"outbox" check:"filled" usage:"file in which events wait while the database is away; best not on its disk"`
	// Drafts is the path of the file with the till's unfinished sales, so that sales can be entered
	// while the database server is unavailable. It is empty if the database is a file: such a database
	// contains the unfinished sales.
	Drafts string
	// Outside names the environment variables and flags that set the database, the payment
	// service's address, the access token or the webhook secret, separated by commas. Because of
	// them, a till may use another database or another service than its settings file says.
	Outside string
}

// Log configures the log of a console, a listener, a relay or a sandbox.
type Log struct {
	Level  string `key:"log_level" check:"debug,info,warn,error" default:"info" usage:"debug, info, warn or error: the least serious entries of the log"`
	Format string `key:"log_format" check:"text,json" default:"text" usage:"text or json: the form of the log"`
}
