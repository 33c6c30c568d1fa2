package fit

// Need is how much room a part needs, in rows or in columns.
type Need struct {
	Least int // The part cannot be drawn in less room.
	Good  int // The part needs so much to be drawn completely; ignored if it is not above Least.
	Most  int // More is of no use to a part that grows; 0 means that there is no limit.
	Grow  int // Share of the room that is left when each part has its Good.
}

// Share divides room among parts. Each part gets at least its Least; then one part after the other gets
// its Good; then the parts grow. With more room no part becomes smaller. whole is false if the room is too
// small for the parts: then try the next form.
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
