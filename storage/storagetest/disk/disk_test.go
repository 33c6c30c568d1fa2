package disk_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"checkout/till/storage/storagetest/disk"
)

// A file can stay open for a moment in a child process that was being started.
func TestThePowerReturnsWhenTheLastFileIsClosed(t *testing.T) {
	drive := disk.New(t, 16<<20)
	file, err := os.Create(filepath.Join(drive.Folder, "file"))
	if err != nil {
		t.Fatal(err)
	}
	drive.Cut()
	closing := time.AfterFunc(50*time.Millisecond, func() { _ = file.Close() })
	defer closing.Stop()
	drive.Return()
}
