import { eq } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { type BillingIdentity, billingProfiles } from '@/db/schema/tax';
import { users } from '@/db/schema/users';

/**
 * Reads whom the documents of a user are addressed to. Without a billing profile only name and email are given.
 * @returns null for an unknown user
 */
export async function readBillingIdentity(userId: string, tx: Executor = db()): Promise<BillingIdentity | null> {
  const [row] = await tx
    .select({ name: users.name, email: users.email, profile: billingProfiles })
    .from(users)
    .leftJoin(billingProfiles, eq(billingProfiles.userId, users.id))
    .where(eq(users.id, userId));
  if (!row) return null;
  const { name, profile } = row;
  const { company, street, postcode, city, region, country, vatId, reference } = profile ?? emptyProfile;
  return {
    ...{ name, company, street, postcode, city, region, country, vatId, reference },
    email: profile?.email || row.email,
    vatCheck: profile?.vatCheck ?? null,
  };
}

const emptyProfile = {
  ...{ company: '', street: '', postcode: '', city: '', region: '', country: '', vatId: '', reference: '' },
};
