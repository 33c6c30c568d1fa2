package doctor

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
)

// Codes of the checks, and of the findings that only the command "till doctor" makes. The
// contributor's guide lists the codes with these comments.
const (
	CannotListen       Code = "cannot_listen"       // The address of the listener cannot be used.
	PortTaken          Code = "port_taken"          // Another program uses the listener's port.
	PublicUnset        Code = "public_unset"        // No public address is set.
	PublicAway         Code = "public_away"         // The public address cannot be reached.
	PublicAnswers      Code = "public_answers"      // The public address answers with another status than 200.
	PublicForeign      Code = "public_foreign"      // The public address leads to another program.
	PublicEnds         Code = "public_ends"         // The certificate of the public address ends soon.
	ServiceAway        Code = "service_away"        // The payment service cannot be reached.
	ServiceFails       Code = "service_fails"       // The payment service answers with a server error.
	ServiceNoPath      Code = "service_no_path"     // The payment service does not have the order path, or redirects it.
	ServiceEnds        Code = "service_ends"        // The payment service's certificate ends soon.
	ServiceMissing     Code = "service_missing"     // The address of the payment service is not set.
	StoreOwner         Code = "store_owner"         // The till's database user owns the tables, so the rights that GRANT gives do not limit it.
	BackupNone         Code = "backup_none"         // Money was recorded more than two days ago, and the database was never backed up.
	BackupOld          Code = "backup_old"          // The last backup is more than two days old, or dated more than two days ahead.
	ClockZone          Code = "clock_zone"          // TZ names an unknown time zone.
	PrinterUnreachable Code = "printer_unreachable" // The printer cannot be reached, or fails in a way that has no other code.
	PrinterForbidden   Code = "printer_forbidden"   // The user may not use the printer.
	PrinterStopped     Code = "printer_stopped"     // The printer's queue is stopped, or accepts no receipts.
	PrinterBusy        Code = "printer_busy"        // The printer refuses the connection.
	PrinterNoPaper     Code = "printer_no_paper"    // The printer says that it has no paper.
	PrinterCoverOpen   Code = "printer_cover_open"  // The printer says that its cover is open.
	PrinterCutOff      Code = "printer_cut_off"     // The connection to the printer broke off.
	PrinterStuck       Code = "printer_stuck"       // The printer reports a fault, such as a paper jam, or does not respond in time.
	SettingsUnusable   Code = "settings_unusable"   // The settings file cannot be read, or a setting is invalid.
	SettingsDemo       Code = "settings_demo"       // No payment service is set, so the program starts the demo.
	SettingsLoose      Code = "settings_loose"      // Other users can read or change files of the till.
	TokenMissing       Code = "token_missing"       // The access token is not set.
	TokenTest          Code = "token_test"          // The access token belongs to a test account.
	SecretMissing      Code = "secret_missing"      // The webhook secret is not set.
	SecretTwo          Code = "secret_two"          // An earlier webhook secret is still accepted.
	SecretSpare        Code = "secret_spare"        // The webhook secret is set although the till does not listen.
	TerminalASCII      Code = "terminal_ascii"      // The terminal draws only ASCII, usually because the locale is not UTF-8.
	TerminalBlocks     Code = "terminal_blocks"     // The font may lack half blocks.
	TerminalSmall      Code = "terminal_small"      // The window is smaller than 80×24.
	VoiceMissing       Code = "voice_missing"       // No program that speaks texts was found.
)

// dateTolerance is the largest difference between the clocks of the till and the payment service
// that is not reported. It is large, because the service's answer has whole seconds and takes time.
const dateTolerance = 30 * time.Second

const backupAge = 48 * time.Hour

// OfService returns the findings from a request to the payment service: about the service, its
// certificate and its clock.
func OfService(t i18n.Texts, visit payments.Visit, err error, now time.Time) []Finding {
	service := New(Service, OK, "", t.Health.Reached, "")
	redirects := visit.Status >= http.StatusMultipleChoices && visit.Status < http.StatusBadRequest
	switch {
	case err != nil:
		service = New(Service, Fail, ServiceAway, t.Illness.Away.With(reason(t, err)), t.Illness.AwayTodo)
	case visit.Status >= http.StatusInternalServerError:
		service = New(Service, Warn, ServiceFails, t.Doctor.Answers.With(visit.Status), t.Doctor.ServiceTodo)
	case visit.Status == http.StatusNotFound || redirects:
		service = New(Service, Warn, ServiceNoPath, t.Doctor.Answers.With(visit.Status), t.Doctor.OrderPath)
	case ending(visit, now):
		service = New(Service, Warn, ServiceEnds, t.Doctor.Ends.With(day(visit.Expires)), t.Doctor.TellService)
	case !visit.Expires.IsZero():
		service.Advice = t.Doctor.Ends.With(day(visit.Expires))
	}
	if visit.Proxy != "" {
		service.Advice = strings.TrimSpace(t.Doctor.ByProxy.With(visit.Proxy) + " " + service.Advice)
	}
	if visit.Ahead.Abs() <= dateTolerance {
		return []Finding{service}
	}
	return []Finding{service, apart(t, visit.Ahead)}
}

// Way describes the way of webhooks from the payment service to a listener.
type Way struct {
	URL      string // Public address without the path; may be blank.
	Path     string // The service calls URL followed by Path.
	Target   string // The listener's host:port.
	Relayed  bool   // URL is the address of a relay.
	Listener string // ID of the listener that must answer; blank for any.
	// Others are listeners of the shop that may answer instead, such as those behind a load
	// balancer.
	Others []payments.Listener
}

// Found reports whether a request to the public address reached a listener that w describes.
func (w Way) Found(visit payments.Visit, err error) bool {
	ours := visit.Listener != "" && (w.Listener == "" || visit.Listener == w.Listener)
	return err == nil && visit.Status == http.StatusOK && (ours || w.other(visit) != "")
}

func (w Way) other(visit payments.Visit) string {
	for _, listener := range w.Others {
		if listener.Has(visit.Listener) && visit.Listener != w.Listener {
			return listener.Name
		}
	}
	return ""
}

// OfPublic returns the finding from a request to the public address.
func OfPublic(t i18n.Texts, way Way, visit payments.Visit, err error, now time.Time) Finding {
	found := ofAddress(t, way, visit, err, now)
	if way.Relayed && found.State != OK {
		found.Advice = t.Doctor.RelayTodo
	}
	return found
}

func ofAddress(t i18n.Texts, way Way, visit payments.Visit, err error, now time.Time) Finding {
	words := t.Doctor
	switch {
	case way.URL == "":
		return New(Public, Warn, PublicUnset, words.NoPublic, words.NoPublicTodo)
	case err != nil:
		return New(Public, Fail, PublicAway, t.Illness.Away.With(reason(t, err)), words.PublicTodo)
	case visit.Status == http.StatusNotFound:
		return New(Public, Fail, PublicAnswers, words.Answers.With(visit.Status), words.PathTodo.With(way.Path))
	case visit.Status >= http.StatusInternalServerError:
		return New(Public, Fail, PublicAnswers, words.Answers.With(visit.Status), words.ProxyTodo.With(way.Target))
	case visit.Status != http.StatusOK:
		return New(Public, Fail, PublicAnswers, words.Answers.With(visit.Status), words.ForwardTodo.With(way.URL, way.Target))
	case !way.Found(visit, err):
		return New(Public, Fail, PublicForeign, words.Foreign, words.ForwardTodo.With(way.URL, way.Target))
	case ending(visit, now):
		return New(Public, Warn, PublicEnds, words.Ends.With(day(visit.Expires)), words.Renew)
	case way.other(visit) != "":
		return New(Public, OK, "", words.LeadsToOther.With(way.other(visit)), "")
	}
	return New(Public, OK, "", words.LeadsHere.With(way.URL), "")
}

// OfBackup returns the finding about the last backup of the database. last is the time of that
// backup, and first is when money was first recorded; zero means never. A database without a backup
// is fine until two days after first.
func OfBackup(t i18n.Texts, last, first, now time.Time, zone *time.Location) Finding {
	age := now.Sub(last).Abs() // If the clock was set back, the last backup is in the future.
	text := t.Health.Copied.With(i18n.Moment(last.In(zone)), i18n.Span(age))
	switch {
	case last.IsZero() && (first.IsZero() || now.Sub(first).Abs() <= backupAge):
		return New(Backup, OK, "", t.Illness.NoBackupDue, t.Illness.BackupTodo)
	case last.IsZero():
		return New(Backup, Warn, BackupNone, t.Illness.NoBackup, t.Illness.BackupTodo)
	case age > backupAge:
		return New(Backup, Warn, BackupOld, text, t.Illness.BackupTodo)
	}
	return New(Backup, OK, "", text, "")
}

func ending(visit payments.Visit, now time.Time) bool {
	const soon = 14 * 24 * time.Hour
	return !visit.Expires.IsZero() && visit.Expires.Sub(now) < soon
}

func day(at time.Time) string { return at.Local().Format(time.DateOnly) }

func reason(t i18n.Texts, err error) string {
	if reason, known := errors.AsType[payments.Reason](err); known {
		return t.Reasons.Of(reason)
	}
	if fault, known := errors.AsType[payments.CallError](err); known {
		return t.Reasons[fault]
	}
	return clean.Text(err.Error(), payments.MaxShownWidth)
}
