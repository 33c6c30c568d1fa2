package cli_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"checkout/till/assets/i18n"
)

// Text for people is translated; text for scripts is the same in every language.
func TestTextForPeopleIsTranslatedAndTextForScriptsIsNot(t *testing.T) {
	desk := newDesk(t)
	desk.taken()
	desk.env["TILL_LANGUAGE"] = "fr"
	at := i18n.Moment(desk.start.Local())
	for _, tt := range []struct {
		code int
		want string
		args []string
	}{
		{0, "marqué payé ", []string{"report"}},
		{0, "ARTICLES PAYÉS", []string{"report"}},
		{0, `"marked_paid":{"count":1,"amount":9000}`, []string{"report", "--json"}},
		{0, "verdict,marked_paid,1,9000", []string{"report", "--csv"}},
		{2, "n'est pas un jour", []string{"report", "--date", "demain"}},
		{0, "RÉFÉRENCE", []string{"order", "list"}},
		{0, "résultat   marqué payé", []string{"order", "show", "B3"}},
		{0, `"verdict":"marked_paid"`, []string{"order", "show", "B3", "--json"}},
		{1, "il n'y a pas de vente A9", []string{"order", "show", "A9"}},
		{2, "il manque REF", []string{"order", "show"}},
		{2, "il manque FROM, TO", []string{"database", "copy"}},
		{2, "il n'y a pas d'option --itme\n", []string{"order", "create", "--itme", "Vary:3500"}},
		{2, "il n'y a pas d'option -x\n", []string{"order", "list", "-x"}},
		{2, "--limit : « x » ne va pas : écrivez-le comme 50\n", []string{"order", "list", "--limit", "x"}},
		{2, "--expires : « x » ne va pas : écrivez-le comme 90s\n", []string{"demo", "--expires", "x"}},
		{2, "--date demande une valeur\n", []string{"report", "--date"}},
		{2, "« ordr » n'est pas une commande de till : vouliez-vous dire order ?", []string{"ordr"}},
		{2, "argument inconnu : « nope »", []string{"help", "nope"}},
		{2, "FILE suffit : que veut dire « b » ?", []string{"catalog", "export", "a", "b"}},
		{2, "--role : « king » n'est aucun de owner, cashier", []string{"cashier", "add", "Hasina", "--role", "king"}},
		{1, "vérifiez le nom (till cashier list) et le code PIN", []string{"cashier", "remove", "Nobody"}},
		{1, "il n'y a pas de fichier /nope", []string{"backup", "/nope/copy.db"}},
		{1, "ce fichier existe déjà : nommez-en un nouveau", []string{"backup", desk.env["HOME"]}},
		{1, "il n'y a pas de fichier nope.toml : vérifiez", []string{"order", "list", "--config", "nope.toml"}},
		{1, "le serveur de la base de données ne répond pas", []string{"order", "list", "--database", "postgres://u@127.0.0.1:1/x"}},
		{2, "dites ce qui a été constaté", []string{"order", "resolve", "B4"}},
		{0, "payé, par Rado le ", []string{"order", "resolve", "B4", "--paid", "--by", "Rado"}},
		{0, "samedi 21 novembre 2026 clôturé par Rado à la caisse T1, " + at, []string{"close", "--yes", "--by", "Rado"}},
		{0, "samedi 21 novembre 2026 clôturé par Rado à la caisse T1, " + at, []string{"close", "--list"}},
		{0, "alakamisy 19 novambra 2026 nakatona, i Rado tao amin'ny kesy T1, " + at, []string{"close", "--yes", "--by", "Rado", "--date", "2026-11-19", "--lang", "mg"}},
		{1, "samedi 21 novembre 2026 a été clôturé par Rado à la caisse T1, " + at, []string{"close", "--yes", "--by", "Rado"}},
		{0, `"day":"2026-11-21"`, []string{"close", "--list", "--json"}},
		{1, "il n'y a pas de fichier nope.csv", []string{"catalog", "import", "nope.csv"}},
		{0, "aucun caissier", []string{"cashier", "list"}},
		{1, "9 lignes de la base ne sont pas comme elles devraient", []string{"verify"}},
		{0, "et 0 événements copiés", []string{"backup", filepath.Join(desk.env["HOME"], "copy.db")}},
		{2, "--listen : la valeur n'est pas bonne. Écrivez HÔTE:PORT", []string{"order", "list", "--listen", "x"}},
		{1, "base_url n'est pas réglé (l'adresse du service de paiement)", nil},
		{0, "Emploi :\n  till report", []string{"report", "--help"}},
		{0, " : till help flags", []string{"report", "--help"}},
		{0, "Emploi :\n  till order create [options]", []string{"order", "create", "--help"}},
		{0, "rester jusqu'au résultat", []string{"order", "create", "--help"}},
		{0, "Un socket remis par systemd", []string{"listen", "--help"}},
		{0, "till guide [SUJET] [options]", []string{"guide", "--help"}},
		{2, "SUJET : « x » n'est aucun de", []string{"guide", "x"}},
		{2, "dites ce qui est vendu : --item", []string{"order", "create"}},
		{2, "--listen : Écrivez HÔTE:PORT", []string{"sandbox", "--listen", "x"}},
	} {
		desk.says("", tt.code, tt.want, tt.args...)
	}
	desk.says("47118\n", 0, "Hasina est un nouveau patron", "cashier", "add", "Hasina")
	desk.says("00000\n", 1, "le nom ou le code PIN est faux", "cashier", "remove", "Hasina", "--by", "Hasina")
}

// A command or flag without a help text would be listed without an explanation.
func TestHelpHasATextForEveryCommandAndFlag(t *testing.T) {
	mute := regexp.MustCompile(`(?m)^ +(-\w, )?--[\w-]+( \w+)?$|^  [a-z]+ *$`)
	for _, language := range i18n.Languages() {
		desk := newDesk(t)
		desk.env["TILL_LANGUAGE"] = language
		for command := range strings.SplitSeq(",demo,display,listen,sandbox,order,order create,order list,order show,order resolve,"+
			"trigger,report,close,cashier,cashier add,cashier list,cashier pin,cashier remove,catalog,catalog import,catalog export,"+
			"backup,verify,database,database copy,version,sandbox pay,sandbox fail,sandbox cancel,sandbox expire,sandbox resend,health", ",") {
			desk.out = &buffer{}
			if code := desk.run(t.Context(), append(strings.Fields(command), "--help")...); code != 0 {
				t.Errorf("%s: exit code %d", command, code)
			}
			_, flags, found := strings.Cut(desk.out.String(), "\n\n")
			if found := mute.FindString(flags); found != "" || strings.HasPrefix(desk.out.String(), "\n") {
				t.Errorf("%s: %q has no text:\n%s", language, found, desk.out)
			}
			if !found {
				t.Errorf("%s prints no usage", command)
			}
		}
	}
}
