package cli_test

import (
	"net/http"
	"testing"
	"time"
)

func TestADayIsClosedFromTheCommandLine(t *testing.T) {
	desk := newDesk(t)
	desk.service(http.StatusOK, sound, func() {})
	desk.says("", 0, "REF_700001", "order", "create", "--item", "Vary:3500", "--reference", "A1")
	desk.says("", 0, "no day was closed", "close", "--list")
	desk.says("", 0, `[]`, "close", "--list", "--json")
	desk.says("", 2, "is no day", "close", "--date", "yesterday")
	desk.says("", 1, "the day has not begun", "close", "--date", "2026-11-29")
	desk.says("", 0, "unpaid, by Rado", "order", "resolve", "A1", "--unpaid", "--by", "Rado")
	day := desk.start.Local().Format(time.DateOnly)
	desk.says("", 0, day+" closed by Rado at till T1, ", "close", "--by", "Rado")
	desk.pass(time.Hour)
	desk.says("", 1, day+" was closed by Rado at till T1, ", "close", "--by", "Soa", "--till", "T2", "--date", day)
	desk.says("", 0, "marked_unpaid         1         3 500 Ar", "close", "--list")
	desk.says("", 0, `"by":"Rado"`, "close", "--list", "--json")
	desk.says("", 0, "paid, by Rado", "order", "resolve", "A1", "--paid", "--by", "Rado")
	desk.says("", 0, "since then marked_unpaid        -1", "report")
	desk.says("", 0, `"closings":[{"day":"`+day+`","till":"T1","by":"Rado",`, "report", "--json")
	at := desk.start.UTC().Format(time.RFC3339)
	desk.says("", 0, "closing,marked_unpaid,1,3500,"+day+",T1,Rado,"+at+"\r\n", "report", "--csv")
	desk.says("", 0, "since,marked_unpaid,-1,-3500,"+day+",T1,Rado,"+at+"\r\n", "report", "--csv")
	desk.says("47118\n", 0, "Hasina is a new owner", "cashier", "add", "Hasina")
	before := desk.start.AddDate(0, 0, -1).Local().Format(time.DateOnly)
	desk.says("", 2, "say with --by who you are", "close", "--date", before)
	desk.says("47118\n", 0, before+" closed by Hasina at till T1, ", "close", "--date", before, "--by", "hasina")
}
