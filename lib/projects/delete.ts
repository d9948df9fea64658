import { and, eq, isNull, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { projects } from '../../db/schema/projects';
import type { Actor } from '../access/actor';
import { recordAudit } from '../platform/audit/record';
import { projectNotFound } from './queries';

/**
 * Takes a project out of its owner's list. Orders made for it keep their copy of its words.
 * @throws AppError not_found for one that is gone or another person's: the two look the same
 */
export async function deleteProject(actor: Actor, id: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [project] = await tx
      .update(projects)
      .set({ deletedAt: sql`now()` })
      .where(and(eq(projects.id, id), eq(projects.userId, actor.userId), isNull(projects.deletedAt)))
      .returning({ domain: projects.domain });
    if (!project) throw projectNotFound();
    await recordAudit(tx, actor, {
      action: 'project.deleted',
      details: `Project ${project.domain} was deleted.`,
      entityType: 'project',
      entityId: id,
    });
  });
}
