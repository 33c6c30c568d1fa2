package cli_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestDebtsFromTheCommandLine(t *testing.T) {
	t.Parallel()
	desk := newDesk(t)
	desk.tag()
	desk.env["TILL_TENDERS"] = "link,cash,card,account"
	desk.says("", 0, "No customer owes anything.", "account", "list")
	sell := []string{"cash", "sale", "--tender", "account", "--item", "Vary:3500:2"}
	desk.says("", 2, "a name is needed", sell...)
	desk.says("", 1, "no account has this name", append(sell, "--customer", "Rabe")...)
	desk.says("", 0, "ON ACCOUNT: 7 000 Ar. T1-GT-C-000001\nRabe owes 7 000 Ar", append(sell, "--customer", "Rabe", "--new", "--id", "a")...)
	desk.says("", 0, `"tender":"account"`, append(sell, "--customer", " RABE", "--id", "b", "--json")...)
	desk.says("", 0, `"customer":{"name":"Rabe","code":"`, append(sell, "--customer", " RABE", "--id", "b", "--json")...)
	desk.says("", 0, "Rabe", "account", "list")
	desk.says("", 0, `"owed":14000`, "account", "list", "--json")
	desk.says("", 1, "14 000 Ar owed, and 14 001 Ar to pay", "account", "pay", "Rabe", "14001")
	desk.says("", 0, "Rabe still owes 9 000 Ar", "account", "pay", "rabe", "5000", "--id", "c")
	desk.says("", 0, "Rabe still owes 9 000 Ar", "account", "pay", "rabe", "5000", "--id", "c")
	desk.says("", 0, "CARD: 1 000 Ar", "account", "pay", "Rabe", "1000", "--tender", "card")
	desk.says("", 1, "no account has this name", "account", "show", "Rasoa")
	desk.says("", 0, "paid, card", "account", "show", "Rabe")
	desk.says("", 0, `"kind":"paid"`, "account", "show", "Rabe", "--json")
	desk.says("", 2, "--reason", "account", "writeoff", "Rabe", "500")
	desk.says("", 0, "Rabe still owes 7 500 Ar", "account", "writeoff", "Rabe", "500", "moved", "away")
	desk.says("", 2, "Begin with an amount", "account", "writeoff", "Rabe", "50", "00", "moved")
	desk.says("", 1, "both names are of one account", "account", "rename", "Rabe", " RABE")
	desk.says("", 0, "Rabe Jean owes 7 500 Ar", "account", "rename", "Rabe", "Rabe Jean")
	desk.says("", 1, "nothing is owed on this account", "account", "rename", "Rabe", "Rabe Jean")
	desk.says("", 1, "the balance of this account is not zero", "account", "forget", "Rabe Jean")
	desk.says("", 0, "The name is forgotten. Its account is customer/", "account", "forget", "Rabe", "--id", "d")
	desk.says("", 0, "", "account", "forget", "Rabe", "--id", "d")
	desk.says("", 0, "Debts paid", "report")
	desk.says("", 0, `"debts_paid":{"count":2,"amount":6000},"written_off":{"count":1,"amount":500},"owed":{"count":1,"amount":7500}`, "report", "--json")
	desk.says("", 0, "money,owed,1,7500", "report", "--csv")
	desk.says("", 0, `"outcome":"account"}`, "export", "--json")
	desk.says("", 0, `"debt_paid":5000`, "export", "--json")
	desk.says("", 0, ",Payment of a debt,Cash,0,0,cash,5000", "export")
	desk.says("", 0, "Debts paid,Debts written off", "export", "--days")
	desk.says("", 0, ",6000,500", "export", "--days")
	desk.says("", 0, "recette, en tout", "report", "--lang", "fr") // The shop has not received money for what it sold on account.
	desk.says("", 0, "assets:customer:Rabe Jean", "export", "--hledger")
	desk.says("", 0, "ON ACCOUNT", "receipt", "T1-GT-C-000001")
	desk.says("", 0, "owes 14 000 Ar", "receipt", "T1-GT-C-000002")
	desk.says("", 0, "T1-GT-C-000002: 7 000 Ar given back", "refund", "T1-GT-C-000002", "7000", "broken", "--from", "account")
	desk.says("", 0, `"debts_paid":{"card":{"count":1,"amount":1000},"cash":{"count":1,"amount":5000}},"owed":{"count":1,"amount":1000}`, "close", "--yes", "--json")
	desk.says("", 0, "", "verify")
}

// The guides write amounts as 50 000, so an owner types them with blanks. "1 000 moved" once wrote
// off 1 Ar, for the reason "000 moved".
func TestAnAmountOnTheCommandLineMayHaveBlanks(t *testing.T) {
	t.Parallel()
	desk := newDesk(t)
	desk.env["TILL_TENDERS"] = "cash,account"
	desk.says("", 0, "Rabe owes 70 000 Ar", "cash", "sale", "--tender", "account", "--customer", "Rabe", "--new", "--item", "Vary:70000")
	desk.says("", 0, "Rabe still owes 60 000 Ar", "account", "writeoff", "Rabe", "10", "000", "moved", "away")
	desk.says("", 0, "moved away", "account", "show", "Rabe")
	desk.says("", 0, "Rabe still owes 40 000 Ar", "account", "pay", "Rabe", "20", "000")
	desk.says("", 0, "Float                               50 000", "cash", "float", "50", "000")
	desk.says("", 0, "Counted", "cash", "count", "70", "000")
	desk.env["TILL_LANGUAGE"] = "fr"
	desk.says("", 0, "Rabe doit encore 30 000 Ar", "account", "pay", "Rabe", "10", "000")
	desk.env["TILL_LANGUAGE"] = "en"
	desk.says("", 2, `AMOUNT will do: what is "00"?`, "cash", "count", "70", "00")
	desk.says("", 2, `NAME, AMOUNT will do: what is "now"?`, "account", "pay", "Rabe", "20", "now")
	desk.says("", 2, "too large", "cash", "in", "99999999999999999999", "change")
}

func TestADebtIsPaidByALinkFromTheCommandLine(t *testing.T) {
	desk := newDesk(t)
	desk.tag()
	desk.env["TILL_TENDERS"] = "cash,account"
	desk.service(http.StatusOK, sound, func() {})
	desk.says("", 0, "Rabe owes 7 000 Ar", "cash", "sale", "--tender", "account", "--customer", "Rabe", "--new", "--item", "Vary:3500:2")
	desk.says("", 1, "no account has this name", "order", "create", "--debt", "Rasoa", "--item", "Debt:5000")
	desk.says("", 1, "7 000 Ar owed, and 7 001 Ar to pay", "order", "create", "--debt", "Rabe", "--item", "Debt:7001")
	desk.says("", 0, "REF_700001", "order", "create", "--debt", "rabe", "--item", "Debt:5000")
	desk.says("", 0, "Rabe", "order", "show", "REF_700001")
	desk.says("", 1, "pays this debt, too, and may be paid until", "account", "pay", "Rabe", "2001")
	desk.says("", 0, "Rabe still owes 5 000 Ar", "account", "pay", "Rabe", "2000")
}

func TestASaleAboveTheLimitNeedsTheFlagBy(t *testing.T) {
	t.Parallel()
	desk := newDesk(t)
	desk.tag()
	desk.env["TILL_CREDIT_LIMIT"] = "10000"
	desk.env["TILL_TENDERS"] = "cash,account"
	sell := []string{"cash", "sale", "--tender", "account", "--customer", "Rabe", "--new", "--item", "Vary:3500:2"}
	desk.says("", 0, "Rabe owes 7 000 Ar", sell...)
	desk.says("", 1, "14 000 Ar would be owed, and the limit is 10 000 Ar: an owner sells it with till cash sale --by OWNER", sell...)
	desk.says("", 0, "Rabe owes 14 000 Ar", append(sell, "--by", "Hasina")...)
	desk.says("28170\n", 0, "Hasina", "cashier", "add", "Hasina")
	desk.says("28170\n47118\n", 0, "Soa", "cashier", "add", "Soa", "--by", "Hasina")
	desk.says("", 1, "21 000 Ar would be owed", sell...)
	desk.says("47118\n", 1, "21 000 Ar would be owed", append(sell, "--by", "Soa")...)
	desk.says("28171\n", 1, "The name or the PIN is wrong.", append(sell, "--by", "Hasina")...)
	desk.says("28170\n", 0, `"by":"Hasina"`, append(sell, "--by", "hasina", "--id", "a", "--json")...)
	desk.says("28170\n", 0, `"owed":21000`, append(sell, "--by", "hasina", "--id", "a", "--json")...)
}

func TestAVoidedSaleOnAccountGivesNoMoneyBack(t *testing.T) {
	desk := newDesk(t)
	desk.tag()
	sell := []string{"cash", "sale", "--tender", "account", "--item", "Vary:3500:2", "--new", "--customer"}
	desk.says("", 2, "this till does not offer account", append(sell, "Rabe")...)
	desk.env["TILL_TENDERS"] = "cash,account"
	desk.says("", 2, "The entry is too long", append(sell, strings.Repeat("Andria", 7))...)
	desk.says("", 0, "Rabe owes 7 000 Ar", append(sell, "Rabe")...)
	desk.says("", 0, "T1-GT-C-000001 is voided: 7 000 Ar is taken off the debt.", "cash", "void", "T1-GT-C-000001", "mistake")
	desk.says("", 0, "VOIDED  T1-GT-C-000001 mistake", "account", "show", "Rabe")
}
