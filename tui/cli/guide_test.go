package cli_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"checkout/till/payments/sandbox"
	"checkout/till/storage/settings"
	"checkout/till/tui/tuitest"
)

//go:generate go test -run TestTheGuidesHave -update .

const guides = "../../assets/docs/en/"

func TestTheGuidesHaveEveryScenarioSettingAndReceiver(t *testing.T) {
	scenarios := "| scenario | what goes wrong |\n|---|---|\n"
	for _, scenario := range sandbox.Scenarios() {
		scenarios += "| `" + scenario.Name + "` | " + scenario.Summary + " |\n"
	}
	tuitest.Table(t, guides+"integrator.md", "scenarios", scenarios)
	programs := ""
	for _, program := range []struct{ file, language, command string }{
		{"receiver.py", "python", "python3 receiver.py"},
		{"receiver.mjs", "js", "node receiver.mjs"},
		{"receiver.php", "php", "php -S 127.0.0.1:3000 receiver.php"},
		{"receiver.go.txt", "go", "go run receiver.go"},
	} {
		source, err := os.ReadFile("../../assets/docs/receivers/" + program.file)
		tuitest.Must(t, err)
		programs += fmt.Sprintf("`%s`, started by `%s`:\n\n```%s\n%s```\n\n", strings.TrimSuffix(program.file, ".txt"), program.command, program.language, source)
	}
	tuitest.Table(t, guides+"integrator.md", "receivers", programs)
	table := "| setting | environment | what it is | default |\n|---|---|---|---|\n"
	derived := map[string]string{ // Default values that are not in the list of settings.
		"checkout_hosts": "any https host",
		"database":       "`~/.local/share/till/till.db`",
		"language":       "the locale's",
		"outbox":         "`~/.local/state/till/outbox.db` with a relay or a PostgreSQL database, else none",
		"receipt_footer": "thanks",
	}
	for _, key := range settings.Keys() {
		table += "| `" + key.Name + "` | `" + key.Env() + "` | " + key.Usage + " | " + cmp.Or(key.Default, derived[key.Name], "none") + " |\n"
	}
	tuitest.Table(t, guides+"operator.md", "settings", table)
}

func TestTheOperatorsGuideNamesTheDefaultFiles(t *testing.T) {
	guide, err := os.ReadFile(guides + "operator.md")
	tuitest.Must(t, err)
	env := map[string]string{"HOME": "/home/rado", "TILL_DATABASE": "postgres://till@server/shop"}
	served, err := settings.Load(settings.Sources{Env: func(name string) string { return env[name] }})
	tuitest.Must(t, err)
	delete(env, "TILL_DATABASE")
	own, err := settings.Load(settings.Sources{Env: func(name string) string { return env[name] }})
	tuitest.Must(t, err)
	drafts := filepath.Dir(served.Files.Drafts) + "/drafts-"
	for _, path := range []string{own.Files.Settings, own.Files.Database, own.Files.Demo, own.Files.Log, served.Files.Outbox, drafts} {
		if short := strings.Replace(path, "/home/rado", "~", 1); runtime.GOOS == "linux" && !strings.Contains(string(guide), "`"+short) {
			t.Errorf("the guide does not name %s", short)
		}
	}
}

func TestEveryUnitOfAPageExists(t *testing.T) {
	unit := regexp.MustCompile(`(?m)(?:systemctl|journalctl) [^\n\x60]*?\btill-[^\n\x60]*`)
	name := regexp.MustCompile(`\btill-[a-z-]+@?[0-9]*(?:\.[a-z]+)?`)
	known := 0
	for file, text := range pages(t) {
		for _, command := range unit.FindAllString(text, -1) {
			for _, found := range name.FindAllString(command, -1) {
				template, _, _ := strings.Cut(found, "@")
				kind := cmp.Or(filepath.Ext(found), ".service")
				template = strings.TrimSuffix(template, kind)
				if strings.Contains(found, "@") {
					template += "@"
				}
				if _, err := os.Stat(filepath.Join(deployFolder, template+kind)); err != nil {
					t.Errorf("%s: there is no unit %s", file, found)
				}
				known++
			}
		}
	}
	if known < 10 {
		t.Errorf("the pages name only %d units", known)
	}
}

// pages returns the texts of the README, of the guides in every language and of the other pages for
// people, by path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	all := make(map[string]string)
	for _, pattern := range []string{"README.md", "assets/docs/*/*.md", "assets/deploy/*.md", ".github/*.md"} {
		files, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no pages %s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			tuitest.Must(t, err)
			all[file] = string(text)
		}
	}
	return all
}

func TestEveryLinkOfAPageLeadsToAFile(t *testing.T) {
	link := regexp.MustCompile(`(?:\]\(|src(?:set)?=")([^)"]+)[)"]`)
	for file, text := range pages(t) {
		for _, found := range link.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(found[1], "https://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), found[1])); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

// Cron searches for programs only in /usr/bin and /bin.
func TestALineForCronHasThePathOfTheProgram(t *testing.T) {
	line := regexp.MustCompile("(?m)(?:`|^)[0-9*]+ [0-9*]+ \\* \\* \\* (\\S+)")
	lines := 0
	for file, text := range pages(t) {
		for _, found := range line.FindAllStringSubmatch(text, -1) {
			lines++
			if !filepath.IsAbs(found[1]) {
				t.Errorf("%s: cron does not find %q", file, found[1])
			}
		}
	}
	if lines == 0 {
		t.Error("no page has a line for cron")
	}
}

func TestEveryCommandOfAPageExists(t *testing.T) {
	t.Parallel()
	command := regexp.MustCompile("(?m)(?:`|^|run \\. )till((?: [a-z]+\\b)+)((?: --[a-z-]+)*)")
	printed := make(map[string]string) // Output of --help by command.
	help := func(words ...string) string {
		name := strings.Join(words, " ")
		if printed[name] == "" {
			desk := newDesk(t)
			desk.run(t.Context(), append([]string{"help"}, words...)...)
			printed[name] = desk.out.String()
		}
		return printed[name]
	}
	settings := help("flags")
	for file, text := range pages(t) {
		for _, found := range command.FindAllStringSubmatch(text, -1) {
			words := strings.Fields(found[1])
			said := help(words...)
			// For an unknown subcommand, --help prints the help of the group, with a list of commands.
			if !strings.Contains(said, "Usage:\n  till "+words[0]) || len(words) > 1 && strings.Contains(said, "\nCommands:") {
				t.Errorf("%s: till%s is not a command", file, found[1])
			}
			for flag := range strings.FieldsSeq(found[2]) {
				if !strings.Contains(said+settings, flag+" ") {
					t.Errorf("%s: till%s has no flag %s", file, found[1], flag)
				}
			}
		}
	}
	if len(printed) < 10 {
		t.Errorf("the pages name only %d commands", len(printed))
	}
}

// The demo's dashboard uses a port, so the page for the customer needs another one.
func TestTheGuideServesTheCustomersScreenBesideTheDemo(t *testing.T) {
	guide, err := os.ReadFile(guides + "operator.md")
	tuitest.Must(t, err)
	_, address, _ := strings.Cut(string(guide), "such as `--web ")
	address, _, _ = strings.Cut(address, "`")
	newDesk(t).says("", 0, "till display --web "+address, "display", "--help")
}
