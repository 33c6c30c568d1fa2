package fit

// Need is how many rows or columns a part needs.
type Need struct {
	Least int // The part cannot be drawn with less.
	Good  int // Enough for the whole part; ignored if it is not above Least.
	Most  int // Maximum; 0 for no limit.
	Grow  int // Relative share of the space that is left when every part has its Good; 0 for none.
}

// Share divides room among parts. First each gets its Least. Then one after the other gets its
// Good. The rest is divided by Grow. With more room, no part becomes smaller. whole is false if the
// room is too small for the Least of all parts.
func Share(room int, needs ...Need) (sizes []int, whole bool) {
	sizes = make([]int, len(needs))
	for i, need := range needs {
		sizes[i] = need.Least
		room -= need.Least
	}
	whole = room >= 0
	for i, need := range needs {
		more := max(0, min(need.Good-sizes[i], room))
		sizes[i] += more
		room -= more
	}
	grown := make([]int, len(needs))
	for ; room > 0; room-- {
		next := -1
		for i, need := range needs {
			grows := need.Grow > 0 && (need.Most == 0 || sizes[i] < need.Most)
			if grows && (next < 0 || grown[i]*needs[next].Grow < grown[next]*need.Grow) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		sizes[next]++
		grown[next]++
	}
	return sizes, whole
}
