import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '@/db/client';
import { sellerBillingProfiles } from '@/db/schema/seller-statements';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import type { billingProfileInput } from './contract';

export type BillingProfile = typeof sellerBillingProfiles.$inferSelect;

/** Returns the details of a seller who agreed to self-billing; null before. */
export async function getBillingProfile(sellerId: string): Promise<BillingProfile | null> {
  const [profile] = await db().select().from(sellerBillingProfiles).where(eq(sellerBillingProfiles.sellerId, sellerId));
  return profile ?? null;
}

/**
 * Saves the agreement of a seller to self-billing, or new details after it. Statements are issued from the month of the
 * agreement on; those that were issued keep their details.
 * @throws AppError conflict for a stale `version`
 */
export async function saveBillingProfile(
  actor: Actor,
  { agreed: _, version, ...details }: z.output<typeof billingProfileInput>,
): Promise<{ version: number }> {
  return db().transaction(async (tx) => {
    const now = new Date();
    const values = { ...details, sellerId: actor.userId, agreedAt: now, nextMonth: now.toISOString().slice(0, 7) };
    const [saved] =
      version === 0
        ? await tx.insert(sellerBillingProfiles).values(values).onConflictDoNothing().returning()
        : await tx
            .update(sellerBillingProfiles)
            .set({ ...details, version: sql`${sellerBillingProfiles.version} + 1`, updatedAt: now })
            .where(and(eq(sellerBillingProfiles.sellerId, actor.userId), eq(sellerBillingProfiles.version, version)))
            .returning();
    if (!saved) throw new AppError('conflict', 'Your details were changed in the meantime. Reload the page.');
    await recordAudit(tx, actor, {
      action: version === 0 ? 'self_billing.agreed' : 'self_billing.details_changed',
      details: version === 0 ? 'The seller agreed to self-billing.' : 'The details of self-billing were changed.',
      entityType: 'user',
      entityId: actor.userId,
      // The address and the tax number are personal data, which the statements keep.
      after: { legalName: details.legalName, country: details.country },
    });
    return { version: saved.version };
  });
}
