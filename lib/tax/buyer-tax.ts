import { db, type Executor } from '@/db/client';
import type { AccountRole } from '@/db/enums';
import type { BillingIdentity, DocumentSeller } from '@/db/schema/tax';
import { hasAccountRight } from '@/lib/access/account-roles';
import { AppError } from '@/lib/errors';
import { getSettings, readSettings } from '@/lib/settings/settings';
import { readBillingIdentity } from './billing-profile';
import type { TaxDecision } from './contract';
import { billingPath, decideTax } from './decide';
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
export async function getBuyerTax(accountId: string, tx?: Executor): Promise<BuyerTax | null> {
  const rows = await readSettings(tx);
  const { value: taxSwitch } = parseTaxSwitch(rows);
  if (!taxSwitch.enabled) return null;
  const on = tx ?? db();
  const buyer = await readBillingIdentity(accountId, on);
  if (!buyer) throw new AppError('not_found', 'This account no longer exists.');
  const { value: operator } = parseOperator(rows);
  const { country: homeCountry } = taxSwitch;
  const day = new Date().toISOString().slice(0, 10);
  const decision = decideTax({ operator: { ...operator, country: homeCountry }, buyer, day });
  return { decision, buyer, seller: await identifyOperator(on, operator, taxSwitch), homeCountry };
}

/** The tax that a screen shows before an order; `problem` says why nothing can be ordered. */
export type ShownTax = Pick<TaxDecision, 'rate' | 'text' | 'country'> | { problem: string; url: string | null };

/** Returns the tax that screens show a buyer before an order; null while tax is off. */
export async function getShownTax(accountId: string, tx?: Executor): Promise<ShownTax | null> {
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

/**
 * Returns what `getShownTax` does, as a member of the account reads it. While tax is off, it needs no statement besides the
 * settings of the request.
 */
export async function getPageTax(accountId: string, role: AccountRole = 'owner'): Promise<ShownTax | null> {
  if (!parseTaxSwitch(await getSettings()).value.enabled) return null;
  const shown = await getShownTax(accountId);
  if (!shown || !('problem' in shown) || shown.url === null || hasAccountRight(role, 'account:billing')) return shown;
  return { problem: `${shown.problem} ${askForBilling}`, url: null };
}

/** What members read who may not change the billing details. */
const askForBilling = 'Ask an owner or Finance of the account to do it.';

/** Returns the error of `decideTax` as a member reads it: without the page of the billing details for who may not change them. */
export function describeTaxError(thrown: unknown, role: AccountRole): unknown {
  const isOfBilling = thrown instanceof AppError && thrown.details.url === billingPath;
  if (!isOfBilling || hasAccountRight(role, 'account:billing')) return thrown;
  const { url: _, ...details } = thrown.details;
  return new AppError(thrown.code, `${thrown.message} ${askForBilling}`, details);
}
