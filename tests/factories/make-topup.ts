import { db } from '@/db/client';
import { topups } from '@/db/schema/topups';
import { newId } from '@/lib/ids';

/**
 * Creates the row of a top-up that no provider knows: by default a pending Stripe top-up of $100.00 that expires in an
 * hour. Amounts in USD are charged unchanged. @returns its id
 */
export async function makeTopup(
  { userId }: { userId: string },
  { id = newId(), amountCents = 10_000, ...values }: Partial<typeof topups.$inferInsert> = {},
): Promise<string> {
  await db()
    .insert(topups)
    .values({
      id,
      accountId: userId,
      provider: 'stripe',
      mode: 'test',
      amountCents,
      currency: 'USD',
      chargeAmountMinor: amountCents,
      chargeCurrency: 'USD',
      status: 'pending',
      expiresAt: new Date(Date.now() + 3_600_000),
      ...values,
    });
  return id;
}
