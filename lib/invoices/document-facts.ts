import { asc, inArray } from 'drizzle-orm';
import { type AccountingTax, invoices, type TaxLine } from '@/db/schema/invoices';
import { type BillingIdentity, orderTaxes, orderTaxReturns } from '@/db/schema/tax';
import type { Transaction } from '@/db/transaction';
import { findAccountingRate, toAccountingTax } from '@/lib/tax/accounting-tax';
import { computeReturnedTaxCents } from '@/lib/tax/amounts';
import { assignRefunds } from '@/lib/tax/assign-refunds';
import { listBillingIdentities } from '@/lib/tax/billing-profile';
import { getUntaxedText, readDocumentOperator } from '@/lib/tax/document-operator';
import { type InvoiceRow, toMovement } from './lines';

/** The parties and the tax of a document. */
export type DocumentFacts = Pick<InvoiceRow, 'seller' | 'buyer' | 'taxCents' | 'taxes' | 'accountingTax'>;

type Moved = { key: string; accountId: string; amountCents: number; movedAt: Date };

/** Reads what documents of a batch need, and builds their parties and tax. */
export async function readDocumentFacts(
  tx: Transaction,
  batch: { keys: readonly string[]; accountIds: readonly string[]; refundedOrders: readonly number[] },
) {
  const { identity, operator } = await readDocumentOperator(tx);
  const [buyers, charges, returns, issued] = await Promise.all([
    listBillingIdentities(batch.accountIds, tx),
    selectIn(batch.keys, (keys) => tx.select().from(orderTaxes).where(inArray(orderTaxes.movementKey, keys))),
    selectReturns(tx, batch.refundedOrders),
    selectIn(batch.refundedOrders, (ids) =>
      tx.select().from(invoices).where(inArray(invoices.orderId, ids)).orderBy(asc(invoices.id)),
    ),
  ]);
  const chargeByKey = new Map(charges.map((row) => [row.movementKey, row]));
  const returnByKeys = new Map(returns.map((row) => [`${row.movementKey} ${row.chargeKey}`, row]));
  const rates = new Map<string, ReturnType<typeof findAccountingRate>>();
  const convert = async (taxCents: number, country: string, movedAt: Date): Promise<AccountingTax | null> => {
    if (taxCents === 0) return null;
    const day = movedAt.toISOString().slice(0, 10);
    const key = `${country} ${day}`;
    const rate = rates.get(key) ?? findAccountingRate(country, day, tx);
    rates.set(key, rate);
    return toAccountingTax(await rate, taxCents);
  };

  const getBuyer = (accountId: string): BillingIdentity => {
    const buyer = buyers.get(accountId);
    if (!buyer) throw new Error(`The account ${accountId} of a movement does not exist.`);
    return buyer;
  };
  return {
    identity,
    getBuyer,
    issued,
    /** Builds an invoice's facts: the tax of its charge, and the parties for whom it was decided. */
    async ofCharge({ key, accountId, amountCents, movedAt }: Moved): Promise<DocumentFacts> {
      const charge = chargeByKey.get(key);
      if (!charge) return { seller: identity, buyer: getBuyer(accountId), ...untaxed(amountCents) };
      const { rate, category, reason, text, country, netCents, taxCents, buyer, seller, homeCountry } = charge;
      return {
        ...{ seller, buyer, taxCents },
        taxes: [{ rate, category, reason, text, country, netCents, taxCents }],
        accountingTax: await convert(taxCents, homeCountry, movedAt),
      };
    },
    /**
     * Builds a credit note's facts from the invoices that it corrects.
     * @param rows the earlier documents of the order, in the order of the movements
     */
    async ofRefund({ key, accountId, amountCents }: Moved, rows: readonly InvoiceRow[]): Promise<DocumentFacts> {
      const refund = { kind: 'refund' as const, key, netCents: amountCents };
      const assigned = assignRefunds([...rows.map(toMovement), refund]);
      const taxOf = (refundKey: string, chargeKey: string) =>
        returnByKeys.get(`${refundKey} ${chargeKey}`)?.taxCents ?? 0;
      const parts = assigned.flatMap(({ chargeKey, refundKey, netCents }) => {
        const invoice = rows.find(({ movementKey }) => movementKey === chargeKey);
        if (refundKey !== key || !invoice) return [];
        const earlier = assigned.filter((one) => one.chargeKey === chargeKey && one.refundKey !== key);
        const returnedCents = earlier.reduce((sum, one) => sum + taxOf(one.refundKey, chargeKey), 0);
        return [{ invoice, netCents, taxCents: taxOf(key, chargeKey), returnedCents }];
      });
      const [first] = parts;
      if (!first) return { seller: identity, buyer: getBuyer(accountId), ...untaxed(amountCents) };
      const { seller, buyer } = first.invoice;
      const taxes = mergeLines(
        parts.flatMap(({ invoice, netCents, taxCents }) =>
          invoice.taxes.map((line) => ({ ...line, netCents, taxCents })),
        ),
      );
      const taxCents = taxes.reduce((sum, line) => sum + line.taxCents, 0);
      return { seller, buyer, taxCents, taxes, accountingTax: returnAccountingTax(parts) };
    },
  };

  function untaxed(netCents: number) {
    const words = { rate: 0, category: 'E' as const, reason: '', text: getUntaxedText(operator), country: '' };
    return { taxCents: 0, taxes: [{ ...words, netCents, taxCents: 0 }], accountingTax: null };
  }
}

/** Reads the parts of refunds of orders, also those of earlier refunds. */
async function selectReturns(tx: Transaction, orderIds: readonly number[]) {
  return selectIn(orderIds, (ids) =>
    tx
      .select()
      .from(orderTaxReturns)
      .where(
        inArray(
          orderTaxReturns.chargeKey,
          tx.select({ key: orderTaxes.movementKey }).from(orderTaxes).where(inArray(orderTaxes.orderId, ids)),
        ),
      ),
  );
}

const selectIn = async <Value, Row>(values: readonly Value[], read: (values: Value[]) => PromiseLike<Row[]>) =>
  values.length === 0 ? [] : read([...values]);

/** Adds up lines of the same rate, category and words. */
function mergeLines(lines: readonly TaxLine[]): TaxLine[] {
  const merged = new Map<string, TaxLine>();
  for (const line of lines) {
    const { rate, category, reason, text, country } = line;
    const key = JSON.stringify([rate, category, reason, text, country]);
    const { netCents = 0, taxCents = 0 } = merged.get(key) ?? {};
    merged.set(key, { ...line, netCents: netCents + line.netCents, taxCents: taxCents + line.taxCents });
  }
  return [...merged.values()];
}

type Part = { invoice: InvoiceRow; taxCents: number; returnedCents: number };

/**
 * Returns the tax of a credit note in the currency of its invoices, at their rates: the refund of the rest returns the
 * rest. Null if their currencies differ, or one had none.
 */
function returnAccountingTax(parts: readonly Part[]): AccountingTax | null {
  const taxed = parts.filter(({ taxCents }) => taxCents > 0);
  const first = taxed[0]?.invoice.accountingTax;
  if (!first) return null;
  let taxMinor = 0;
  for (const { invoice, taxCents, returnedCents } of taxed) {
    if (invoice.accountingTax?.currency !== first.currency) return null;
    const charge = { netCents: invoice.taxCents, taxCents: invoice.accountingTax.taxMinor };
    const returnedMinor = computeReturnedTaxCents(charge, { netCents: 0, taxCents: 0 }, returnedCents);
    taxMinor += computeReturnedTaxCents(charge, { netCents: returnedCents, taxCents: returnedMinor }, taxCents);
  }
  return { ...first, taxMinor };
}
