package receipt

// UntilTaken is untilTaken, for tests.
var UntilTaken = untilTaken
