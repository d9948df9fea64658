import { sql } from 'drizzle-orm';
import { cache } from 'react';
import { prepared } from '../../db/prepared';
import { type BellPerson, readerOf, unreadCount } from '../bell/queries';
import { selectBalance } from '../wallet/balance';

/**
 * What the frame of the customer area shows of a person, in one round trip: what their wallet holds, in USD cents, and
 * how much of their bell they have not read. A page reads it once, for its frame and for itself (React `cache`).
 */
export const readBuyerFrame = cache(async (person: BellPerson): Promise<{ balanceCents: number; unread: number }> => {
  const [row] = await statement().execute({ ...readerOf(person) });
  return { balanceCents: row?.balanceCents ?? 0, unread: row?.unread ?? 0 };
});

const asked = { userId: sql.placeholder('userId'), audience: sql.placeholder('audience') };

const statement = prepared((on) =>
  on
    .select({
      balanceCents: sql<number | null>`${selectBalance(on, asked.userId)}`.mapWith(Number),
      unread: unreadCount(asked),
    })
    .from(sql`(values (1)) as once`)
    .prepare('buyer_frame'),
);
