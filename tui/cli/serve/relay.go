package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"checkout/till/payments"
	"checkout/till/payments/relay"
	"checkout/till/payments/webhook"
	"checkout/till/storage/mailbox"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
)

// relayOptions has the flags of the command "till relay".
type relayOptions struct {
	data   string // Folder for the stored requests and the TLS certificate.
	domain string // Host name of the relay; the relay gets a TLS certificate for this name.
	listen string
	url    string // Public address of the relay behind a reverse proxy.
	admin  string // Address of /healthz and /metrics.
	acme   string // ACME directory URL of the certificate authority.
	room   int64  // Maximum size of all stored requests, in GiB.
}

func (a *app) relayCommand() *cobra.Command {
	options := &relayOptions{}
	command := &cobra.Command{Use: "relay", RunE: a.WithSettings(func(ctx context.Context, settings settings.Settings, _ []string) error {
		return a.relay(ctx, cli.NewLogger(a.Err, settings.Log), *options)
	})}
	flags := command.Flags()
	flags.StringVar(&options.domain, "domain", "", "")
	flags.StringVar(&options.listen, "listen", "", "")
	flags.StringVar(&options.url, "url", "", "")
	flags.StringVar(&options.admin, "admin", "127.0.0.1:8790", "")
	flags.StringVar(&options.acme, "acme", acme.LetsEncryptURL, "")
	flags.Int64Var(&options.room, "room", mailbox.DefaultRoom>>30, "")
	flags.StringVar(&options.data, "data", defaultRelayData(a.Env), "")
	for _, below := range []*cobra.Command{
		{Use: "add NAME", RunE: a.withMailbox(options, a.relayCode((*mailbox.Mailbox).Add))},
		{Use: "list", RunE: a.withMailbox(options, a.relayList)},
		{Use: "pair NAME", RunE: a.withMailbox(options, a.relayCode((*mailbox.Mailbox).NewCode))},
		{Use: "remove NAME", RunE: a.withMailbox(options, a.relayRemove)},
	} {
		below.Flags().StringVar(&options.data, "data", defaultRelayData(a.Env), a.Texts.Help["relay --data"])
		command.AddCommand(below)
	}
	command.AddCommand(
		a.relayJoinCommand(),
		&cobra.Command{Use: "take", RunE: a.askRelay((*relay.Fetcher).Take)},
		&cobra.Command{Use: "replay", RunE: a.askRelay((*relay.Fetcher).Replay)},
	)
	return command
}

// defaultRelayData returns the folder of the relay's data: the state folder that systemd gives a
// service or, without systemd, a folder in the working folder.
func defaultRelayData(env func(string) string) string {
	if folder := env("STATE_DIRECTORY"); folder != "" {
		return folder
	}
	return "till-relay"
}

// urlFile is the name of the file with the relay's public address. "relay add" and "relay pair"
// print that address.
const urlFile = "url"

// relay runs a relay until ctx ends.
func (a *app) relay(ctx context.Context, logger *slog.Logger, options relayOptions) error {
	switch {
	case options.domain == "" && options.listen == "":
		return cli.Misused("%s", a.Texts.Relay.Where)
	case options.domain != "":
		options.url = "https://" + options.domain
		if options.listen == "" {
			options.listen = ":443"
		}
	}
	if err := cli.CheckURL("--url", options.url); err != nil {
		return err
	}
	bound, err := webhook.Bind(ctx, options.listen)
	if err != nil {
		return err
	}
	defer func() { _ = bound.Close() }() // Ignore an error: the server may have closed bound.
	if at, err := netip.ParseAddrPort(bound.Addr().String()); options.url == "" {
		if err != nil || !at.Addr().IsLoopback() {
			return cli.Misused("%s", a.Texts.Relay.Where)
		}
		options.url = "http://" + at.String() // Without a domain the relay is only for trials on this machine.
	}
	box, err := mailbox.Open(ctx, options.data, options.room<<30, a.Now)
	if err != nil {
		return err
	}
	defer func() { _ = box.Close() }()
	admin, err := webhook.Bind(ctx, options.admin)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(options.data, urlFile), []byte(options.url), 0o600); err != nil {
		return err
	}
	service := relay.NewServer(relay.Config{
		Store: box, URL: options.url, Logger: logger, Proxied: options.domain == "",
	})
	limits := relayLimits()
	parts := []cli.Part{
		webhook.NewServer(admin, service.Admin(cli.Version()), limits, logger).Serve,
	}
	if options.domain != "" {
		certificates := &autocert.Manager{
			Prompt: autocert.AcceptTOS, Cache: autocert.DirCache(filepath.Join(options.data, "certificates")),
			HostPolicy: autocert.HostWhitelist(options.domain), Client: &acme.Client{DirectoryURL: options.acme},
		}
		config := certificates.TLSConfig()
		config.NextProtos = []string{"http/1.1", acme.ALPNProto} // No HTTP/2: [relay.Fetcher] uses HTTP/1.1.
		bound = tls.NewListener(bound, config)
		parts = append(parts, obtaining(certificates, options.domain))
	}
	boxes, err := box.List(ctx)
	if err != nil {
		return err
	}
	a.Tell("relay on %s, for %s", bound.Addr(), options.url)
	a.Tell("%s", a.Texts.Relay.Boxes.With(len(boxes), cli.Clean(options.data)))
	return cli.RunAll(ctx, webhook.NewServer(bound, service, limits, logger).Serve, append(parts, notifySystemd("http://"+admin.Addr().String()+"/healthz"))...)
}

// relayLimits returns limits for tills on lines of 5 kbit/s. There, a TLS handshake takes 10 s, and an
// answer with events takes two minutes, during which the connection counts as idle.
func relayLimits() webhook.Limits {
	limits := webhook.DefaultLimits()
	limits.Header = 30 * time.Second
	limits.Read = 30 * time.Second
	limits.Idle = 4 * time.Minute
	limits.Connections = 5000 // Each till that fetches events keeps one connection open.
	return limits
}

// obtaining returns a part that gets the TLS certificate at the start. Otherwise the first client
// would have to wait for the certificate and would time out.
func obtaining(certificates *autocert.Manager, domain string) cli.Part {
	return func(ctx context.Context) error {
		hello := &tls.ClientHelloInfo{ServerName: domain, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256}}
		for {
			if _, err := certificates.GetCertificate(hello); err == nil {
				return nil
			}
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(time.Minute): // Try again later: the certificate authority limits the number of requests.
			}
		}
	}
}

// withMailbox returns a function for cobra that opens a relay's mailbox and calls do. The relay
// must have been started once before; it may be running now.
func (a *app) withMailbox(
	options *relayOptions, do func(ctx context.Context, box *mailbox.Mailbox, address string, arguments []string) error,
) func(*cobra.Command, []string) error {
	return func(command *cobra.Command, arguments []string) error {
		file, err := filepath.Abs(filepath.Join(options.data, urlFile))
		if err != nil {
			return err
		}
		address, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			return errors.New(a.Texts.Relay.NoData.With(cli.Clean(filepath.Dir(file))))
		}
		if err != nil {
			return err
		}
		box, err := mailbox.Open(command.Context(), options.data, options.room<<30, a.Now)
		if err != nil {
			return err
		}
		return errors.Join(do(command.Context(), box, strings.TrimSpace(string(address)), arguments), box.Close())
	}
}

// relayCode returns a function to pass to withMailbox. That function makes a pairing code, saves
// its hash with store, and prints what the shop needs to pair its till: the relay's address, the
// code, and the address for webhooks.
func (a *app) relayCode(
	store func(box *mailbox.Mailbox, ctx context.Context, name string, codeHash []byte) (id string, err error),
) func(context.Context, *mailbox.Mailbox, string, []string) error {
	return func(ctx context.Context, box *mailbox.Mailbox, address string, arguments []string) error {
		code, codeHash := relay.NewCode()
		id, err := store(box, ctx, payments.Clean(arguments[0], payments.MaxLabelWidth), codeHash)
		if err == nil {
			a.Tell("%s", a.Texts.Relay.Added.With(address, code, address+"/w/"+id))
		}
		return err
	}
}

func (a *app) relayList(ctx context.Context, box *mailbox.Mailbox, _ string, _ []string) error {
	boxes, err := box.List(ctx)
	if err != nil {
		return err
	}
	words := a.Texts.Relay
	for _, one := range boxes {
		state := words.Unpaired
		if one.Paired {
			state = words.Waiting.With(one.Waiting)
		}
		if !one.Oldest.IsZero() {
			state += " " + words.Since.With(one.Oldest.Format("2006-01-02 15:04 MST"))
		}
		a.Tell("%-24s %s", one.Name, state)
	}
	if len(boxes) == 0 {
		a.Say("%s", words.NoBoxes)
	}
	return nil
}

func (a *app) relayRemove(ctx context.Context, box *mailbox.Mailbox, _ string, arguments []string) error {
	agreed, err := a.Agrees(ctx, a.Texts.Relay.Remove.With(arguments[0]))
	if err != nil || !agreed {
		return err
	}
	return box.Remove(ctx, arguments[0])
}

// relayJoinCommand returns the command that pairs this till with a relay and writes the
// settings.
func (a *app) relayJoinCommand() *cobra.Command {
	recovers := false
	command := &cobra.Command{Use: "join ADDRESS CODE", RunE: func(command *cobra.Command, arguments []string) error {
		settings, err := a.Settings()
		if err != nil {
			return err
		}
		var recovery payments.Secret
		if recovers {
			if recovery, err = a.AskPIN(command.Context(), a.Texts.Relay.Recovery); err != nil {
				return err
			}
			if recovery.Empty() {
				return relay.ErrKey
			}
		}
		return a.JoinRelay(command.Context(), settings, arguments[0], arguments[1], recovery.Reveal())
	}}
	command.Flags().BoolVar(&recovers, "recover", false, "")
	return command
}

// askRelay returns a function for cobra that sends a request to this till's relay.
func (a *app) askRelay(request func(*relay.Fetcher, context.Context) error) func(*cobra.Command, []string) error {
	return a.InShop(func(ctx context.Context, shop *cli.Shop, _ []string) error {
		if err := shop.AskRelay(ctx, request); err != nil {
			return err
		}
		a.Tell("%s", a.Texts.Relay.Asked)
		return nil
	})
}
