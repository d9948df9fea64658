import { eq } from 'drizzle-orm';
import type { Executor } from '../../../db/client';
import { users } from '../../../db/schema/users';

/** One change of a person's preferences at a time: so a limit is kept, and a site is never favourite and hidden at once. */
export async function lockPerson(tx: Executor, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}
