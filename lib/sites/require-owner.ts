import { and, eq, isNull } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { users } from '../../db/schema/users';
import { AppError } from '../errors';

/**
 * A site belongs to somebody who exists.
 * @throws AppError invalid_input
 */
export async function requireOwner(tx: Executor, userId: string): Promise<void> {
  const [owner] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)));
  if (owner) return;
  throw new AppError('invalid_input', 'The owner does not exist.', { fields: { userId: 'Choose an owner.' } });
}
