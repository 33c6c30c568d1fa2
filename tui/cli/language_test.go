package cli_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"

	"checkout/till/assets/i18n"
	"checkout/till/storage"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
	"checkout/till/tui/cli/admin"
	"checkout/till/tui/cli/order"
	"checkout/till/tui/cli/serve"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

// The setting changes the language of text for people. Text for scripts is the same in every
// language.
func TestTextForPeopleIsTranslatedAndTextForScriptsIsNot(t *testing.T) {
	desk := newDesk(t)
	desk.taken()
	desk.env["TILL_LANGUAGE"] = "fr"
	file := func(text string, mode os.FileMode) string {
		path := filepath.Join(t.TempDir(), "file")
		tuitest.Must(t, os.WriteFile(path, []byte(text), mode))
		return path
	}
	marked, quotes := file(`webhook_secret = "`+webhookSecret+"\u200b\"", 0o600), file("\nshop = Chez Rado", 0o600)
	loose := file("", 0o644)
	const head = "label,price,code,favourite\n"
	for _, tt := range []struct {
		code int
		want string
		args []string
	}{
		{0, "marqué payé ", []string{"report"}},
		{0, `"marked_paid":{"count":1,"amount":9000}`, []string{"report", "--json"}},
		{0, "verdict,marked_paid,1,9000", []string{"report", "--csv"}},
		{2, "n'est pas un jour", []string{"report", "--date", "demain"}},
		{0, "RÉFÉRENCE", []string{"order", "list"}},
		{1, "il n'y a pas de vente A9", []string{"order", "show", "A9"}},
		{2, "--item Vary:abc : Le prix est un nombre entier", []string{"order", "create", "--item", "Vary:abc"}},
		{2, "--item Vary : dites ce qui est vendu : --item NOM:", []string{"cash", "sale", "--item", "Vary"}},
		{2, "--seal : tapez les 16 chiffres et lettres du sceau", []string{"verify", "--seal", "1a2b"}},
		{2, "ADRESSE : Écrivez une adresse", []string{"relay", "join", "http://x", "y"}},
		{2, "ÉVÉNEMENT : « paid » n'est aucun de", []string{"trigger", "paid", "--order", "A9"}},
		{2, "il manque REF", []string{"order", "show"}},
		{2, "il n'y a pas d'option --itme\n", []string{"order", "create", "--itme", "Vary:3500"}},
		{2, "« ordr » n'est pas une commande de till : vouliez-vous dire order ?", []string{"ordr"}},
		{1, "base_url n'est pas réglé (l'adresse du service de paiement)", nil},
		{0, "Emploi :\n  till report", []string{"report", "--help"}},
		{2, "--listen : Écrivez HÔTE:PORT", []string{"sandbox", "--listen", "x"}},
		{1, "le caractère invisible U+200B (zero-width space)", []string{"order", "list", "--config", marked}},
		{1, "la ligne 2 est illisible : mettez un texte entre guillemets", []string{"report", "--config", quotes}},
		{1, "peuvent lire ou changer " + loose + " : tapez chmod 600 " + loose, []string{"report", "--config", loose}},
		{1, "d'autres utilisateurs de cette machine peuvent lire ou changer", []string{"doctor", "--config", loose}},
		{2, "n'est pas bonne. Choisissez parmi link, cash, card et account.", []string{"report", "--tenders", "x"}},
		{1, "ligne 2, colonne price : le prix manque", []string{"catalog", "import", file(head+"Vary,,1,0\n", 0o600)}},
		{1, "la ligne 2 a le même", []string{"catalog", "import", file(head+"Vary,3500,1,0\nCoca,2000,1,0\n", 0o600)}},
		{1, "les guillemets ne vont pas par deux, jusqu'à la ligne 3", []string{"catalog", "import", file(head+"Vary,3500,1,0\n\"Coca,2000,2,0\n", 0o600)}},
		{1, "le fichier ne contient aucun article", []string{"catalog", "import", file(head, 0o600)}},
		{1, "avec les outils du serveur : pg_dump", []string{"backup", "copy.db", "--database", "postgres://till@127.0.0.1:1/shop"}},
		{2, "n'est pas bonne. Choisissez 2 ou 5.", []string{"report", "--drawer-pin", "3"}},
	} {
		desk.says("", tt.code, tt.want, tt.args...)
	}
	desk.says("47118\n", 0, "Hasina est un nouveau patron", "cashier", "add", "Hasina")
	desk.says("47118\n", 1, "un code de récupération a 26 lettres et chiffres", "relay", "join", "--recover", "https://127.0.0.1:1", "M7Q3FYNTV3")
	mistyped := "T444Y-YN70M-2VA06-EKTGZ-4B8KQ-Y\n" // It has 26 letters and digits: the message may not only count them.
	desk.says(mistyped, 1, "le code est faux : un code de récupération", "relay", "join", "--recover", "https://127.0.0.1:1", "M7Q3FYNTV3")
	null, err := os.Open(os.DevNull)
	tuitest.Must(t, err)
	defer func() { _ = null.Close() }()
	desk.in, desk.err = null, &buffer{}
	if code := desk.run(t.Context(), "doctor", "--scanner"); code != 1 || !strings.Contains(desk.err.String(), "il lui faut donc un terminal") {
		t.Errorf("without a terminal, doctor --scanner says: %s", desk.err)
	}
}

// A command or flag without a help text would be listed without an explanation.
func TestHelpHasATextForEveryCommandAndFlag(t *testing.T) {
	t.Parallel()
	mute := regexp.MustCompile(`(?m)^ +(-\w, )?--[\w-]+( \w+)? *$|^  [a-z]+ *$`)
	for _, language := range i18n.Languages() {
		desk := newDesk(t)
		desk.env["TILL_LANGUAGE"] = language
		for command := range strings.SplitSeq(",demo,display,listen,sandbox,order,order create,order list,order show,order resolve,"+
			"trigger,report,close,export,refund,cash,cash sale,cash void,cash float,cash in,cash out,cash count,account,account list,account show,account pay,account rename,account writeoff,account forget,cashier,cashier add,cashier list,cashier pin,cashier reset,cashier remove,catalog,catalog import,catalog export,"+
			"backup,restore,verify,database,database copy,version,sandbox pay,sandbox fail,sandbox cancel,sandbox expire,sandbox resend,health,"+
			"relay,relay add,relay list,relay pair,relay remove,relay join,relay take,relay replay", ",") {
			desk.says("", 0, "", append(strings.Fields(command), "--help")...)
			_, flags, found := strings.Cut(desk.out.String(), "\n\n")
			if found := mute.FindString(flags); found != "" || strings.HasPrefix(desk.out.String(), "\n") {
				t.Errorf("%s: %q has no text:\n%s", language, found, desk.out)
			}
			if !found {
				t.Errorf("%s prints no usage", command)
			}
			if stray := regexp.MustCompile(`(?m)^"?[\w -]+"? = .*`).FindString(desk.out.String()); stray != "" {
				t.Errorf("%s: %s prints a line of the texts: %s", language, command, stray)
			}
			if columns := textColumns(flags); len(columns) > 1 {
				t.Errorf("%s: the texts of %s begin in the columns %v:\n%s", language, command, columns, desk.out)
			}
			if list := regexp.MustCompile(`[^:,\s]\s+(unknown, marked_paid|cash, card|drawer, merchant-area,)`).FindString(desk.out.String()); list != "" {
				t.Errorf("%s: %s lists the values without a colon: %q", language, command, list)
			}
		}
	}
}

// The lines of the help's texts are up to 100 columns wide, and a terminal of 80 columns broke them
// in the middle of words.
func TestTheHelpFitsTheTerminal(t *testing.T) {
	for _, language := range i18n.Languages() {
		desk := newDesk(t)
		desk.env["TILL_LANGUAGE"] = language
		for command := range strings.SplitSeq(",receipt,backup,close,catalog,order create,restore,verify,relay join,display", ",") {
			arguments := append(strings.Fields(command), "--help")
			piped := desk.output(arguments...)
			for _, columns := range []int{60, 80, 200} {
				text := desk.inTerminal(columns, arguments...)
				about, _, _ := strings.Cut(text, ":\n  till") // The list of the flags has another width.
				if widest := theme.Width(about); widest > columns {
					t.Errorf("%s: %q has a line of %d columns in a terminal of %d:\n%s", language, command, widest, columns, text)
				}
				if letters := func(text string) string { return strings.Join(strings.Fields(text), "") }; letters(text) != letters(piped) {
					t.Errorf("%s: %q has other letters in a terminal of %d columns:\n%s", language, command, columns, text)
				}
			}
			first, _, _ := strings.Cut(piped, "\n")
			if text := desk.inTerminal(80, arguments...); !strings.HasPrefix(text, first+"\n") {
				t.Errorf("%s: the first line of %q is no line of its own:\n%s", language, command, text)
			}
		}
	}
}

// Sentences are wrapped to the terminal when they are printed. A line break in the middle of one
// would leave a row of a few words.
func TestAdviceFitsTheTerminal(t *testing.T) {
	screen, tty, err := pty.Open()
	tuitest.Must(t, err)
	defer func() { _, _ = screen.Close(), tty.Close() }()
	tuitest.Must(t, pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: 80}))
	printed := bufio.NewReader(screen)
	for _, language := range i18n.Languages() {
		texts := i18n.Load(language)
		for _, advice := range []string{
			texts.Relay.Joined.With("https://relay.example.mg/w/3Z3V5XD2V63R4QS2JMAU5XQ7TA", "T444Y-YN70M"), texts.Setup.DoNone,
			texts.Office.SameDisk, texts.Office.NextThousand,
		} {
			if broken := regexp.MustCompile(`.*[^.:\n]\n\S.*`).FindString(advice); broken != "" {
				t.Errorf("%s: a line breaks within a sentence: %q", language, broken)
			}
			(&cli.App{Out: tty}).Advise(advice)
			for range strings.SplitSeq(theme.WrapLines(advice, 80), "\n") {
				row, err := printed.ReadString('\n')
				tuitest.Must(t, err)
				if row = strings.TrimRight(row, "\r\n"); theme.Width(row) > 80 {
					t.Errorf("%s: a row is wider than the terminal: %q", language, row)
				}
			}
		}
	}
}

// inTerminal runs a command in a terminal, and returns its output.
func (d *desk) inTerminal(columns int, arguments ...string) string {
	d.t.Helper()
	screen, tty, err := pty.Open()
	tuitest.Must(d.t, err)
	tuitest.Must(d.t, pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: uint16(columns)}))
	read := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(screen) // Ends with an error when the terminal is closed.
		read <- strings.ReplaceAll(string(text), "\r\n", "\n")
	}()
	env := func(name string) string { return d.env[name] }
	cli.Execute(d.t.Context(), &cli.App{Args: arguments, Env: env, In: strings.NewReader(""), Out: tty, Err: tty, Now: d.now},
		serve.Console, serve.Commands, order.Commands, admin.Commands)
	tuitest.Must(d.t, tty.Close())
	defer func() { _ = screen.Close() }()
	return ansi.Strip(<-read)
}

// textColumns returns the columns in which the texts of the flags begin.
func textColumns(help string) (columns []int) {
	for _, row := range regexp.MustCompile(`(?m)^ +(?:-\w, )?--.*? {3,}`).FindAllString(help, -1) {
		if at := ansi.StringWidth(row); !slices.Contains(columns, at) {
			columns = append(columns, at)
		}
	}
	return columns
}

func TestTheListOfCommandsFitsTheTerminal(t *testing.T) {
	for _, language := range i18n.Languages() {
		for _, command := range []string{"", "order", "relay"} {
			desk := newDesk(t)
			_, list, _ := strings.Cut(desk.output(append(strings.Fields(command), "--help", "--lang", language)...), "\n\n")
			_, list, _ = strings.Cut(list, "\n\n") // The explanation and the usage line come before.
			if width := theme.Width(list); width > 80 {
				t.Errorf("%s: the help of %q is %d columns wide:\n%s", language, command, width, list)
			}
		}
	}
}

func TestHelpGroupsTheCommandsByWhoNeedsThem(t *testing.T) {
	desk := newDesk(t)
	said := desk.output("--help")
	for _, want := range []string{"\nTo sell:\n  account ", "\nFor the owner:\n  backup ", "\nFor a server:\n  database ", "\nFor developers:\n  completion "} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing in\n%s", want, said)
		}
	}
	desk.env["CLICOLOR_FORCE"] = "1"
	if coloured := desk.output("--help"); coloured == said || ansi.Strip(coloured) != said {
		t.Errorf("the help on a terminal is\n%s", coloured)
	}
}

func TestTheChosenLanguageReplacesASymbolicLink(t *testing.T) {
	folder := t.TempDir()
	other, link := filepath.Join(folder, "other"), filepath.Join(folder, "language")
	tuitest.Must(t, os.WriteFile(other, []byte("of another program"), 0o600))
	if err := os.Symlink(other, link); err != nil {
		t.Skip(err)
	}
	tuitest.Must(t, cli.KeepLanguage(settings.Files{Database: filepath.Join(folder, "till.db")})("fr"))
	text, err := os.ReadFile(other)
	kept, linkErr := os.ReadFile(link)
	if string(text) != "of another program" || string(kept) != "fr\n" {
		t.Errorf("%v, %v: the other file is %q, the language %q", err, linkErr, text, kept)
	}
}

func TestAnOwnerReadsInFrenchWhyADatabaseIsNotUsed(t *testing.T) {
	desk := newDesk(t)
	desk.env["TILL_LANGUAGE"] = "fr"
	desk.tag()
	database := filepath.Join(desk.env["HOME"], "till", "till.db")
	desk.says("", 0, "ESPÈCES", "cash", "sale", "--item", "Riz:2000")
	desk.says("", 0, "Copié dans ", "backup", database+".copy.db")
	release, err := storage.Lock(database)
	tuitest.Must(t, err)
	desk.says("", 1, fmt.Sprintf("une autre caisse (processus %d) a déjà ouvert", os.Getpid()), "restore", database+".copy.db")
	desk.says("", 1, fmt.Sprintf("une autre caisse (processus %d) a déjà ouvert", os.Getpid()), "database", "copy", database, database+".new.db")
	release()
	tuitest.Must(t, os.Remove(database))
	desk.says("", 1, "était ici et manque : branchez son disque, ou remettez la dernière sauvegarde avec till restore", "report")
	desk.says("", 0, "Restauré dans ~/till/till.db", "restore", database+".copy.db")
	if said := desk.out.String() + desk.err.String(); !strings.Contains(said, "Les ventes au comptoir n'y sont pas.") {
		t.Errorf("till restore says:\n%s", said)
	}
}
