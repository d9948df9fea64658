import { eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { accountContacts, accounts } from '@/db/schema/accounts';
import { AppError } from '@/lib/errors';

/** Locks an account, so that what counts its rows or its money runs one by one. */
export async function lockAccount(tx: Executor, accountId: string): Promise<void> {
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for('no key update');
}

/** Reads how an account is shown and reached. @throws AppError not_found */
export async function getAccountContact(tx: Executor, accountId: string) {
  const [contact] = await tx.select().from(accountContacts).where(eq(accountContacts.id, accountId));
  if (!contact) throw new AppError('not_found', 'This account does not exist.');
  return contact;
}
