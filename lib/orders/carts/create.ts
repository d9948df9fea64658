import { and, eq, isNull } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '@/db/client';
import { carts } from '@/db/schema/carts';
import { projects } from '@/db/schema/projects';
import { isInScope } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { requireNotViewing } from '@/lib/access/authorize';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { cutText } from '@/lib/platform/cut-text';
import type { createCartBody } from './contract';

/**
 * Creates the actor's cart of a project, or the one without a project, unless there is one: its name then stays.
 * @throws AppError not_found for a project of another user
 */
export async function createCart(
  actor: Actor,
  { projectId = null, name }: z.output<typeof createCartBody>,
): Promise<{ id: string; isNew: boolean }> {
  requireNotViewing(actor);
  const { accountId } = actor;
  return db().transaction(async (tx) => {
    // Locked, so that the project is not deleted meanwhile, which deletes its cart.
    const [project] = projectId
      ? await tx
          .select({ domain: projects.domain })
          .from(projects)
          .where(
            and(
              eq(projects.id, projectId),
              isInScope(actor, { accountId: projects.accountId, projectId: projects.id }),
              isNull(projects.deletedAt),
            ),
          )
          .for('share')
      : [actor.projectIds === null ? { domain: 'My cart' } : undefined];
    if (!project) {
      throw new AppError(
        'not_found',
        projectId ? 'This project no longer exists. Select another one.' : 'Select a project.',
      );
    }
    const [created] = await tx
      .insert(carts)
      .values({ id: newId(), accountId, projectId, name: name ?? cutText(project.domain, 100) })
      .onConflictDoNothing()
      .returning({ id: carts.id });
    if (created) return { id: created.id, isNew: true };
    const [existing] = await tx
      .select({ id: carts.id })
      .from(carts)
      .where(and(eq(carts.accountId, accountId), projectId ? eq(carts.projectId, projectId) : isNull(carts.projectId)));
    if (!existing) throw new AppError('conflict', 'The cart was deleted in the meantime. Try again.');
    return { id: existing.id, isNew: false };
  });
}
