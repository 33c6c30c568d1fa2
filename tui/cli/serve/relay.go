package serve

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/crypto/acme"

	"checkout/till/payments/relay"
	"checkout/till/payments/webhook"
	"checkout/till/storage"
	"checkout/till/storage/mailbox"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
)

type relayOptions struct {
	data   string // Folder for the stored requests and for the TLS certificate.
	domain string // Host name of the relay; the TLS certificate is for this name.
	listen string
	url    string
	admin  string // Address of /healthz and /metrics.
	acme   string // ACME directory URL of the certificate authority.
	room   int64  // Maximum size of all stored requests, in GiB.
}

func (a *app) relayCommand() *cobra.Command {
	options := &relayOptions{}
	command := &cobra.Command{Use: "relay"}
	command.RunE = a.WithSettings(func(ctx context.Context, settings settings.Settings, _ []string) error {
		if err := a.checkFilled(command.Flags()); err != nil {
			return err
		}
		return a.relay(ctx, cli.NewLogger(a.Err, settings.Log), *options)
	})
	flags := command.Flags()
	flags.StringVar(&options.domain, "domain", "", "")
	flags.StringVar(&options.listen, "listen", "", "")
	flags.StringVar(&options.url, "url", "", "")
	flags.StringVar(&options.admin, "admin", "127.0.0.1:8790", "")
	flags.StringVar(&options.acme, "acme", acme.LetsEncryptURL, "")
	flags.Int64Var(&options.room, "room", mailbox.DefaultRoom>>30, "")
	flags.StringVar(&options.data, "data", defaultRelayData(a.Env), "")
	for _, below := range []*cobra.Command{
		a.JSON(&cobra.Command{Use: "add NAME", RunE: a.withMailbox(options, a.relayCode((*mailbox.Mailbox).Add))}),
		a.JSON(&cobra.Command{Use: "list", RunE: a.withMailbox(options, func(ctx context.Context, box *mailbox.Mailbox, _ string, _ []string) error {
			return a.relayList(ctx, box, options.data)
		})}),
		a.JSON(&cobra.Command{Use: "pair NAME", RunE: a.withMailbox(options, a.relayCode((*mailbox.Mailbox).NewCode))}),
		{Use: "remove NAME", RunE: a.withMailbox(options, a.relayRemove)},
	} {
		below.Flags().StringVar(&options.data, "data", defaultRelayData(a.Env), a.Texts.Help["relay --data"])
		command.AddCommand(below)
	}
	command.AddCommand(
		a.relayJoinCommand(),
		&cobra.Command{Use: "take", RunE: a.askRelay((*relay.Fetcher).Take, a.Texts.Relay.Taken)},
		&cobra.Command{Use: "replay", RunE: a.askRelay((*relay.Fetcher).Replay, a.Texts.Relay.Asked)},
	)
	return command
}

// defaultRelayData returns the default folder of the relay's data: STATE_DIRECTORY, which systemd
// sets, or else till-relay.
func defaultRelayData(env func(string) string) string {
	if folder := env("STATE_DIRECTORY"); folder != "" {
		return folder
	}
	return "till-relay"
}

// checkFilled returns an error for a blank flag, which comes from an empty variable of a script.
// With a blank domain, the relay would have no TLS.
func (a *app) checkFilled(flags *pflag.FlagSet) error {
	for _, name := range []string{"domain", "listen", "url", "admin", "acme", "data"} {
		if flag := flags.Lookup(name); flag != nil && flag.Changed && strings.TrimSpace(flag.Value.String()) == "" {
			return cli.Misused("%s", a.Texts.Shell.NoValue.With("--"+name))
		}
	}
	return nil
}

// checkRelay validates the flags. With a domain, it also sets url, and listen if that is blank.
func (a *app) checkRelay(options *relayOptions) error {
	words := a.Texts.Relay
	switch {
	case options.domain == "" && options.listen == "":
		return cli.Misused("%s", words.Where)
	case options.domain != "" && options.url != "":
		return cli.Misused("%s", words.OneName)
	case options.domain != "" && !isDomain(options.domain):
		return cli.Misused("%s", words.Domain.With(cli.CleanLabel(options.domain)))
	case options.room < 1 || options.room > maxRoom:
		return cli.Misused("%s", words.Room.With(maxRoom))
	}
	if options.domain != "" {
		options.url = "https://" + options.domain
		options.listen = cmp.Or(options.listen, ":443")
	}
	if err := settings.Check("public_url", options.url); options.url != "" && err != nil {
		return cli.Misused("%s", words.BadAddress)
	}
	for _, flag := range []struct{ name, rule, value string }{
		{"--listen", "listen", options.listen},
		{"--admin", "listen", options.admin},
		{"--acme", "base_url", options.acme},
	} {
		if err := settings.Check(flag.rule, flag.value); flag.value != "" && err != nil {
			return cli.Misused("%s", a.Texts.Frame.Labelled.With(flag.name, a.Problem(err)))
		}
	}
	return nil
}

// maxRoom is the largest value of --room, in GiB.
const maxRoom = 1 << 20

// isDomain reports whether a certificate can be issued for a host name: several ASCII labels, no IP
// address.
func isDomain(text string) bool {
	_, err := netip.ParseAddr(text)
	labels := strings.Split(text, ".")
	return err != nil && len(labels) > 1 && !slices.ContainsFunc(labels, func(label string) bool {
		foreign := strings.Trim(strings.ToLower(label), "abcdefghijklmnopqrstuvwxyz0123456789-")
		return label == "" || strings.Trim(label, "-") != label || foreign != ""
	})
}

// urlFile is the file in the relay's folder that contains the relay's public address.
const urlFile = "url"

func (a *app) relay(ctx context.Context, logger *slog.Logger, options relayOptions) error {
	if err := a.checkRelay(&options); err != nil {
		return err
	}
	release, err := a.lockRelay(options.data)
	if err != nil {
		return err
	}
	defer release()
	bound, err := webhook.Bind(ctx, options.listen)
	if errors.Is(err, fs.ErrPermission) {
		return errors.New(a.Texts.Relay.NotAllowed.With(options.listen))
	}
	if err != nil {
		return err
	}
	defer func() { _ = bound.Close() }() // The server may have closed bound already.
	if at, err := netip.ParseAddrPort(bound.Addr().String()); options.url == "" {
		if err != nil || !at.Addr().IsLoopback() {
			return cli.Misused("%s", a.Texts.Relay.Where)
		}
		options.url = "http://" + at.String() // Without --domain and --url, the relay is only for tests on this machine.
	}
	admin, err := webhook.Bind(ctx, options.admin)
	if err != nil {
		return err
	}
	defer func() { _ = admin.Close() }() // The server may have closed admin already.
	box, err := mailbox.Open(ctx, options.data, options.room<<30, a.Now)
	if err != nil {
		return err
	}
	defer func() { _ = box.Close() }()
	if err := os.WriteFile(filepath.Join(options.data, urlFile), []byte(options.url), 0o600); err != nil {
		return err
	}
	return a.serveRelay(ctx, logger, options, box, bound, admin)
}

// serveRelay runs a relay until ctx ends. The payment service and the tills use bound; the operator
// uses admin.
func (a *app) serveRelay(
	ctx context.Context, logger *slog.Logger, options relayOptions, box *mailbox.Mailbox, bound, admin net.Listener,
) error {
	// Collect garbage more often than usual: then the connections of 1,000 tills fit into 100 MB.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	if options.domain == "" {
		warnOpen(logger, "--listen", bound)
	}
	warnOpen(logger, "--admin", admin)
	service := relay.NewServer(relay.Config{
		Store: box, URL: options.url, Logger: logger, Proxied: options.domain == "", Trust: webhook.Trust,
	})
	problems := box.Problems
	var parts []cli.Part
	if options.domain != "" {
		certificates := newCertificates(ctx, options, logger)
		bound = tls.NewListener(bound, certificates.config())
		parts = append(parts, certificates.obtain)
		problems = func(ctx context.Context) []relay.Problem {
			return append(box.Problems(ctx), certificates.problems()...)
		}
	}
	limits := relayLimits()
	parts = append(parts,
		webhook.NewServer(admin, service.Admin(cli.Version(), problems), limits, logger).Serve,
		a.watchRelay(service, box, problems, logger),
	)
	boxes, err := box.List(ctx)
	if err != nil {
		return err
	}
	a.Tell("relay on %s, for %s", bound.Addr(), options.url)
	a.Tell("%s", a.Texts.Relay.Boxes.With(len(boxes), cli.Clean(options.data)))
	return cli.RunAll(ctx, webhook.NewServer(bound, service, limits, logger).Serve, append(parts, notifySystemd("http://"+admin.Addr().String()+"/healthz"))...)
}

func warnOpen(logger *slog.Logger, flag string, listener net.Listener) {
	address, is := listener.Addr().(*net.TCPAddr)
	if is && address.IP.IsUnspecified() {
		logger.Warn("the relay answers on every address of this machine, without TLS: name one, such as 127.0.0.1",
			slog.String(logFlag, flag), slog.String(logAddress, address.String()))
	}
}

func (a *app) lockRelay(folder string) (release func(), err error) {
	file, err := filepath.Abs(filepath.Join(folder, lockName))
	if err != nil {
		return nil, err
	}
	release, err = storage.Lock(file)
	if locked, ok := errors.AsType[*storage.LockedError](err); ok {
		return nil, errors.New(a.Texts.Relay.Locked.With(locked.PID, cli.Clean(filepath.Dir(file))))
	}
	return release, a.folderError(folder, err)
}

func (a *app) folderError(folder string, err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return errors.New(a.Texts.Relay.BadFolder.With(cli.Clean(folder), failed.Err))
	}
	return err
}

const (
	logFlag    = "flag"
	logAddress = "address"
)

// lockName is the path of the lock in the relay's folder, without the suffix of [storage.Lock].
const lockName = "relay.db"

// relayLimits returns limits for tills on lines of 5 kbit/s. On such a line, a TLS handshake takes
// 10 s. After the relay has written an answer with events, the till may read for two more minutes,
// while the connection counts as idle.
func relayLimits() webhook.Limits {
	limits := webhook.DefaultLimits()
	limits.Header = 30 * time.Second
	limits.Read = 30 * time.Second
	limits.Write = 30 * time.Second // The shortest of these limits also limits a TLS handshake.
	limits.Idle = 4 * time.Minute
	limits.Connections = 5000 // Each till that fetches events keeps one connection open.
	return limits
}

// watchRelay returns a part that logs the relay's problems, and stores the states of the boxes for
// "relay list".
func (a *app) watchRelay(service *relay.Server, box *mailbox.Mailbox, problems func(context.Context) []relay.Problem, logger *slog.Logger) cli.Part {
	const recordEvery, lookEvery = 5 * time.Second, 30 * time.Second
	record := func(ctx context.Context) {
		if err := box.Record(ctx, service.Changes()); err != nil {
			logger.Error("the status of the boxes could not be stored", slog.String(cli.LogFailure, err.Error()))
		}
	}
	return func(ctx context.Context) error {
		if err := box.Disconnect(ctx, time.Time{}); err != nil { // A killed relay leaves its tills recorded as connected.
			logger.Error("the status of the boxes could not be stored", slog.String(cli.LogFailure, err.Error()))
		}
		recording, looking := time.Tick(cmp.Or(a.RecordEvery, recordEvery)), time.Tick(lookEvery)
		var known []relay.Problem
		for {
			select {
			case <-recording:
				record(ctx)
			case <-looking:
				known = logProblems(logger, known, problems(ctx))
			case <-ctx.Done():
				ending := context.WithoutCancel(ctx)
				record(ending)
				return box.Disconnect(ending, a.Now())
			}
		}
	}
}

func logProblems(logger *slog.Logger, known, now []relay.Problem) []relay.Problem {
	const keyProblem = "problem"
	for _, problem := range now {
		if !slices.Contains(known, problem) {
			logger.Warn(problem.Text, keyProblem, problem.Kind) //nolint:sloglint // The text says what to do.
		}
	}
	for _, problem := range known {
		if !slices.ContainsFunc(now, func(p relay.Problem) bool { return p.Kind == problem.Kind }) {
			logger.Info("a problem has ended", keyProblem, problem.Kind)
		}
	}
	return now
}
