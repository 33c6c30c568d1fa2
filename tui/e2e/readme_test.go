package e2e_test

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

// The README promises one file that needs nothing else. If a C compiler is installed, go build
// links to the system's C library unless the command prevents it.
func TestTheBuildCommandOfTheReadmeMakesAStaticProgram(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("builds the program and reads its ELF headers")
	}
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	tuitest.Must(t, err)
	command := regexp.MustCompile(`(?m)^.*go build -o till .*$`).FindString(string(readme))
	program := filepath.Join(t.TempDir(), "till")
	build := exec.CommandContext(t.Context(), "sh", "-c", strings.Replace(command, "-o till", "-o "+program, 1))
	build.Dir = "../.."
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "CGO_ENABLED=") {
			build.Env = append(build.Env, variable)
		}
	}
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, said)
	}
	file, err := elf.Open(program)
	tuitest.Must(t, err)
	defer func() { _ = file.Close() }()
	for _, part := range file.Progs {
		if part.Type == elf.PT_INTERP {
			t.Error("the program needs a dynamic loader")
		}
	}
	if said, err := exec.CommandContext(t.Context(), program, "version").Output(); err != nil || !strings.HasPrefix(string(said), "till ") {
		t.Errorf("till version: %v\n%s", err, said)
	}
}
