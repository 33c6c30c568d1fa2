package gateway

// VisitWith visits an address like [Visit], but with a given client.
var VisitWith = visit
