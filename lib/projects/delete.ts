import { and, eq, isNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { projects } from '@/db/schema/projects';
import type { Actor } from '@/lib/access/actor';
import { recordAudit } from '@/lib/platform/audit/record';
import { projectNotFoundError } from './queries';

/**
 * Deletes a project of the actor. Orders of the project keep their copy of its data.
 * @throws AppError not_found, also for a project of another user
 */
export async function deleteProject(actor: Actor, id: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [project] = await tx
      .update(projects)
      .set({ deletedAt: sql`now()` })
      .where(and(eq(projects.id, id), eq(projects.userId, actor.userId), isNull(projects.deletedAt)))
      .returning({ domain: projects.domain });
    if (!project) throw projectNotFoundError();
    await recordAudit(tx, actor, {
      action: 'project.deleted',
      details: `Project ${project.domain} was deleted.`,
      entityType: 'project',
      entityId: id,
    });
  });
}
