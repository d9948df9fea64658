import { eq, inArray } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { type BillingIdentity, billingProfiles } from '@/db/schema/tax';
import { users } from '@/db/schema/users';
import type { BillingProfile } from './billing-contract';

/**
 * Reads whom the documents of a user are addressed to. Without a billing profile only name and email are given.
 * @returns null for an unknown user
 */
export const readBillingIdentity = async (userId: string, tx: Executor = db()): Promise<BillingIdentity | null> =>
  (await listBillingIdentities([userId], tx)).get(userId) ?? null;

/** Reads whom the documents of users are addressed to, by user; without unknown users. */
export async function listBillingIdentities(
  userIds: readonly string[],
  tx: Executor = db(),
): Promise<ReadonlyMap<string, BillingIdentity>> {
  const rows = await tx
    .select({ id: users.id, name: users.name, email: users.email, profile: billingProfiles })
    .from(users)
    .leftJoin(billingProfiles, eq(billingProfiles.userId, users.id))
    .where(inArray(users.id, [...userIds]));
  return new Map(
    rows.map((row) => {
      const { version: _, ...profile } = viewBillingProfile(row.profile ?? undefined);
      return [row.id, { ...profile, name: row.name, email: profile.email || row.email }];
    }),
  );
}

/** Reads the billing profile of a user as it was saved; empty before. */
export async function getBillingProfile(userId: string, tx: Executor = db()): Promise<BillingProfile> {
  const [row] = await tx.select().from(billingProfiles).where(eq(billingProfiles.userId, userId));
  return viewBillingProfile(row);
}

/** Returns what users see of a stored profile, or the empty one. */
export function viewBillingProfile(row?: typeof billingProfiles.$inferSelect): BillingProfile {
  const { company, street, postcode, city, region, country, vatId, reference, email } = row ?? emptyBillingTexts;
  return {
    ...{ company, street, postcode, city, region, country, vatId, reference, email },
    vatCheck: row?.vatCheck ?? null,
    version: row?.version ?? 0,
  };
}

/** The texts of a profile before it is saved. */
export const emptyBillingTexts = {
  ...{ company: '', street: '', postcode: '', city: '', region: '', country: '', vatId: '', reference: '', email: '' },
};
