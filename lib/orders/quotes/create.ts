import { sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { orderQuotes } from '@/db/schema/orders';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { toDecimalString } from '@/lib/money';
import { getMissingCents } from '@/lib/orders/missing-amount';
import { planOrder, readOrderContext } from '@/lib/orders/plan';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { requireFlag } from '@/lib/settings/feature-flags';
import { type CreateQuoteInput, type QuoteView, quoteMinutes } from './schemas';
import { type QuoteSnapshot, takeSnapshot } from './snapshot';

/**
 * Prices an order without placing it. The quote can be placed for ten minutes, by the same API token or session, and once
 * (place.ts). A balance that is too low is no error here: the quote tells what is missing.
 * @throws AppError not_configured while the MCP server is turned off, which is the only user of quotes; rate_limited; and
 * those of `createOrder`, except insufficient_funds
 */
export async function createQuote(actor: Actor, input: CreateQuoteInput): Promise<QuoteView> {
  await requireFlag('mcp');
  await consumeLimit('quote', { account: actor.userId, address: actor.ip });
  const plan = planOrder(await readOrderContext(actor, input), actor, input);
  const snapshot = takeSnapshot(plan);
  const { totalCents, project } = plan;
  const [row] = await db()
    .insert(orderQuotes)
    .values({
      id: newId(),
      userId: actor.userId,
      credentialId: getCredentialId(actor),
      request: input,
      snapshot,
      totalCents,
      expiresAt: sql`now() + make_interval(mins => ${quoteMinutes})`,
    })
    .returning({ id: orderQuotes.id, expiresAt: orderQuotes.expiresAt });
  if (!row) throw new Error('The quote was not inserted.');
  const balanceCents = plan.balanceCents ?? 0;
  const missingCents = totalCents > balanceCents ? getMissingCents(totalCents, balanceCents) : 0;
  return {
    id: row.id,
    expiresAt: row.expiresAt.toISOString(),
    projectId: project.id,
    projectDomain: project.domain,
    items: snapshot.items.map(itemView),
    totalCents,
    balanceCents,
    missingCents,
    topUpPath: missingCents === 0 ? null : `/user/wallet?topup=${toDecimalString(missingCents)}`,
  };
}

/** Returns the id of the API token or session of a request. */
export const getCredentialId = ({ token, sessionId }: Pick<Actor, 'token' | 'sessionId'>): string =>
  token?.id ?? sessionId;

function itemView({
  priceCents,
  usdMicrosPerUnit,
  ...item
}: QuoteSnapshot['items'][number]): QuoteView['items'][number] {
  return { ...item, price: priceCents / 100, usdPerUnit: usdMicrosPerUnit / 1_000_000 };
}
