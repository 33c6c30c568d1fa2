package cli_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

// The script .ci/notices writes the list of licenses. The list is out of date if its versions
// differ from those in go.mod.
func TestTheLicensesAreThoseOfTheLinkedModules(t *testing.T) {
	desk := newDesk(t)
	desk.says("", 0, "\nmodernc.org/sqlite v", "version", "--licenses")
	modules, err := os.ReadFile("../../go.mod")
	tuitest.Must(t, err)
	found := regexp.MustCompile(`(?m)^(\S+ v\S+)\n=+$`).FindAllStringSubmatch(desk.out.String(), -1)
	for _, module := range found {
		if !strings.Contains(string(modules), module[1]) {
			t.Errorf("go.mod does not have %s: run go generate ./assets", module[1])
		}
	}
	if len(found) < 40 {
		t.Errorf("only %d modules have a license", len(found))
	}
}
