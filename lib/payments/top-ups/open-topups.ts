import { and, eq, inArray } from 'drizzle-orm';
import { db } from '@/db/client';
import { topups } from '@/db/schema/topups';
import type { Actor } from '@/lib/access/actor';
import { env } from '@/lib/env';
import { canTopUpIn, getActiveModes } from '@/lib/payments/config/config';

/** What a buyer can do with a top-up that waits for its payment. */
export type OpenTopup = {
  id: string;
  /** The page where the buyer pays: of the provider, or a path of this app. Null when it would accept no payment. */
  continueHref: string | null;
};

/**
 * Lists those of a buyer's top-ups that wait for their payment. Their checkouts can be canceled. They can be continued
 * until they expire, in the provider's active mode. WeChat's link that opens its app cannot: it ends after five minutes,
 * and works only on the phone that started it.
 */
export async function listOpenTopups(actor: Actor, ids: readonly string[]): Promise<Map<string, OpenTopup>> {
  if (ids.length === 0) return new Map();
  const [rows, modes] = await Promise.all([
    db()
      .select()
      .from(topups)
      .where(and(inArray(topups.id, [...ids]), eq(topups.userId, actor.userId), eq(topups.status, 'pending'))),
    getActiveModes(),
  ]);
  const { APP_URL } = env();
  return new Map(
    rows.map(({ id, provider, mode, checkoutUrl, payCode, expiresAt }) => {
      const isPayable =
        expiresAt.getTime() > Date.now() &&
        modes.get(provider) === mode &&
        canTopUpIn(mode, actor) &&
        (provider !== 'wechat' || payCode !== null);
      const href = checkoutUrl?.startsWith(`${APP_URL}/`) ? checkoutUrl.slice(APP_URL.length) : checkoutUrl;
      return [id, { id, continueHref: isPayable ? href : null }];
    }),
  );
}
