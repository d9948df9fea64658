import { eq, inArray } from 'drizzle-orm';
import { db } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';

/**
 * Reads the names of the members who ordered, by the numbers of orders that the actor sees. None in a personal account,
 * where it is always the same person.
 */
export async function listOrderers(
  { accountName }: Pick<Actor, 'accountName'>,
  orderIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (accountName === '' || orderIds.length === 0) return new Map();
  const rows = await db()
    .select({ id: orders.id, name: users.name, email: users.email })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.orderedBy))
    .where(inArray(orders.id, [...orderIds]));
  return new Map(rows.map(({ id, name, email }) => [id, name || email]));
}
