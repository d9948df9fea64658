import { eq, inArray } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { accounts } from '@/db/schema/accounts';
import { type BillingIdentity, billingProfiles } from '@/db/schema/tax';
import type { BillingProfile } from './billing-contract';

/**
 * Reads whom the documents of an account are addressed to. Without a billing profile only name and email are given.
 * @returns null for an unknown account
 */
export const readBillingIdentity = async (accountId: string, tx: Executor = db()): Promise<BillingIdentity | null> =>
  (await listBillingIdentities([accountId], tx)).get(accountId) ?? null;

/** Reads whom the documents of accounts are addressed to, by account; without unknown ones. */
export async function listBillingIdentities(
  accountIds: readonly string[],
  tx: Executor = db(),
): Promise<ReadonlyMap<string, BillingIdentity>> {
  const rows = await tx
    .select({
      id: accounts.id,
      name: accounts.name,
      email: accounts.email,
      profile: billingProfiles,
    })
    .from(accounts)
    .leftJoin(billingProfiles, eq(billingProfiles.accountId, accounts.id))
    .where(inArray(accounts.id, [...accountIds]));
  return new Map(
    rows.map((row) => {
      const { version: _, ...profile } = viewBillingProfile(row.profile ?? undefined);
      return [row.id, { ...profile, name: row.name, email: profile.email || row.email }];
    }),
  );
}

/** Reads the billing profile of an account as it was saved; empty before. */
export async function getBillingProfile(accountId: string, tx: Executor = db()): Promise<BillingProfile> {
  const [row] = await tx.select().from(billingProfiles).where(eq(billingProfiles.accountId, accountId));
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
