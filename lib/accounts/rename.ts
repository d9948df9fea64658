import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { accounts } from '@/db/schema/accounts';
import { lockAccount } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import type { RenameAccountInput } from './contract';
import { getAccount, type ListedAccount } from './queries';
import { requireMember } from './require-member';

/**
 * Renames a team. Documents that were issued keep their text.
 * @throws AppError not_found, forbidden; conflict for a personal account and a stale `version`
 */
export async function renameAccount(
  actor: Actor,
  id: string,
  { name, version }: RenameAccountInput,
): Promise<ListedAccount> {
  await db().transaction(async (tx) => {
    await lockAccount(tx, id);
    const before = await requireMember(tx, actor, id, 'account:manage');
    if (before.kind === 'personal') {
      throw new AppError('conflict', 'A personal account has the name of its person. Change the name in your profile.');
    }
    requireVersion(before, version, `The account “${before.name}”`);
    if (before.name === name) return;
    await tx
      .update(accounts)
      .set({ name, version: before.version + 1 })
      .where(eq(accounts.id, id));
    await recordAudit(
      tx,
      { ...actor, accountName: name },
      {
        action: 'account.renamed',
        details: `The account “${before.name}” was renamed.`,
        entityType: 'account',
        entityId: id,
        before: { name: before.name },
        after: { name },
      },
    );
  });
  return getAccount(actor, id);
}
