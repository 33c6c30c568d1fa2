package e2e_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"checkout/till/storage/settings"
	"checkout/till/tui/tuitest"
)

// setUp starts "till setup" in a shop's home folder. The environment contains no settings.
func (s *shop) setUp(env ...string) *tuitest.Terminal {
	s.t.Helper()
	return alone(s.t, "setup", append(env, "HOME="+s.home, "TILL_LANGUAGE=", "LANG=fr_FR.UTF-8")...)
}

func (s *shop) settingsFile() string { return filepath.Join(s.home, ".config", "till", "config.toml") }

func TestAShopIsSetUpInFrenchAndTakesItsFirstOrder(t *testing.T) {
	t.Parallel()
	s := open(t, file, nil)
	articles := filepath.Join(s.home, "articles.csv")
	tuitest.Must(t, os.WriteFile(articles, []byte("label,unit_price,code\nVary,3500,101\n"), 0o600))
	terminal := s.setUp().Sees("Régler till", "Étape 1 sur 8", "Français").Press("enter")
	terminal.Sees("┃ Nom de la boutique").Press("enter").Sees("Tapez le nom de la boutique").Type("Tantely").Press("enter").Sees("┃ Nom de cette caisse").Press("enter")
	terminal.Sees("┃ Adresse du service").Type("pay.example.mg").Press("enter").Sees("Écrivez une adresse comme")
	terminal.Press("ctrl+u").Type(s.service.url).Press("enter")
	terminal.Sees("┃ Jeton d'accès").Type(accessToken).Sees("****").Press("enter")
	terminal.Sees("Comment les notifications", "› Un relais").Press("down", "down").Sees("› Un tunnel").Press("enter")
	terminal.Sees("┃ Secret webhook").Type("trop court").Press("enter").Sees("16 caractères ou plus")
	terminal.Type(webhookSecret).Press("enter").Sees("┃ En-tête").Press("enter").Sees("┃ Ce qui est signé").Press("enter")
	terminal.Sees("┃ Adresse publique").Press("enter")
	terminal.Sees("┃ Adresse sur cette machine").Press("ctrl+u").Type(s.listen).Press("enter")
	terminal.Sees("┃ Chemin du webhook", "/webhook/").Press("ctrl+u").Type("/webhook").Press("enter")
	terminal.Sees("┃ Tableau des articles").Type("~/articles.csv").Press("enter")
	terminal.Sees("Prêt à écrire")
	if _, err := os.Stat(s.settingsFile()); err == nil {
		t.Error("the settings file was written before the confirmation")
	}
	terminal.Press("enter").Shows("Écrit : ~/.config/till/config.toml", "cloudflared tunnel run --url http://"+s.listen+" till", "saisissez comme URL de webhook")
	s.holdsSettings()
	terminal.Shows("tout vérifier").Type("oui\n").Shows("première vente").Type("oui\n").Shows("en attente du paiement")
	terminal.QR()
	s.pay(s.service.last())
	if code := terminal.Shows(" : payé", "Tout est prêt").Wait(); code != 0 {
		t.Errorf("the first order: exit code %d\n%s", code, terminal.Screen())
	}
	alone(t, "catalog export", "HOME="+s.home).Sees("Vary,3500,101")
}

func (s *shop) holdsSettings() {
	s.t.Helper()
	for path, want := range map[string]os.FileMode{s.settingsFile(): 0o600, filepath.Dir(s.settingsFile()): 0o700} {
		if about, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && about.Mode().Perm() != want {
			s.t.Errorf("%s: %v, %v", path, about, err)
		}
	}
	loaded, err := settings.Load(settings.Sources{Path: s.settingsFile(), Env: func(string) string { return "" }})
	tuitest.Must(s.t, err)
	got := []string{
		loaded.Account.BaseURL, loaded.Account.AccessToken.Reveal(), loaded.Webhook.Secrets[0].Reveal(), loaded.Webhook.Listen,
		loaded.Counter.Shop, loaded.Counter.Till, loaded.Counter.Language,
	}
	want := []string{s.service.url, accessToken, webhookSecret, s.listen, "Tantely", "T1", "fr"}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		s.t.Errorf("got settings %v, want %v", got, want)
	}
}

func (s *shop) writeSettings(text string) {
	s.t.Helper()
	tuitest.Must(s.t, os.MkdirAll(filepath.Dir(s.settingsFile()), 0o700))
	tuitest.Must(s.t, os.WriteFile(s.settingsFile(), []byte(text), 0o600))
}

// holds fails the test unless the content of the settings file is exactly want.
func (s *shop) holds(want string) {
	s.t.Helper()
	if text, err := os.ReadFile(s.settingsFile()); err != nil || string(text) != want {
		s.t.Errorf("%v, the file is\n%s\nwant\n%s", err, text, want)
	}
}

func TestSetupKeepsTheFormerSecretUntilTheNextRun(t *testing.T) {
	t.Parallel()
	s := openAt(t, nil)
	const head = "base_url = \"https://pay.example.test\"\nshop = \"Tantely\"\nlanguage = \"fr\"\naccess_token = \"" + accessToken + "\"\n"
	s.writeSettings(head + "webhook_secret = \"" + webhookSecret + "\"\nwebhook_path = \"/webhook/kx4f\"\n")
	run := func(secret string) *tuitest.Terminal {
		terminal := s.setUp().Sees("Étape 1").Press("enter").Sees("┃ Nom de la boutique").Press("enter").Sees("┃ Nom de cette caisse").Press("enter")
		terminal.Sees("┃ Adresse du service").Press("enter").Sees("┃ Jeton", "inchangé").Press("enter").Sees("Comment").Press("down", "down", "down", "enter")
		terminal.Sees("┃ Secret", "inchangé").Type(secret).Press("enter").Sees("┃ En-tête").Press("enter").Sees("┃ Ce qui").Press("enter")
		return terminal.Sees("┃ Tableau").Press("enter").Sees("Prêt").Press("enter")
	}
	both := head + "webhook_secret = [\"new_" + webhookSecret + "\", \"" + webhookSecret + "\"]\nwebhook_path = \"/webhook/kx4f\"\n"
	run("new_"+webhookSecret).Shows("Le secret webhook est nouveau").Type("\n").Shows("Revenez à ", "gardez toutes les réponses").Wait()
	s.holds(both)
	run("").Shows("till accepte encore l'ancien").Type("non\n").Shows("Revenez à ").Wait()
	s.holds(both)
	run("").Shows("till accepte encore l'ancien").Type("oui\n").Wait()
	s.holds(strings.Replace(both, "[\"new_"+webhookSecret+"\", \""+webhookSecret+"\"]", "\"new_"+webhookSecret+"\"", 1))
	run(webhookSecret).Shows("Le secret webhook est nouveau").Type("oui\n").Wait()
	s.holds(strings.Replace(both, "[\"new_"+webhookSecret+"\", \""+webhookSecret+"\"]", "\""+webhookSecret+"\"", 1))
}

func TestSetupWithAnotherRelayAsksForAPairingCode(t *testing.T) {
	t.Parallel()
	s := openAt(t, nil)
	s.writeSettings("base_url = \"https://pay.example.test\"\nshop = \"Tantely\"\nlanguage = \"en\"\nrelay = \"http://127.0.0.1:1/w/former\"\n")
	terminal := s.setUp("TILL_ACCESS_TOKEN="+accessToken, "TILL_WEBHOOK_SECRET="+webhookSecret).Sees("Step 1").Press("enter")
	terminal.Sees("┃ The shop's name").Press("enter").Sees("┃ This till's name").Press("enter")
	terminal.Sees("┃ Address of the service").Press("enter").Sees("┃ Access token").Press("enter").Sees("How do").Press("enter")
	terminal.Sees("┃ Webhook secret").Press("enter").Sees("┃ Signature header").Press("enter").Sees("┃ What is signed").Press("enter")
	terminal.Sees("┃ Address of the relay").Press("ctrl+u").Type("http://127.0.0.1:1").Press("enter").Sees("┃ Pairing code").Press("enter")
	terminal.Sees("┃ Recovery code").Press("enter").Sees("┃ Table").Press("enter").Sees("Enter writes").Press("enter")
	terminal.Shows("type: till relay join http://127.0.0.1:1 CODE").Wait()
}

// The other answers are kept after a failed pairing, and so is the relay as the way in.
func TestSetupAfterAFailedPairingSuggestsTheRelay(t *testing.T) {
	t.Parallel()
	s := openAt(t, nil)
	s.writeSettings("base_url = \"https://pay.example.test\"\nshop = \"Tantely\"\nlanguage = \"en\"\n")
	run := func() *tuitest.Terminal {
		terminal := s.setUp("TILL_ACCESS_TOKEN="+accessToken, "TILL_WEBHOOK_SECRET="+webhookSecret).Sees("Step 1").Press("enter")
		terminal.Sees("┃ The shop's name").Press("enter").Sees("┃ This till's name").Press("enter")
		return terminal.Sees("┃ Address of the service").Press("enter").Sees("┃ Access token").Press("enter").Sees("How do")
	}
	terminal := run().Sees("› A web server").Press("up").Sees("› A relay").Press("enter")
	terminal.Sees("┃ Webhook secret").Press("enter").Sees("┃ Signature header").Press("enter").Sees("┃ What is signed").Press("enter")
	terminal.Sees("┃ Address of the relay").Type("http://127.0.0.1:1").Press("enter").Sees("┃ Pairing code").Type("M7Q3FYNTV3").Press("enter")
	terminal.Sees("┃ Recovery code").Press("enter").Sees("┃ Table").Press("enter").Sees("Enter writes").Press("enter")
	terminal.Shows("type: till relay join http://127.0.0.1:1 CODE").Wait()
	run().Sees("› A relay").Press("ctrl+c", "ctrl+c").Wait()
}

func TestSetupWithAServerAsksForNoListenerAndSecret(t *testing.T) {
	t.Parallel()
	s := openAt(t, nil)
	s.writeSettings("listen = \"127.0.0.1:9000\"\nlanguage = \"en\"\n")
	terminal := s.setUp("TILL_ACCESS_TOKEN=" + accessToken).Sees("Step 1").Press("enter")
	terminal.Sees("┃ The shop's name").Type("Tantely").Press("enter").Sees("┃ This till's name").Press("ctrl+u").Type("T2").Press("enter")
	terminal.Sees("┃ Address of the service").Type("https://pay.example.test").Press("enter").Sees("┃ Access token", "unchanged").Press("enter")
	terminal.Sees("How do").Press("down", "down", "down").Sees("› The shop's own server").Press("enter").Sees("┃ Address of the database")
	for _, wrong := range []string{"shop.db", "postgres://till:hunter22@server/shop"} {
		says := func(times int) func() bool {
			return func() bool { return strings.Count(terminal.Screen(), "As in postgres") == times }
		}
		terminal.Type(wrong).Press("enter")
		eventually(t, "how it is written is said once more, in red", says(2))
		terminal.Press("ctrl+u")
		eventually(t, "it is corrected", says(1))
	}
	terminal.Type("postgres://till@server/shop").Press("enter").Sees("┃ Table").Press("enter").Sees("Enter writes").Press("enter")
	terminal.Shows("On the server runs till listen", "check everything").Type("no\n").Wait()
	s.holds("language = \"en\"\nbase_url = \"https://pay.example.test\"\nshop = \"Tantely\"\ntill = \"T2\"\ndatabase = \"postgres://till@server/shop\"\n")
}

// After an error, a cashier would type the next PIN into the shell, which shows and keeps it.
func TestAPINIsAskedAgainUntilItIsRight(t *testing.T) {
	t.Parallel()
	terminal := alone(t, "cashier add Soa")
	terminal.Shows("New PIN of Soa").Type("1111\n").Shows("a PIN is 4 to 12 digits that do not count")
	terminal.Type("4711\n").Shows("The same again:").Type("4771\n").Shows("two different PINs")
	terminal.Type("4711\n").Type("4711\n")
	if code := terminal.Shows("Soa is a new owner").Wait(); code != 0 {
		t.Errorf("exit code %d\n%s", code, terminal.Screen())
	}
}
