package main

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"testing"
)

func TestWhatProcessesUseIsAdded(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	child := exec.Command("cat") // It waits for its input.
	input, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if found := children(os.Getpid()); !slices.Contains(found, child.Process.Pid) {
		t.Errorf("%v lacks %d", found, child.Process.Pid)
	}
	for range 1 << 28 { // Some ticks of the clock.
		continue
	}
	once, _ := usage(os.Getpid())
	twice, _ := usage(os.Getpid(), child.Process.Pid, os.Getpid())
	if once == 0 || twice < 2*once {
		t.Errorf("once %v, twice %v", once, twice)
	}
	_ = input.Close()
	if err := child.Wait(); err != nil {
		t.Fatal(err)
	}
	if cpu, written := usage(child.Process.Pid); cpu != 0 || written != 0 {
		t.Errorf("what has ended used %v and %v bytes", cpu, written)
	}
}
