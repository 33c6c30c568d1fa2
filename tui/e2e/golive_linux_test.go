package e2e_test

import (
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"checkout/till/payments/gateway"
	"checkout/till/payments/secret"
	"checkout/till/tui/tuitest"
)

// live is a shop as in production: its payment service and its webhook are each behind a web server
// with HTTPS.
type live struct {
	*shop
	authority    authority
	service, web front // The web servers of the payment service and of the shop.
	ends         map[string]func()
	console      *tuitest.Terminal
	paid         string // Order reference of the sale that was paid in the console.
	waiting      string // Order reference of a sale whose code the console shows.
}

// replace starts a web server. It first stops the server that already runs for the same host.
func (l *live) replace(f front) {
	if end := l.ends[f.host]; end != nil {
		end()
	}
	l.ends[f.host] = l.authority.open(f)
}

// owner returns the environment of an owner who has only run "till setup".
func (l *live) owner(extra ...string) []string {
	return tuitest.Environ(append([]string{"HOME=" + l.home, "SSL_CERT_FILE=" + os.Getenv("SSL_CERT_FILE")}, extra...)...)
}

func (l *live) start() *tuitest.Terminal {
	cmd := exec.Command(binary)
	cmd.Env = l.owner()
	l.console = tuitest.Start(l.t, 80, 24, cmd).Sees("Tapez ce que prend le client", "reçoit les paiements")
	return l.console
}

// tell posts a success event for an order of 7 000 Ar to the public address.
func (l *live) tell(orderReference, header string, sign func(body []byte) string) {
	l.t.Helper()
	body := success(wireOrder{orderReference: orderReference, Amount: 7000})
	if code, _ := post(http.DefaultClient, "https://"+l.web.host+l.web.path, body, header, sign(body)); code == 0 {
		l.t.Fatal("the public address gives no reply")
	}
}

// account starts the payment service at the address listen. The service sends its events to the
// address webhook. allowed contains further flags of "till sandbox".
func (l *live) account(allowed, listen, webhook string) {
	l.t.Helper()
	alone(l.t, "sandbox "+allowed+" --listen "+listen+" --public-url "+l.shop.service.url+" --webhook-url "+webhook,
		"SSL_CERT_FILE="+os.Getenv("SSL_CERT_FILE"), "TILL_ACCESS_TOKEN="+accessToken, "TILL_WEBHOOK_SECRET="+webhookSecret).Sees("dashboard on")
}

// customer pays the link's order on the hosted page.
func (l *live) customer(link string) {
	l.t.Helper()
	response, err := http.PostForm(link, url.Values{"outcome": {"success"}})
	tuitest.Must(l.t, err)
	if _ = response.Body.Close(); response.StatusCode >= http.StatusBadRequest {
		l.t.Fatalf("the page answers %s", response.Status)
	}
}

// examine calls plant, which causes a fault, and runs the doctor until its French report contains
// the summary and the texts. It repeats both steps, because the listener checks one refusal a
// second and its report may be a second old.
func (l *live) examine(plant func(), summary string, texts ...string) {
	l.t.Helper()
	var said string
	lacks := func(text string) bool { return !strings.Contains(said, text) }
	for range 50 {
		plant()
		cmd := exec.Command(binary, "doctor")
		cmd.Env = l.owner()
		out, _ := cmd.CombinedOutput() // The error is ignored, because the texts in the output tell more than the exit code.
		tuitest.SearchText(l.t, "what the doctor says", out)
		said = strings.Join(strings.Fields(string(out)), " ")
		if !slices.ContainsFunc(append(texts, summary), lacks) {
			return
		}
	}
	l.t.Fatalf("the doctor does not print %q and %q:\n%s", summary, texts, said)
}

// goLive follows the shop's guide: setup, the payment service's merchant area, the doctor, the
// first order.
func (l *live) goLive() {
	terminal := l.setUp("SSL_CERT_FILE="+os.Getenv("SSL_CERT_FILE")).Sees("Régler till", "Étape 1 sur 8").Press("enter")
	terminal.Sees("┃ Nom de la boutique").Type("Tantely").Press("enter").Sees("┃ Nom de cette caisse").Press("enter")
	terminal.Sees("┃ Adresse du service").Type(l.shop.service.url).Press("enter").Sees("┃ Jeton d'accès").Type(accessToken).Press("enter")
	terminal.Sees("Comment les notifications", "› Un relais").Press("down").Sees("› Un serveur web").Press("enter").Sees("┃ Secret webhook").Type(webhookSecret).Press("enter")
	terminal.Sees("┃ En-tête").Press("enter").Sees("┃ Ce qui est signé").Press("enter")
	terminal.Sees("┃ Adresse publique").Type("https://" + l.web.host).Press("enter").Sees("┃ Adresse sur cette machine").Press("enter")
	terminal.Sees("┃ Chemin du webhook").Press("enter").Sees("┃ Tableau des articles").Press("enter").Sees("Prêt à écrire").Press("enter")
	terminal.Shows("saisissez comme URL de webhook", "tout vérifier maintenant ?")
	l.web.path = regexp.MustCompile(`/webhook/\w{16}`).FindString(terminal.Screen())
	l.replace(l.web)
	l.replace(l.service)
	// Enter the webhook's address in the merchant area.
	l.account("--allow-host "+l.service.host+" --allow-target "+l.web.host, l.service.target, "https://"+l.web.host+l.web.path)
	terminal.Type("oui\n").Shows("échecs : 0 · à regarder : 0", "première vente").Type("oui\n").Shows("en attente du paiement")
	l.customer(terminal.QR())
	if code := terminal.Shows(" : payé", "Tout est prêt").Wait(); code != 0 {
		l.t.Errorf("the first order: exit code %d\n%s", code, terminal.Screen())
	}
	l.start().Type("Vary 3500x2").Press("enter").Sees("7 000").Press("enter").Sees("Encaisser").Press("enter").Sees("À payer")
	l.customer(l.console.QR())
	l.console.Sees("PAYÉ", "vente suivante").Press("enter").Sees("Tapez ce que prend le client")
	l.paid = l.newest().OrderReference
	l.console.Type("Vary 3500x2").Press("enter").Sees("7 000").Press("enter").Sees("Encaisser").Press("enter").Sees("À payer")
	l.waiting = l.newest().OrderReference
}

func TestTheDoctorNamesFaultsOfALiveShop(t *testing.T) {
	if !isolated(t, "127.0.0.1 localhost\n127.0.0.2 pay.example.mg\n127.0.0.3 boutique.example.mg\n") {
		return
	}
	l := &live{shop: openAt(t, &paymentService{url: "https://pay.example.mg"}), authority: trusted(t), ends: map[string]func(){}}
	l.shop.listen = "127.0.0.1:8788"
	l.service = front{host: "pay.example.mg", path: "/", target: "127.0.0.1:8789"}
	l.web = front{host: "boutique.example.mg", target: l.listen}
	t.Cleanup(func() {
		for _, end := range l.ends {
			end()
		}
	})
	data := filepath.Join(l.home, ".local", "share", "till")
	tuitest.Must(t, os.MkdirAll(data, 0o700))
	tuitest.Must(t, unix.Mount("none", data, "tmpfs", 0, "size=64m,mode=700"))
	t.Cleanup(func() { _ = unix.Unmount(data, unix.MNT_DETACH) })
	l.goLive()
	l.examine(func() {}, "échecs : 0 · à regarder : 0")
	const one = "échecs : 1 · à regarder : 0"
	static := func(secret string) func([]byte) string {
		return func([]byte) string { return seal(secret) }
	}
	body := func(sent []byte) string { return gateway.Sign(gateway.Body, secret.New(webhookSecret), sent) }
	again := func() { l.tell(l.paid, "x-svc-signature", static(webhookSecret)) }
	anew := func(change func(web, service *front)) func() {
		return func() {
			web, service := l.web, l.service
			change(&web, &service)
			l.replace(web)
			l.replace(service)
		}
	}
	usual := anew(func(*front, *front) {})
	var taken net.Listener
	filler := filepath.Join(data, "filler")
	for _, fault := range []struct {
		name        string
		plant, mend func()
		summary     string
		says        []string
	}{
		{"another secret", func() { l.tell(l.waiting, "x-svc-signature", static("whsec_of_somebody_else")) }, again, "échecs : 1 · à regarder : 1", []string{
			"paiements non confirmés", "Refusées depuis", "Recopiez le secret de l'espace marchand : till setup",
		}},
		{"a stranger's event", func() { l.tell(l.paid, "x-svc-signature", static("whsec_of_somebody_else")) }, again, "échecs : 0 · à regarder : 0", []string{
			"Requêtes refusées depuis la dernière bonne notification : 1.",
		}},
		{"events signed by their body", func() { l.tell(l.paid, "x-svc-signature", body) }, again, one, []string{`signature_scheme = "body"`}},
		{"the signature in another header", func() { l.tell(l.paid, "x-brand-signature", static(webhookSecret)) }, again, one, []string{
			": changez signature_header",
		}},
		{"another path", anew(func(web, _ *front) { web.path = "/webhook" }), usual, one, []string{"répond 404", "Faites transmettre " + l.web.path}},
		{"no web server", func() { l.ends[l.web.host]() }, usual, one, []string{"personne ne répond", "tourne-t-il"}},
		{"a certificate that has expired", anew(func(web, _ *front) { web.lasts = -time.Hour }), usual, one, []string{"certificat a expiré"}},
		{"a clock that is ten minutes off", anew(func(_, service *front) { service.ahead = 10*time.Minute + 30*time.Second }), usual, one, []string{
			"10 min d'écart", "timedatectl set-ntp true",
		}},
		{"a port that another program has", func() {
			if taken == nil {
				l.console.Signal(syscall.SIGQUIT) // The goroutine dump must not contain a secret.
				l.console.Wait()
				taken, _ = net.Listen("tcp", l.listen)
			}
		}, func() { _ = taken.Close(); tuitest.Vacated(t, l.listen) }, one, []string{"un autre programme occupe " + l.listen, "Arrêtez ce programme"}},
		{"a full disk", func() {
			// The write fills the disk and then fails, so its error is ignored.
			_ = os.WriteFile(filler, make([]byte, 64<<20), 0o600)
		}, func() { _ = os.Remove(filler) }, one, []string{"le disque de ~/.local/share/till/till.db est plein", "libérez-y de la place"}},
		{"a blank after the secret", l.edit(webhookSecret+`"`, webhookSecret+` "`), l.edit(webhookSecret+` "`, webhookSecret+`"`), "échecs : 0 · à regarder : 1", []string{
			"ôtez-les de webhook_secret",
		}},
	} {
		t.Log(fault.name)
		l.examine(fault.plant, fault.summary, fault.says...)
		fault.mend()
	}
	l.examine(func() {}, "échecs : 0 · à regarder : 0")
}

func (l *live) edit(from, to string) func() {
	return func() {
		text, err := os.ReadFile(l.settingsFile())
		tuitest.Must(l.t, err)
		l.writeSettings(strings.Replace(string(text), from, to, 1))
	}
}
