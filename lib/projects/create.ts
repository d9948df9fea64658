import { db } from '@/db/client';
import { projects } from '@/db/schema/projects';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { recordAudit } from '@/lib/platform/audit/record';
import type { CreateProjectInput } from './schemas';
import type { ProjectRow } from './views';

/** Creates a project of the actor. */
export async function createProject(actor: Actor, input: CreateProjectInput): Promise<ProjectRow> {
  return db().transaction(async (tx) => {
    const [project] = await tx
      .insert(projects)
      .values({ ...input, id: newId(), userId: actor.userId })
      .returning();
    if (!project) throw new Error('The project was not inserted.');
    await recordAudit(tx, actor, {
      action: 'project.created',
      details: `Project ${project.domain} was created.`,
      entityType: 'project',
      entityId: project.id,
      after: { ...input },
    });
    return project;
  });
}
