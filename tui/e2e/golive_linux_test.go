package e2e_test

import (
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

	"golang.org/x/sys/unix"

	"checkout/till/tui/tuitest"
)

// live is a shop as in production: its payment service and its webhook are each behind a web server
// with HTTPS.
type live struct {
	*shop
	authority    authority
	service, web front  // The web servers of the payment service and of the shop.
	end          func() // Stops the web server of the shop.
	console      *tuitest.Terminal
	waiting      string // Order reference of a sale whose code the console shows.
}

// owner returns the environment of an owner who has only run "till setup".
func (l *live) owner(extra ...string) []string {
	return tuitest.Environ(append([]string{"HOME=" + l.home, "SSL_CERT_FILE=" + os.Getenv("SSL_CERT_FILE")}, extra...)...)
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
func (l *live) examine(plant func(), texts ...string) {
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
		if !slices.ContainsFunc(texts, lacks) {
			return
		}
	}
	l.t.Fatalf("the doctor does not print %q:\n%s", texts, said)
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
	l.end = l.authority.open(l.web)
	// Enter the webhook's address in the merchant area.
	l.account("--allow-host "+l.service.host+" --allow-target "+l.web.host, l.service.target, "https://"+l.web.host+l.web.path)
	terminal.Type("oui\n").Shows("échecs : 0 · à regarder : 0", "première vente").Type("oui\n").Shows("en attente du paiement")
	l.customer(terminal.QR())
	if code := terminal.Shows(" : payé", "Tout est prêt").Wait(); code != 0 {
		l.t.Errorf("the first order: exit code %d\n%s", code, terminal.Screen())
	}
	cmd := exec.Command(binary)
	cmd.Env = l.owner()
	l.console = tuitest.Start(l.t, 80, 24, cmd).Sees("Tapez ce que prend le client", "reçoit les paiements")
	l.console.Type("Vary 3500x2").Press("enter").Sees("7 000").Press("enter").Sees("Encaisser").Press("enter").Sees("À payer")
	l.customer(l.console.QR())
	l.console.Sees("PAYÉ", "vente suivante").Press("enter").Sees("Tapez ce que prend le client")
	l.console.Type("Vary 3500x2").Press("enter").Sees("7 000").Press("enter").Sees("Encaisser").Press("enter").Sees("À payer")
	l.waiting = l.newest().OrderReference
}

// The tests of tui/cli and tui/doctor check the other faults that the doctor finds.
func TestTheDoctorNamesFaultsOfALiveShop(t *testing.T) {
	if !isolated(t, "127.0.0.1 localhost\n127.0.0.2 pay.example.mg\n127.0.0.3 boutique.example.mg\n") {
		return
	}
	l := &live{shop: openAt(t, &paymentService{url: "https://pay.example.mg"}), authority: trusted(t)}
	l.shop.listen = "127.0.0.1:8788"
	l.service = front{host: "pay.example.mg", path: "/", target: "127.0.0.1:8789"}
	l.web = front{host: "boutique.example.mg", target: l.listen}
	t.Cleanup(l.authority.open(l.service))
	t.Cleanup(func() { l.end() })
	data := filepath.Join(l.home, ".local", "share", "till")
	tuitest.Must(t, os.MkdirAll(data, 0o700))
	tuitest.Must(t, unix.Mount("none", data, "tmpfs", 0, "size=64m,mode=700"))
	t.Cleanup(func() { _ = unix.Unmount(data, unix.MNT_DETACH) })
	l.goLive()
	tells := func(secret string) func() {
		return func() {
			body := success(wireOrder{orderReference: l.waiting, Amount: 7000})
			if code, _ := post(http.DefaultClient, "https://"+l.web.host+l.web.path, body, "x-svc-signature", seal(secret)); code == 0 {
				t.Fatal("the public address gives no reply")
			}
		}
	}
	filler, stopped := filepath.Join(data, "filler"), false
	const sound = "échecs : 0 · à regarder : 0"
	l.examine(func() {}, sound)
	for _, fault := range []struct {
		name        string
		plant, mend func()
		says        []string
	}{
		{"another secret", tells("whsec_of_somebody_else"), tells(webhookSecret), []string{
			"échecs : 1 · à regarder : 1", "paiements non confirmés", "Refusées depuis", "Recopiez le secret de l'espace marchand : till setup",
		}},
		{"no web server", func() { l.end() }, func() { l.end = l.authority.open(l.web) }, []string{
			"échecs : 1 · à regarder : 0", "personne ne répond", "tourne-t-il",
		}},
		{"a full disk", func() {
			if !stopped {
				l.console.Signal(syscall.SIGQUIT).Wait() // The goroutine dump must not contain a secret.
				stopped = true
			}
			// The write fills the disk and then fails, so its error is ignored.
			_ = os.WriteFile(filler, make([]byte, 64<<20), 0o600)
		}, func() { _ = os.Remove(filler) }, []string{
			"échecs : 1 · à regarder : 0", "le disque de ~/.local/share/till/till.db est plein", "libérez-y de la place",
		}},
	} {
		t.Log(fault.name)
		l.examine(fault.plant, fault.says...)
		fault.mend()
		l.examine(func() {}, sound)
	}
}
