package cli_test

import (
	"path/filepath"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/storage/settings"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest/disk"
	"checkout/till/tui/cli"
	"checkout/till/tui/tuitest"
)

// The offset of the shop's clock changes, for example when the database server answers again.
func TestAChangedOffsetOfTheClockIsNoTimeThatHasPassed(t *testing.T) {
	app := &cli.App{Now: time.Now, Texts: i18n.Load("en")}
	var set settings.Settings
	set.Files.Database = filepath.Join(disk.Memory(t), "till.db")
	set.Counter.Till = "T1"
	shop, err := app.OpenShop(t.Context(), set, cli.Need{})
	tuitest.Must(t, err)
	defer func() { tuitest.Must(t, shop.Close()) }()
	file, is := shop.Store().(*sqlite.Store)
	if !is {
		t.Fatalf("got a %T", shop.Store())
	}
	now, elapsed := shop.Now(), shop.Service.Elapsed()
	tuitest.Must(t, file.SetAhead(t.Context(), time.Hour))
	if ahead, passed := shop.Now().Sub(now), shop.Service.Elapsed()-elapsed; ahead < time.Hour || passed > time.Minute {
		t.Errorf("the clock is %v ahead, and %v have passed", ahead, passed)
	}
}
