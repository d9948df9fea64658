import { db } from '@/db/client';
import { topups } from '@/db/schema/topups';
import { newId } from '@/lib/ids';

/**
 * A top-up as the database keeps it, without a provider that knows it: $100.00 by Stripe that waits for its payment,
 * and for the next hour, unless told otherwise. Other amounts in USD are charged as they are. @returns its id
 */
export async function makeTopup(
  { userId }: { userId: string },
  { id = newId(), amountCents = 10_000, ...values }: Partial<typeof topups.$inferInsert> = {},
): Promise<string> {
  await db()
    .insert(topups)
    .values({
      id,
      userId,
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
