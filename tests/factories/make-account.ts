import type { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { hashPassword } from '@/lib/auth/password';
import { makeUser } from './make-user';

/** The password of every account created here. */
export const testPassword = 'correct horse battery';

let hash: Promise<string> | undefined;

/** Creates a user who can sign in. `role` may be one that the test created. */
export async function makeAccount(values: Partial<typeof users.$inferInsert> = {}): Promise<Actor> {
  hash ??= hashPassword(testPassword);
  return makeUser('User', { passwordHash: await hash, ...values });
}
