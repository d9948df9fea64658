import { eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { insertRows } from '@/db/insert-rows';
import { orderTaxes, orderTaxReturns } from '@/db/schema/tax';
import { postTransfers, type Transfer, taxAccount, walletAccount } from '@/lib/ledger/post-transfer';
import type { BuyerTax } from '@/lib/tax/buyer-tax';
import { getTaxCents } from './get-tax-cents';
import { planTaxReturns, type TaxReturn } from './plan-returns';

/**
 * Posts the transfers of an order's money, each payment and refund followed by its tax, and records the tax. A payment
 * again after a reversed refund is taxed as the order was. While tax is off, this is `postTransfers`; with refunds, one
 * statement more.
 * @param transfers of one order under the lock of its row, or of new ones
 * @param tax what the payments of the buyer are taxed at; null while tax is off, and without a payment
 * @throws as `postTransfers`
 */
export async function postOrderTransfers(
  tx: Executor,
  transfers: readonly Transfer[],
  tax: BuyerTax | null = null,
): Promise<void> {
  const returns = await planTaxReturns(tx, transfers);
  const taxes: OrderTax[] = [];
  const posted: Transfer[] = [];
  for (const transfer of transfers) {
    posted.push(transfer);
    if (transfer.kind === 'order_refund') posted.push(...createReturns(transfer, returns));
    if (transfer.kind !== 'order' && transfer.kind !== 'order_recharge') continue;
    const row = createTax(transfer, transfer.kind === 'order' ? tax : await findOrderTax(tx, transfer));
    if (!row) continue;
    taxes.push(row);
    if (row.taxCents > 0) posted.push(createTaxTransfer(transfer, row));
  }
  // Statements of one Promise.all are sent together and executed in its order.
  await Promise.all([
    insertTaxes(tx, taxes),
    returns.length > 0 && tx.insert(orderTaxReturns).values(returns.map(({ country: _, ...row }) => row)),
    postTransfers(tx, posted),
  ]);
}

const insertTaxes = insertRows(orderTaxes, [
  ...(['movementKey', 'orderId', 'netCents', 'taxCents', 'rate', 'category', 'reason', 'text'] as const),
  ...(['country', 'buyer', 'seller', 'homeCountry'] as const),
]);

type OrderTax = typeof orderTaxes.$inferInsert;

/** Returns what the first payment of an order was taxed at, and for whom; null if tax was off. */
async function findOrderTax(tx: Executor, { orderId }: Transfer): Promise<BuyerTax | null> {
  const [row] = await tx
    .select()
    .from(orderTaxes)
    .where(eq(orderTaxes.movementKey, `order:${orderId}`));
  if (!row) return null;
  const { rate, category, reason, text, country, buyer, seller, homeCountry } = row;
  return { decision: { rate, category, reason, text, country }, buyer, seller, homeCountry };
}

/** Returns the tax that a payment after a reversed refund is posted with, in USD cents. */
export const getRechargedTaxCents = async (tx: Executor, recharge: Transfer): Promise<number> =>
  getTaxCents(recharge.amountCents, await findOrderTax(tx, recharge));

function createTax({ key, orderId, amountCents }: Transfer, tax: BuyerTax | null): OrderTax | null {
  if (!tax || orderId === undefined) return null;
  const { decision, ...parties } = tax;
  return {
    movementKey: key,
    orderId,
    netCents: amountCents,
    taxCents: getTaxCents(amountCents, tax),
    ...decision,
    ...parties,
  };
}

const createTaxTransfer = (
  charge: Transfer,
  { country, taxCents }: Pick<OrderTax, 'country' | 'taxCents'>,
): Transfer => ({
  ...charge,
  // `order:12` has `tax:12`.
  key: `tax:${charge.key.replace(/^order:/, '')}`,
  kind: 'tax',
  to: taxAccount(country),
  amountCents: taxCents,
  note: `Tax of order #${charge.orderId}`,
});

/** Creates the transfers of the tax that a refund returns, one for each country: a later one has it in its key. */
function createReturns(refund: Transfer, returns: readonly TaxReturn[]): Transfer[] {
  const byCountry = new Map<string, number>();
  for (const { movementKey, country, taxCents } of returns)
    if (movementKey === refund.key && taxCents > 0) byCountry.set(country, (byCountry.get(country) ?? 0) + taxCents);
  return [...byCountry].map(([country, amountCents], index) => ({
    ...refund,
    key: `tax:${refund.key}${index === 0 ? '' : `:${country}`}`,
    kind: 'tax_refund',
    from: taxAccount(country),
    to: walletAccount(refund.to.owner),
    amountCents,
    note: `Returned tax of order #${refund.orderId}`,
  }));
}
