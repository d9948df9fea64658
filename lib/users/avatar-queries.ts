import { eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { userAvatars } from '../../db/schema/user-avatars';
import { AppError } from '../errors';

/** The hash of somebody's picture; null for none. */
export async function findAvatarHash(userId: string): Promise<string | null> {
  const [found] = await db().select({ hash: userAvatars.hash }).from(userAvatars).where(eq(userAvatars.userId, userId));
  return found?.hash ?? null;
}

/** @throws AppError not_found */
export async function getAvatar(userId: string): Promise<{ image: Buffer; hash: string }> {
  const [found] = await db()
    .select({ image: userAvatars.image, hash: userAvatars.hash })
    .from(userAvatars)
    .where(eq(userAvatars.userId, userId));
  if (!found) throw new AppError('not_found', 'You have no picture.');
  return found;
}
