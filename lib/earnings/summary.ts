import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { isReservedForSeller } from '@/db/schema/placements';
import { walletCurrency } from '@/lib/money';

const cents = z.coerce.number().pipe(z.int());

const summaryRow = z.object({
  reservedCents: cents,
  ripeningCents: cents,
  availableCents: cents,
  inTransitCents: cents,
  paidCents: cents,
  feesCents: cents,
});

/** The response of GET /api/seller/earnings. Amounts in USD cents. */
export const earningsResponse = z
  .object({
    reservedCents: z.int().describe('Shares of placements whose delivery is not approved yet.'),
    ripeningCents: z.int().describe('Earned with approved placements, and not payable yet.'),
    availableCents: z.int().describe('Can be paid out.'),
    inTransitCents: z.int().describe('Payouts that were requested and are not paid yet.'),
    paidCents: z.int().describe('Payouts that were paid, including their fees, without those that were returned.'),
    feesCents: z.int().describe('The fees of the paid payouts, which are a part of `paidCents`.'),
    currency: z.string(),
  })
  .meta({ title: 'Earnings' });
export type EarningsSummary = z.output<typeof earningsResponse>;

/**
 * Returns where the money of a seller is. The placements that are not approved are read along their index, the balances
 * are stored, and a seller has at most one open payout: what it reads does not grow with the number of placements.
 */
export async function getEarningsSummary(sellerId: string): Promise<EarningsSummary> {
  const balanceOf = (kind: 'seller_pending' | 'seller_payable') => sql`coalesce((
    select balance_cents from ledger.accounts
    where kind = ${kind} and owner = ${sellerId} and currency = ${walletCurrency}), 0)`;
  const [row] = await db().execute(sql`
    select (select coalesce(sum(seller_cents), 0) from placements
        where seller_id = ${sellerId} and ${isReservedForSeller}) as "reservedCents",
      ${balanceOf('seller_pending')} as "ripeningCents", ${balanceOf('seller_payable')} as "availableCents",
      p.in_transit as "inTransitCents", p.paid as "paidCents", p.fees as "feesCents"
    from (
      select coalesce(sum(amount_cents) filter (where state in ('requested', 'approved', 'sent')), 0) as in_transit,
        coalesce(sum(amount_cents) filter (where state = 'paid'), 0) as paid,
        coalesce(sum(fee_cents) filter (where state = 'paid'), 0) as fees
      from payouts where seller_id = ${sellerId}
    ) as p`);
  return { ...summaryRow.parse(row), currency: walletCurrency };
}
