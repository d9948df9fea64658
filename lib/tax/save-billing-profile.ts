import { and, eq, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { accounts } from '@/db/schema/accounts';
import { billingProfiles, type VatCheck } from '@/db/schema/tax';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { computeChanges, recordAudit } from '@/lib/platform/audit/record';
import { createConflictError, requireVersion } from '@/lib/platform/optimistic-lock';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { askVies, readRequester } from './ask-vies';
import type { BillingProfile, SaveBillingProfile } from './billing-contract';
import { emptyBillingTexts, getBillingProfile, viewBillingProfile } from './billing-profile';
import { isInVies } from './vat-id';

const name = 'The billing profile';

/**
 * Saves what the documents of the actor are addressed to. VIES is asked before the save about a VAT id that is new or
 * that it has not confirmed, so that an id never counts before its check. Without an answer the earlier one about the id
 * stays, or the state is `unavailable`, and the job check-vat-ids asks again.
 * @throws AppError conflict for a stale `version`, and when the VAT id was changed during its check; rate_limited after
 * too many checks of other VAT ids; not_found for an account that was deleted in the meantime
 */
export async function saveBillingProfile(
  actor: Actor,
  { version, ...texts }: SaveBillingProfile,
): Promise<BillingProfile> {
  const before = await getBillingProfile(actor.accountId);
  requireVersion(before, version, name);
  const isInRegister = texts.vatId !== '' && isInVies(texts.country);
  const asked = isInRegister ? await check(actor, before, texts) : null;
  return db().transaction(async (tx) => {
    const { accountId } = actor;
    // A deletion of the account waits here, and then forgets what is saved.
    const [account] = await tx
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.id, accountId), isNull(accounts.deletedAt)))
      .for('share');
    if (!account) throw new AppError('not_found', 'This account no longer exists.');
    // A concurrent first save waits here, and then finds the row of this one.
    await tx
      .insert(billingProfiles)
      .values({ accountId, ...emptyBillingTexts, version: 0 })
      .onConflictDoNothing();
    const [row] = await tx.select().from(billingProfiles).where(eq(billingProfiles.accountId, accountId)).for('update');
    if (!row) throw new Error('The billing profile was not inserted.');
    requireVersion(row, version, name);
    const isKept = isSameId(row, texts);
    // The check that is kept must be of the id that is saved.
    if (isInRegister && !asked && !isKept) throw createConflictError(name);
    const isSilent = !asked || (asked.state === 'unavailable' && isAnswered(row));
    const vatCheck = isKept && isSilent ? row.vatCheck : asked;
    const { fields } = computeChanges(row, texts);
    if (fields.length === 0 && vatCheck === row.vatCheck) return viewBillingProfile(row);
    const [saved] = await tx
      .update(billingProfiles)
      // An answer alone is not an edit: a form that is open elsewhere stays current.
      .set({ ...texts, vatCheck, version: row.version + (fields.length > 0 ? 1 : 0) })
      .where(eq(billingProfiles.accountId, accountId))
      .returning();
    const result = vatCheck !== row.vatCheck && vatCheck ? ` VIES answered: ${vatCheck.state}.` : '';
    await recordAudit(tx, actor, {
      action: 'billing_profile.saved',
      // Without the values: the log outlives the account.
      details: `${actor.email} saved the billing details; changed: ${fields.join(', ') || 'nothing'}.${result}`,
      entityType: 'billing_profile',
      entityId: accountId,
    });
    return viewBillingProfile(saved);
  });
}

type Checked = { vatId: string; country: string };

const isSameId = (before: Checked, after: Checked) => before.vatId === after.vatId && before.country === after.country;

const isAnswered = ({ vatCheck }: { vatCheck: VatCheck | null }) =>
  vatCheck !== null && vatCheck.state !== 'unavailable';

/** Asks VIES; null where the earlier answer stays: about a valid id, and beyond the limit of checks about the same id. */
async function check(actor: Actor, before: BillingProfile, { vatId, country }: Checked): Promise<VatCheck | null> {
  const isKept = before.vatCheck !== null && isSameId(before, { vatId, country });
  if (isKept && before.vatCheck?.state === 'valid') return null;
  try {
    await consumeLimit('vatIdCheck', { account: actor.accountId, address: actor.ip });
  } catch (thrown) {
    if (isKept && thrown instanceof AppError && thrown.code === 'rate_limited') return null;
    throw thrown;
  }
  return askVies(vatId, await readRequester());
}
