import { db, type Executor } from '@/db/client';
import type { BillingIdentity, DocumentSeller } from '@/db/schema/tax';
import { AppError } from '@/lib/errors';
import { getSettings, selectSettings } from '@/lib/settings/settings';
import { readBillingIdentity } from './billing-profile';
import type { TaxDecision } from './contract';
import { decideTax } from './decide';
import { identifyOperator } from './document-operator';
import { parseOperator, parseTaxSwitch } from './operator';

/** The tax of what a buyer orders today, and the parties of its document. */
export type BuyerTax = {
  decision: TaxDecision;
  buyer: BillingIdentity;
  seller: DocumentSeller;
  /** The country whose rules decided, as an ISO 3166-1 alpha-2 code. */
  homeCountry: string;
};

/**
 * Decides the tax of a buyer's orders today; null while tax is off.
 * @throws AppError as `decideTax`
 */
export async function getBuyerTax(accountId: string, tx: Executor = db()): Promise<BuyerTax | null> {
  const rows = await selectSettings(tx);
  const { value: taxSwitch } = parseTaxSwitch(rows);
  if (!taxSwitch.enabled) return null;
  const buyer = await readBillingIdentity(accountId, tx);
  if (!buyer) throw new AppError('not_found', 'This account no longer exists.');
  const { value: operator } = parseOperator(rows);
  const { country: homeCountry } = taxSwitch;
  const day = new Date().toISOString().slice(0, 10);
  const decision = decideTax({ operator: { ...operator, country: homeCountry }, buyer, day });
  return { decision, buyer, seller: await identifyOperator(tx, operator, taxSwitch), homeCountry };
}

/** The tax that a screen shows before an order; `problem` says why nothing can be ordered. */
export type ShownTax = Pick<TaxDecision, 'rate' | 'text' | 'country'> | { problem: string; url: string | null };

/** Returns the tax that screens show a buyer before an order; null while tax is off. */
export async function getShownTax(accountId: string, tx: Executor = db()): Promise<ShownTax | null> {
  try {
    const found = await getBuyerTax(accountId, tx);
    if (!found) return null;
    const { rate, text, country } = found.decision;
    return { rate, text, country };
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code === 'not_found') throw thrown;
    return { problem: thrown.message, url: thrown.details.url ?? null };
  }
}

/** Returns what `getShownTax` does. While tax is off, it needs no statement besides the settings of the request. */
export const getPageTax = async (accountId: string): Promise<ShownTax | null> =>
  parseTaxSwitch(await getSettings()).value.enabled ? getShownTax(accountId) : null;
