import { db } from '@/db/client';
import { sellerBillingProfiles } from '@/db/schema/seller-statements';
import type { users } from '@/db/schema/users';
import { issueSellerStatements } from '@/lib/earnings/self-billing/issue';
import { getMoneyMonths } from '@/lib/earnings/statement';

/**
 * Lets a seller agree to self-billing in the first month with earnings, and issues the statements of the months that are
 * over, each on the first day of the next month. Call it after the history has its dates.
 */
export async function seedSelfBilling(seller: typeof users.$inferSelect, now: Date): Promise<void> {
  const first = (await getMoneyMonths(seller.id)).at(-1)?.month;
  if (!first) return;
  const start = new Date(`${first}-01T02:00:00Z`);
  const agreed = await db()
    .insert(sellerBillingProfiles)
    .values({
      sellerId: seller.id,
      ...{ legalName: 'Noor Haddad', address: '12 Harbor Road\n1011 AB Amsterdam', taxId: 'NL000099998B57' },
      ...{ country: 'NL', agreedAt: start, nextMonth: first, createdAt: start, updatedAt: start },
    })
    .onConflictDoNothing()
    .returning({ sellerId: sellerBillingProfiles.sellerId });
  if (agreed.length === 0) return;
  for (let month = 1; ; month += 1) {
    const issuedAt = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + month, 1, 2));
    if (issuedAt > now) return;
    await issueSellerStatements(issuedAt);
  }
}
