import { and, desc, eq, isNull } from 'drizzle-orm';
import { db } from '../../db/client';
import { projects } from '../../db/schema/projects';
import type { Actor } from '../auth/actor';
import type { ProjectRow } from './views';

/** A person's own projects, newest first. */
export async function listProjects({ userId }: Pick<Actor, 'userId'>): Promise<ProjectRow[]> {
  return db()
    .select()
    .from(projects)
    .where(and(eq(projects.userId, userId), isNull(projects.deletedAt)))
    .orderBy(desc(projects.createdAt), desc(projects.id));
}
