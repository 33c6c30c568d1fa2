package settings

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"unsafe"

	"golang.org/x/sys/windows"
)

// checkRights returns an error for a file if its access list gives a right to anyone except the
// trusted accounts.
func checkRights(file *os.File, path string, _ fs.FileMode) error {
	about, err := windows.GetSecurityInfo(windows.Handle(file.Fd()), windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return fmt.Errorf("read the access list of %s: %w", show(path), err)
	}
	list, _, err := about.DACL()
	if err != nil {
		return fmt.Errorf("read the access list of %s: %w", show(path), err)
	}
	trusted, err := trustedSIDs()
	if err != nil {
		return err
	}
	exposed := list == nil // Without an access list, everyone may do everything.
	for i := 0; list != nil && i < int(list.AceCount); i++ {
		var entry *windows.ACCESS_ALLOWED_ACE
		if err := windows.GetAce(list, uint32(i), &entry); err != nil {
			return fmt.Errorf("read the access list of %s: %w", show(path), err)
		}
		who := (*windows.SID)(unsafe.Pointer(&entry.SidStart))
		exposed = exposed || entry.Header.AceType == windows.ACCESS_ALLOWED_ACE_TYPE && !slices.ContainsFunc(trusted, who.Equals)
	}
	if exposed {
		return &RightsError{show(path), fmt.Sprintf(`icacls "%s" /inheritance:r /grant:r "%%USERNAME%%:F"`, show(path))}
	}
	return nil
}

// trustedSIDs returns the SIDs of the accounts that may read a secret: the user, the system, the
// administrators, and the file's owner.
func trustedSIDs() ([]*windows.SID, error) {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, fmt.Errorf("learn which user this is: %w", err)
	}
	trusted := []*windows.SID{user.User.Sid}
	for _, known := range []windows.WELL_KNOWN_SID_TYPE{
		windows.WinLocalSystemSid, windows.WinBuiltinAdministratorsSid, windows.WinCreatorOwnerSid, windows.WinCreatorOwnerRightsSid,
	} {
		sid, err := windows.CreateWellKnownSid(known)
		if err != nil {
			return nil, fmt.Errorf("make a well-known SID: %w", err)
		}
		trusted = append(trusted, sid)
	}
	return trusted, nil
}
