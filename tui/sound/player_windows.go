package sound

import (
	"context"
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

// newPlayer returns a player that calls PlaySoundW of winmm, which returns at the end of the tune.
// The player ignores ctx, because a tune takes less than two seconds.
func newPlayer(func(program string) (string, error)) player {
	play := windows.NewLazySystemDLL("winmm.dll").NewProc("PlaySoundW")
	return func(_ context.Context, file []byte) error {
		const noDefault, fromMemory = 0x2, 0x4
		if err := play.Find(); err != nil {
			return fmt.Errorf("find the player of winmm: %w", err)
		}
		if played, _, err := play.Call(uintptr(unsafe.Pointer(&file[0])), 0, noDefault|fromMemory); played == 0 {
			return fmt.Errorf("play by winmm: %w", err)
		}
		return nil
	}
}
