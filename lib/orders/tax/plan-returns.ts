import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import type { Transfer } from '@/lib/ledger/post-transfer';
import { computeReturnedTaxCents } from '@/lib/tax/amounts';
import { assignRefunds } from '@/lib/tax/assign-refunds';

/** What a refund returns of a charge that has a row of tax: `country` is that of the charge's tax, empty for none. */
export type TaxReturn = {
  /** The keys of the net transfers of the refund and of the charge. */
  movementKey: string;
  chargeKey: string;
  /** USD cents. */
  netCents: number;
  taxCents: number;
  country: string;
};

const cents = z.coerce.number();
const movementRows = z.array(
  z.object({
    key: z.string(),
    kind: z.enum(['order', 'order_recharge', 'order_refund']),
    netCents: cents,
    /** Null for a charge without a row of tax, and for a refund. */
    taxCents: cents.nullable(),
    country: z.string().nullable(),
    returnedNetCents: cents,
    returnedTaxCents: cents,
  }),
);

/** Reads the movements of an order in their order, by one index; none for an order that was never charged with tax on. */
async function readMovements(tx: Executor, orderId: number) {
  const rows = await tx.execute(sql`
    select t.key, t.kind, t.amount_cents as "netCents", x.tax_cents as "taxCents", x.country,
      coalesce(r.net, 0) as "returnedNetCents", coalesce(r.tax, 0) as "returnedTaxCents"
    from ledger.transfers t
    left join order_taxes x on x.movement_key = t.key
    left join lateral (
      select sum(net_cents) as net, sum(tax_cents) as tax from order_tax_returns where charge_key = x.movement_key
    ) r on true
    where t.order_id = ${orderId} and t.kind in ('order', 'order_recharge', 'order_refund')
      and exists (select from order_taxes where order_id = ${orderId})
    order by t.position`);
  return movementRows.parse([...rows]);
}

/**
 * Plans what the refunds in a list of transfers return of the charges of their order, with the tax of each part: none for
 * an order that was charged while tax was off. The caller holds the lock of the order's row.
 * @param transfers those of one order; of them, refunds count that were not posted yet
 */
export async function planTaxReturns(tx: Executor, transfers: readonly Transfer[]): Promise<TaxReturn[]> {
  const refunds = transfers.filter(({ kind }) => kind === 'order_refund');
  const orderId = refunds[0]?.orderId;
  if (orderId === undefined) return [];
  const known = await readMovements(tx, orderId);
  const added = refunds.filter(({ key }) => !known.some((movement) => movement.key === key));
  const charges = new Map(
    known.flatMap(({ key, netCents, taxCents, country, returnedNetCents, returnedTaxCents }) => {
      const returned = { netCents: returnedNetCents, taxCents: returnedTaxCents };
      return taxCents === null ? [] : [[key, { netCents, taxCents, country: country ?? '', returned }]];
    }),
  );
  if (charges.size === 0) return [];
  const movements = [
    ...known.map(({ key, kind, netCents }) => ({
      kind: kind === 'order_refund' ? ('refund' as const) : ('charge' as const),
      ...{ key, netCents },
    })),
    ...added.map(({ key, amountCents }) => ({ kind: 'refund' as const, key, netCents: amountCents })),
  ];
  return assignRefunds(movements).flatMap(({ refundKey: movementKey, chargeKey, netCents }) => {
    const charge = charges.get(chargeKey);
    if (!charge || !added.some(({ key }) => key === movementKey)) return [];
    const taxCents = computeReturnedTaxCents(charge, charge.returned, netCents);
    charge.returned = { netCents: charge.returned.netCents + netCents, taxCents: charge.returned.taxCents + taxCents };
    return [{ movementKey, chargeKey, netCents, taxCents, country: charge.country }];
  });
}

/** Returns the tax that the refunds in a list of transfers return, in USD cents; as `planTaxReturns`. */
export const getReturnedTaxCents = async (tx: Executor, transfers: readonly Transfer[]): Promise<number> =>
  (await planTaxReturns(tx, transfers)).reduce((sum, { taxCents }) => sum + taxCents, 0);
