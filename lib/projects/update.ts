import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { projects } from '@/db/schema/projects';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { getProject } from './queries';
import type { CreateProjectInput, UpdateProjectInput } from './schemas';
import type { ProjectRow } from './views';

const fields = ['domain', 'description', 'niche', 'postType', 'country', 'targetUrl', 'keywords'] as const;

/**
 * Changes a project of the actor. Orders of the project keep their copy of its data.
 * @throws AppError not_found, also for a project of another user; conflict for a stale `version`
 */
export async function updateProject(
  actor: Actor,
  id: string,
  { version, ...input }: UpdateProjectInput,
): Promise<ProjectRow> {
  return db().transaction(async (tx) => {
    await tx.select({ id: projects.id }).from(projects).where(eq(projects.id, id)).for('no key update');
    const before = await getProject(actor, id, tx);
    // Only the owner changes a project, so that another user is not the cause.
    if (version !== undefined && version !== before.version) {
      throw new AppError(
        'conflict',
        `Project ${before.domain} was changed elsewhere in the meantime. Nothing was saved. Review the changes and try again.`,
      );
    }
    const changed = fields.filter((name) => before[name] !== input[name]);
    if (changed.length === 0) return before;
    const [project] = await tx
      .update(projects)
      .set({ ...input, version: before.version + 1 })
      .where(eq(projects.id, id))
      .returning();
    if (!project) throw new Error('The project was not updated.');
    const valuesOf = (row: CreateProjectInput) => Object.fromEntries(changed.map((name) => [name, row[name]]));
    await recordAudit(tx, actor, {
      action: 'project.updated',
      details: `Project ${project.domain} was changed.`,
      entityType: 'project',
      entityId: id,
      before: valuesOf(before),
      after: valuesOf(input),
    });
    return project;
  });
}
