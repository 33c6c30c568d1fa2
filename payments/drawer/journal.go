package drawer

import (
	"context"

	"checkout/till/payments"
)

// Day is the takings of a period with the cash sales of all tills.
type Day struct {
	payments.Report
	Cash   payments.Sum // Cash sales of the period.
	Voided payments.Sum // Cash sales that were voided in the period.
	Sales  []CashSale   // Those made in the period, oldest first.
}

// Taken returns the money received in all tenders, minus refunds and voids, and the number of
// sales.
func (d Day) Taken() payments.Sum {
	return payments.Sum{
		Count:  d.Received.Count + d.Cash.Count - d.Voided.Count,
		Amount: d.Received.Amount + d.Cash.Amount - d.Voided.Amount,
	}
}

// Day returns the takings of a period. The hours and the sold articles include the cash sales
// that are not voided.
func (s *Service) Day(ctx context.Context, period payments.Period) (Day, error) {
	sales, err := s.CashSales(ctx, period)
	if err != nil {
		return Day{}, err
	}
	var day Day
	var takings []payments.Taking
	for _, sale := range sales {
		if period.Contains(sale.VoidedAt) {
			day.Voided = plus(day.Voided, sale.Amount)
		}
		if !period.Contains(sale.At) {
			continue
		}
		day.Sales = append(day.Sales, sale)
		day.Cash = plus(day.Cash, sale.Amount)
		if sale.Voided() {
			continue
		}
		taking := payments.Taking{At: sale.At, Amount: sale.Amount}
		if period.Sold {
			taking.Items = sale.Items
		}
		takings = append(takings, taking)
	}
	day.Report, err = s.Report(ctx, period, takings...)
	return day, err
}

// plus adds one sale to a sum. Nine million sales of the largest amount do not overflow.
func plus(sum payments.Sum, amount payments.Ariary) payments.Sum {
	return payments.Sum{Count: sum.Count + 1, Amount: sum.Amount + amount}
}
