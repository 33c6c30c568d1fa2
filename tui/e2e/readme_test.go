package e2e_test

import (
	"debug/elf"
	"os"
	"runtime"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

// The README promises one file that needs nothing else. If a C compiler is installed, go build
// links to the system's C library unless the command prevents it. TestMain builds the program as the README
// says.
func TestTheBuildCommandOfTheReadmeMakesAStaticProgram(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	tuitest.Must(t, err)
	if command := "\nCGO_ENABLED=0 go build -o till .\n"; !strings.Contains(string(readme), command) {
		t.Errorf("the README does not have the line %q: build the program of these tests as it says", command)
	}
	if runtime.GOOS != "linux" {
		t.Skip("reads ELF headers")
	}
	file, err := elf.Open(binary)
	tuitest.Must(t, err)
	defer func() { _ = file.Close() }()
	for _, part := range file.Progs {
		if part.Type == elf.PT_INTERP {
			t.Error("the program needs a dynamic loader")
		}
	}
}
