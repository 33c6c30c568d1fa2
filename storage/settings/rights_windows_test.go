package settings_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/windows"

	"checkout/till/storage/settings"
)

func TestAnAccessListThatLetsOthersReadIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	must(t, os.WriteFile(path, []byte("shop = \"Tantely\"\n"), 0o600))
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	must(t, err)
	everyone, err := windows.CreateWellKnownSid(windows.WinWorldSid)
	must(t, err)
	load := func() error {
		_, err := settings.Load(settings.Sources{Path: path, Env: func(string) string { return "" }})
		return err
	}
	allow(t, path, user.User.Sid)
	if err := load(); err != nil {
		t.Errorf("only the user can read it: got error %v", err)
	}
	allow(t, path, user.User.Sid, everyone)
	if err := load(); err == nil || !strings.Contains(err.Error(), "icacls") {
		t.Errorf("everyone can read it: got error %v", err)
	}
}

// allow gives only these identities full access to a file.
func allow(t *testing.T, path string, sids ...*windows.SID) {
	t.Helper()
	var entries []windows.EXPLICIT_ACCESS
	for _, sid := range sids {
		entries = append(entries, windows.EXPLICIT_ACCESS{
			AccessPermissions: windows.GENERIC_ALL, AccessMode: windows.GRANT_ACCESS,
			Trustee: windows.TRUSTEE{TrusteeForm: windows.TRUSTEE_IS_SID, TrusteeValue: windows.TrusteeValueFromSID(sid)},
		})
	}
	list, err := windows.ACLFromEntries(entries, nil)
	if err == nil {
		err = windows.SetNamedSecurityInfo(path, windows.SE_FILE_OBJECT,
			windows.DACL_SECURITY_INFORMATION|windows.PROTECTED_DACL_SECURITY_INFORMATION, nil, nil, list, nil)
	}
	must(t, err)
}
