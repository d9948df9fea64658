import { isDeepStrictEqual } from 'node:util';
import { sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { takeEcbRates } from '@/lib/approvals/take-ecb-rates';
import { AppError } from '@/lib/errors';
import { queueAdminNotice } from '@/lib/mail/security-notices';
import { computeChanges, recordAudit } from '@/lib/platform/audit/record';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { findReferenceRate } from '@/lib/settings/reference-rates';
import { saveSetting } from '@/lib/settings/settings';
import type { BankAccount, Operator } from './contract';
import { listMissing } from './missing';
import { needsReferenceRates, operatorKey, readOperator, taxKey } from './operator';
import type { SaveOperator, SaveTax } from './operator-contract';

const today = () => new Date().toISOString().slice(0, 10);

/**
 * Saves what an admin changed of the operator. A change of the bank accounts is mailed to all admins: buyers transfer money
 * to them.
 * @throws AppError conflict for a stale `version`; invalid_input for a small business without its text; billing_incomplete
 * when tax is on and its country would lack something
 */
export async function saveOperator(actor: Actor, { version, ...edit }: SaveOperator): Promise<void> {
  await db().transaction(async (tx) => {
    await lockOperator(tx);
    const { operator: before, tax, ...stored } = await readOperator(tx);
    requireVersion(stored, version, 'The identity');
    const after: Operator = { ...before, ...edit };
    if (after.isSmallBusiness && after.smallBusinessText === '') {
      const message = 'Enter the words that documents of a small business must have.';
      throw new AppError('invalid_input', message, { fields: { smallBusinessText: message } });
    }
    if (tax.enabled) requireComplete(after, tax.country, 'Tax is on and needs it. Complete it, or turn tax off first.');
    await saveSetting(tx, actor, { key: operatorKey, value: after, version: stored.version, name: 'The identity' });
    const changes = computeChanges(toFacts(before), toFacts(after));
    // Not the masked texts, which two accounts can share.
    const isPaidElsewhere = !isDeepStrictEqual(before.bankAccounts, after.bankAccounts);
    await recordAudit(tx, actor, {
      action: 'operator.saved',
      details: `Tax and identity was saved; changed: ${changes.fields.join(', ') || 'nothing'}.`,
      entityType: 'setting',
      entityId: operatorKey,
      before: changes.before,
      after: changes.after,
    });
    if (!isPaidElsewhere) return;
    const details = `The bank accounts that buyers transfer money to were changed from ${describeAccounts(before.bankAccounts)} to ${describeAccounts(after.bankAccounts)}.`;
    await recordAudit(tx, actor, {
      action: 'operator.bank_accounts_changed',
      details,
      entityType: 'setting',
      entityId: operatorKey,
    });
    await queueAdminNotice(tx, actor, { subject: 'Your bank accounts were changed', text: details });
  });
}

/**
 * Turns tax on or off, or changes the country whose rules apply. With tax on prices are net, and buyers pay tax by their
 * country. Orders keep the tax that they were charged with.
 * @throws AppError conflict for a stale `version`; billing_incomplete with `fields` when something is missing
 */
export async function saveTax(actor: Actor, { enabled, version, ...chosen }: SaveTax): Promise<void> {
  await db().transaction(async (tx) => {
    await lockOperator(tx);
    const { operator, tax: before, taxVersion } = await readOperator(tx);
    requireVersion({ version: taxVersion }, version, 'The switch of tax');
    const after = { enabled, country: chosen.country ?? before.country };
    if (enabled) requireComplete(operator, after.country, 'Complete tax and identity before you turn tax on.');
    await saveSetting(tx, actor, { key: taxKey, value: after, version: taxVersion, name: 'The switch of tax' });
    await recordAudit(tx, actor, {
      action: 'tax.set',
      details: enabled
        ? `Tax is on by the rules of ${after.country}: prices are net.`
        : 'Tax is off: prices are what buyers pay.',
      entityType: 'setting',
      entityId: taxKey,
      ...{ before, after },
    });
  });
}

/** Reads the rates of the European Central Bank at once when documents begin to need them, instead of at the next run. */
export async function ensureReferenceRates(): Promise<void> {
  if ((await needsReferenceRates()) && !(await findReferenceRate('EUR', today()))) await takeEcbRates(true);
}

/** Takes a lock until the commit: what tax needs must not be removed while tax is turned on. */
async function lockOperator(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('operator'))`);
}

function requireComplete(operator: Operator, country: string, message: string): void {
  const fields = listMissing(operator, country, today());
  const missing = Object.values(fields);
  if (missing.length === 0) return;
  throw new AppError('billing_incomplete', `${message} ${missing.join(' ')}`, {
    fields,
    url: '/dashboard/features/tax',
  });
}

/** Returns the operator as the audit log stores it: texts, with bank accounts masked. */
const toFacts = ({ vatIds, contact, served, rates, bankAccounts, ...rest }: Operator) => ({
  ...rest,
  vatIds: vatIds.map(({ country, number }) => `${country} ${number}`).join(', '),
  contact: [contact.name, contact.phone, contact.email].filter(Boolean).join(', '),
  served: `domestic: ${served.domestic}, EU businesses: ${served.euBusinesses}, EU persons: ${served.euPersons}, outside the EU: ${served.outsideEu}`,
  rates: rates.map(({ country, from, rate }) => `${country} ${rate / 100}% from ${from}`).join(', '),
  bankAccounts: describeAccounts(bankAccounts),
});

const describeAccounts = (accounts: readonly BankAccount[]) => accounts.map(describeAccount).join(' and ') || 'none';

/** Describes an account by the start and the end of its number. */
function describeAccount(account: BankAccount): string {
  const { currency, holder, iban, bic, accountNumber, routingNumber, bankName } = account;
  const number = iban || accountNumber;
  const masked = number.length < 12 ? `•••• ${number.slice(-2)}` : `${number.slice(0, 4)} •••• ${number.slice(-4)}`;
  return [`${currency} ${holder}`, masked, bic, routingNumber, bankName].filter(Boolean).join(', ');
}
