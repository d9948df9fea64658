import { and, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { orderQuotes } from '@/db/schema/orders';
import type { Actor } from '@/lib/access/actor';
import { AppError, type ErrorCode } from '@/lib/errors';
import { formatMoney, walletCurrency } from '@/lib/money';
import { createOrder } from '@/lib/orders/create';
import type { OrderPlan } from '@/lib/orders/plan';
import type { OrderView } from '@/lib/orders/views';
import { parseInput } from '@/lib/platform/http/parse';
import { requireFlag } from '@/lib/settings/feature-flags';
import { getCredentialId } from './create';
import { createQuoteBody, quoteMinutes } from './schemas';
import { describeChanges, quoteSnapshot, takeSnapshot } from './snapshot';

/**
 * Places the order of a quote, exactly as it was quoted, and pays for it from the wallet. A repeat answers the same orders
 * and orders nothing, also after the quote expired; of two requests at once, one orders.
 * @param expectedTotalCents the total that the buyer agreed to, in USD cents
 * @throws AppError not_found for a quote of another user, token or session; conflict for another total, an expired quote,
 * and when a price, a rate, an item or a brief changed; and those of `createOrder`
 */
export async function placeQuote(
  actor: Actor,
  quoteId: string,
  expectedTotalCents: number,
): Promise<{ orders: OrderView[] }> {
  await requireFlag('mcp');
  const [quote] = await db()
    .select({
      request: orderQuotes.request,
      snapshot: orderQuotes.snapshot,
      totalCents: orderQuotes.totalCents,
      isExpired: sql<boolean>`${orderQuotes.expiresAt} <= now()`,
    })
    .from(orderQuotes)
    .where(
      and(
        eq(orderQuotes.id, quoteId),
        eq(orderQuotes.userId, actor.userId),
        eq(orderQuotes.credentialId, getCredentialId(actor)),
      ),
    );
  if (!quote) throw new AppError('not_found', `This quote does not exist, or belongs to another token. ${askAgain}`);
  if (quote.totalCents !== expectedTotalCents) {
    const totals = `The total of the quote is ${usd(quote.totalCents)}, not ${usd(expectedTotalCents)}.`;
    throw new AppError('conflict', `${totals} Nothing was ordered. Show the buyer the total of the quote.`);
  }
  const quoted = quoteSnapshot.parse(quote.snapshot);
  const requireSame = (plan: OrderPlan) => {
    if (quote.isExpired) throw new AppError('conflict', `The quote expired: it was valid for ${quoteMinutes} minutes.`);
    const changes = describeChanges(quoted, takeSnapshot(plan));
    if (changes.length > 0) throw new AppError('conflict', changes.join(' '));
  };
  try {
    return await createOrder(actor, parseInput(createQuoteBody, quote.request), `quote:${quoteId}`, requireSame);
  } catch (thrown) {
    throw thrown instanceof AppError && staleCodes.includes(thrown.code)
      ? new AppError(thrown.code, `${thrown.message} Nothing was ordered. ${askAgain}`, thrown.details)
      : thrown;
  }
}

/** The refusals after which the quote cannot be placed any more. */
const staleCodes: readonly ErrorCode[] = ['conflict', 'invalid_input', 'not_found', 'not_configured'];

const askAgain = 'Request a new quote and show it to the buyer.';

const usd = (cents: number) => formatMoney(cents, walletCurrency);
