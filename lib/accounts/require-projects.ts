import { and, inArray, isNull } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { projects } from '@/db/schema/projects';
import { isInScope } from '@/lib/access/account-roles';
import type { AccountScope } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';

/** Requires that the projects of a membership are projects that the one who gives it sees. @throws AppError unprocessable */
export async function requireProjects(tx: Executor, giver: AccountScope, ids: readonly string[] | null): Promise<void> {
  if (ids === null || ids.length === 0) return;
  const found = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(
      and(
        isInScope(giver, { accountId: projects.accountId, projectId: projects.id }),
        inArray(projects.id, [...ids]),
        isNull(projects.deletedAt),
      ),
    );
  if (found.length === ids.length) return;
  const message = 'Choose projects of this account that you see.';
  throw new AppError('unprocessable', message, { fields: { projectIds: message } });
}
