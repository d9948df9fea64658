import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { billingProfiles, type VatCheck } from '@/db/schema/tax';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { computeChanges, recordAudit } from '@/lib/platform/audit/record';
import { createConflictError, requireVersion } from '@/lib/platform/optimistic-lock';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { askVies } from './ask-vies';
import type { BillingProfile, SaveBillingProfile } from './billing-contract';
import { emptyBillingTexts, getBillingProfile, viewBillingProfile } from './billing-profile';
import { readRequester } from './requester';
import { isInVies } from './vat-id';

const name = 'The billing profile';

/**
 * Saves what the documents of the actor are addressed to. VIES is asked before the save about a VAT id that is new or
 * that it has not answered about, so that an id never counts before its check; without an answer the state is
 * `unavailable`, and the job check-vat-ids asks again.
 * @throws AppError conflict for a stale `version`, and when the VAT id was changed during its check; rate_limited after
 * too many checks
 */
export async function saveBillingProfile(
  actor: Actor,
  { version, ...texts }: SaveBillingProfile,
): Promise<BillingProfile> {
  const before = await getBillingProfile(actor.userId);
  requireVersion(before, version, name);
  const isSameId = before.vatId === texts.vatId && before.country === texts.country;
  const isAnswered = isSameId && before.vatCheck !== null && before.vatCheck.state !== 'unavailable';
  const isAsked = texts.vatId !== '' && isInVies(texts.country) && !isAnswered;
  const asked = isAsked ? await check(actor, texts.vatId) : null;
  return db().transaction(async (tx) => {
    const { userId } = actor;
    // A concurrent first save waits here, and then finds the row of this one.
    await tx
      .insert(billingProfiles)
      .values({ userId, ...emptyBillingTexts, version: 0 })
      .onConflictDoNothing();
    const [row] = await tx.select().from(billingProfiles).where(eq(billingProfiles.userId, userId)).for('update');
    if (!row) throw new AppError('not_found', 'This account no longer exists.');
    requireVersion(row, version, name);
    // The check that is kept must be of the id that is saved.
    if (isAnswered && (row.vatId !== texts.vatId || row.country !== texts.country)) throw createConflictError(name);
    const vatCheck = isAnswered ? row.vatCheck : asked;
    const { fields } = computeChanges(row, texts);
    if (fields.length === 0 && vatCheck === row.vatCheck) return viewBillingProfile(row);
    const [saved] = await tx
      .update(billingProfiles)
      .set({ ...texts, vatCheck, version: row.version + 1 })
      .where(eq(billingProfiles.userId, userId))
      .returning();
    const result = vatCheck !== row.vatCheck && vatCheck ? ` VIES answered: ${vatCheck.state}.` : '';
    await recordAudit(tx, actor, {
      action: 'billing_profile.saved',
      // Without the values: the log outlives the account.
      details: `${actor.email} saved the billing details; changed: ${fields.join(', ') || 'nothing'}.${result}`,
      entityType: 'billing_profile',
      entityId: userId,
    });
    return viewBillingProfile(saved);
  });
}

async function check(actor: Actor, vatId: string): Promise<VatCheck> {
  await consumeLimit('vatIdCheck', { account: actor.userId, address: actor.ip });
  return askVies(vatId, await readRequester());
}
