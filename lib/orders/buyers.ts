import { eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { selectDistinctValues } from '@/db/distinct-values';
import { orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import { users } from '@/db/schema/users';

export type Buyer = { id: string; name: string; email: string };

/** The maximum number of users in a filter. */
const maxUsers = 500;

/** Lists up to 500 users who have ordered, by name, for the buyer filter. */
export async function listBuyers(): Promise<Buyer[]> {
  return listUsers(selectDistinctValues(orders, orders.userId, isNull(orders.deletedAt), maxUsers));
}

/** Lists up to 500 sellers of placements, by name, for the filter of who fulfills orders. */
export async function listFulfillers(): Promise<Buyer[]> {
  return listUsers(selectDistinctValues(placements, placements.sellerId, sql`true`, maxUsers));
}

const listUsers = (ids: SQL): Promise<Buyer[]> =>
  db()
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(inArray(users.id, sql`(${ids})`))
    .orderBy(users.name, users.email);

/** Finds the buyer or seller selected in a filter, also one without orders; null if the user does not exist. */
export async function findBuyer(id: string): Promise<Buyer | null> {
  const [buyer] = await db()
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(eq(users.id, id));
  return buyer ?? null;
}
