import { eq, inArray, isNull, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { selectDistinctValues } from '../../db/distinct-values';
import { orders } from '../../db/schema/orders';
import { users } from '../../db/schema/users';

export type Buyer = { id: string; name: string; email: string };

/** The maximum number of buyers in the filter. */
const maxBuyers = 500;

/** Lists up to 500 users who have ordered, by name, for the buyer filter. */
export async function listBuyers(): Promise<Buyer[]> {
  const buyers = selectDistinctValues(orders, orders.userId, isNull(orders.deletedAt), maxBuyers);
  return db()
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(inArray(users.id, sql`(${buyers})`))
    .orderBy(users.name, users.email);
}

/** Finds the buyer selected in the filter, also one without orders; null if the user does not exist. */
export async function findBuyer(id: string): Promise<Buyer | null> {
  const [buyer] = await db()
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(eq(users.id, id));
  return buyer ?? null;
}
