import { and, count, desc, eq, isNull, type Placeholder, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { projects } from '@/db/schema/projects';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import type { Page } from '@/lib/platform/http/fields';
import type { ListProjectsQuery } from './schemas';
import type { ProjectRow } from './views';

const newestFirst = [desc(projects.createdAt), desc(projects.id)];
const ownedBy = (userId: string | Placeholder) => and(eq(projects.userId, userId), isNull(projects.deletedAt));

/** Lists a page of a user's own projects, newest first. */
export async function listProjects(
  { userId }: Pick<Actor, 'userId'>,
  { limit, offset }: ListProjectsQuery,
): Promise<Page<ProjectRow>> {
  const [rows, counted] = await Promise.all([
    db()
      .select()
      .from(projects)
      .where(ownedBy(userId))
      .orderBy(...newestFirst)
      .limit(limit)
      .offset(offset),
    db().select({ total: count() }).from(projects).where(ownedBy(userId)),
  ]);
  return { rows, total: counted[0]?.total ?? 0 };
}

/**
 * Returns a project of the actor.
 * @throws AppError not_found, also for a project of another user
 */
export async function getProject(
  { userId }: Pick<Actor, 'userId'>,
  id: string,
  executor: Executor = db(),
): Promise<ProjectRow> {
  const [row] = await executor
    .select()
    .from(projects)
    .where(and(eq(projects.id, id), ownedBy(userId)));
  if (!row) throw projectNotFoundError();
  return row;
}

export function projectNotFoundError(): AppError {
  return new AppError('not_found', 'This project no longer exists.');
}

/** Lists the projects that an order can be placed for, up to the newest 1,000. */
export async function listProjectChoices({ userId }: Pick<Actor, 'userId'>): Promise<ProjectChoiceRow[]> {
  return selectProjectChoices(db(), userId);
}

/** A project that an order can be placed for, with what fills the brief of the order. */
export type ProjectChoiceRow = Pick<ProjectRow, 'id' | 'domain' | 'targetUrl'> & {
  /** The first keyword. */
  keyword: string;
  /** Whether the user's last order was for this project. */
  isLast: boolean;
};

/** Builds the query of `listProjectChoices`, for use in another statement. */
export const selectProjectChoices = (on: Executor, userId: string | Placeholder) =>
  on
    .select({
      id: projects.id,
      domain: projects.domain,
      targetUrl: sql<string>`${projects.targetUrl}`.as('targetUrl'),
      keyword: sql<string>`split_part(${projects.keywords}, ', ', 1)`.as('keyword'),
      isLast: sql<boolean>`coalesce(${projects.id} = (
        select ${orders.projectId} from ${orders} where ${orders.userId} = ${userId} and ${orders.deletedAt} is null
        order by ${orders.id} desc limit 1
      ), false)`.as('isLast'),
    })
    .from(projects)
    .where(ownedBy(userId))
    .orderBy(...newestFirst)
    .limit(1_000);
