import { and, count, desc, eq, inArray, isNull, like, type SQL, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { accountMembers } from '@/db/schema/accounts';
import { projectAnchorPlans } from '@/db/schema/anchor-plans';
import { carts } from '@/db/schema/carts';
import { clientReportMails } from '@/db/schema/client-reports';
import { orderRequests } from '@/db/schema/order-requests';
import { orders } from '@/db/schema/orders';
import { blockedDomains, projectAnchors, projectLinkedDomains, projectLinkSources } from '@/db/schema/project-domains';
import { projects } from '@/db/schema/projects';
import { marketplaceViews } from '@/db/schema/site-preferences';
import { isInScope, type ScopeOfQuery } from '@/lib/access/account-roles';
import type { AccountScope, Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { recordAudit } from '@/lib/platform/audit/record';
import type { Page } from '@/lib/platform/http/fields';
import type { CreateProjectInput, ListProjectsQuery, ProjectRow, UpdateProjectInput } from './contract';

const newestFirst = [desc(projects.createdAt), desc(projects.id)];
const ownedBy = (scope: ScopeOfQuery) =>
  and(isInScope(scope, { accountId: projects.accountId, projectId: projects.id }), isNull(projects.deletedAt));

/** Lists a page of the projects that the actor sees, newest first. */
export async function listProjects(
  actor: AccountScope,
  { limit, offset }: ListProjectsQuery,
): Promise<Page<ProjectRow>> {
  const [rows, counted] = await Promise.all([
    db()
      .select()
      .from(projects)
      .where(ownedBy(actor))
      .orderBy(...newestFirst)
      .limit(limit)
      .offset(offset),
    db().select({ total: count() }).from(projects).where(ownedBy(actor)),
  ]);
  return { rows, total: counted[0]?.total ?? 0 };
}

/**
 * Returns a project of the actor.
 * @throws AppError not_found, also for a project of another user
 */
export async function getProject(actor: AccountScope, id: string, executor: Executor = db()): Promise<ProjectRow> {
  const [row] = await executor
    .select()
    .from(projects)
    .where(and(eq(projects.id, id), ownedBy(actor)));
  if (!row) throw projectNotFoundError();
  return row;
}

function projectNotFoundError(): AppError {
  return new AppError('not_found', 'This project no longer exists.');
}

/** Lists the projects that an order can be placed for, up to the newest 1,000. */
export async function listProjectChoices(actor: AccountScope): Promise<ProjectChoiceRow[]> {
  return selectProjectChoices(db(), actor);
}

/** Lists those of some projects that the actor sees, newest first. */
export const listProjectsOf = (
  actor: AccountScope,
  ids: readonly string[],
): Promise<{ id: string; domain: string }[]> =>
  db()
    .select({ id: projects.id, domain: projects.domain })
    .from(projects)
    .where(and(ownedBy(actor), inArray(projects.id, [...ids])))
    .orderBy(...newestFirst);

/** A project that an order can be placed for, with what fills the brief of the order. */
export type ProjectChoiceRow = Pick<ProjectRow, 'id' | 'domain' | 'targetUrl'> & {
  /** Whether the account's last order, of the projects that the member sees, was for this project. */
  isLast: boolean;
  /** Whether the marketplace leaves out what links to the project already. */
  hidesLinked: boolean;
};

/** Builds the query of `listProjectChoices`, for use in another statement. */
export const selectProjectChoices = (on: Executor, scope: ScopeOfQuery) =>
  on
    .select({
      id: projects.id,
      domain: projects.domain,
      targetUrl: sql<string>`${projects.targetUrl}`.as('targetUrl'),
      isLast: sql<boolean>`coalesce(${projects.id} = (
        select ${orders.projectId} from ${orders} where ${isInScope(scope, orders)} and ${orders.deletedAt} is null
        order by ${orders.id} desc limit 1
      ), false)`.as('isLast'),
      hidesLinked: sql<boolean>`${projects.hidesLinked}`.as('hidesLinked'),
    })
    .from(projects)
    .where(ownedBy(scope))
    .orderBy(...newestFirst)
    .limit(1_000);

/** Creates a project of the actor. @throws AppError forbidden for a member who sees certain projects */
export async function createProject(actor: Actor, input: CreateProjectInput): Promise<ProjectRow> {
  if (actor.projectIds !== null)
    throw new AppError(
      'forbidden',
      `You see certain projects of ${actor.accountName}, so you cannot create another one. Ask a member who sees all of them.`,
    );
  return db().transaction(async (tx) => {
    const [project] = await tx
      .insert(projects)
      .values({ ...input, id: newId(), accountId: actor.accountId })
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

const fields = [
  ...(['domain', 'description', 'niche', 'postType', 'country', 'targetUrl', 'keywords', 'hidesLinked'] as const),
] as const;

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
    if (version !== undefined && version !== before.version) {
      throw new AppError(
        'conflict',
        `Project ${before.domain} was changed elsewhere in the meantime. Nothing was saved. Review the changes and try again.`,
      );
    }
    const changed = fields.filter((name) => input[name] !== undefined && before[name] !== input[name]);
    if (changed.length === 0) return before;
    const [project] = await tx
      .update(projects)
      .set({ ...input, version: before.version + 1 })
      .where(eq(projects.id, id))
      .returning();
    if (!project) throw new Error('The project was not updated.');
    if (changed.includes('hidesLinked')) {
      // The last view of the marketplace would override the setting for the members.
      const members = tx.select({ userId: accountMembers.userId }).from(accountMembers);
      await tx
        .update(marketplaceViews)
        .set({ query: sql`regexp_replace(${marketplaceViews.query}, '(^|&)hideLinked=[01]', '')` })
        .where(
          and(
            inArray(marketplaceViews.userId, members.where(eq(accountMembers.accountId, actor.accountId))),
            like(marketplaceViews.query, `%projectId=${id}%`),
          ),
        );
    }
    const valuesOf = (row: Omit<UpdateProjectInput, 'version'>) =>
      Object.fromEntries(changed.map((name) => [name, row[name]]));
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

/**
 * Deletes a project of the actor with its cart, block list, anchor plan, recipients of reports, and what was
 * imported about its links.
 * Orders of the project keep their copy of its data.
 * @throws AppError not_found, also for a project of another user
 */
export async function deleteProject(actor: Actor, id: string): Promise<void> {
  await db().transaction(async (tx) => {
    // The number of imported links is not limited.
    await extendStatementTimeout(tx);
    const [project] = await tx
      .update(projects)
      .set({ deletedAt: sql`now()` })
      .where(and(eq(projects.id, id), ownedBy(actor)))
      .returning({ domain: projects.domain });
    if (!project) throw projectNotFoundError();
    await Promise.all([
      // Before the cart: who declines a request locks them in this order.
      endRequests(tx, eq(orderRequests.projectId, id)),
      tx.delete(carts).where(eq(carts.projectId, id)),
      tx.delete(blockedDomains).where(eq(blockedDomains.projectId, id)),
      deleteLinkData(tx, eq(projects.id, id)),
      // The addresses that turned the mail off stay: they cannot be added to another project.
      tx.update(clientReportMails).set({ recipients: [], dueAt: null }).where(eq(clientReportMails.projectId, id)),
    ]);
    await recordAudit(tx, actor, {
      action: 'project.deleted',
      details: `Project ${project.domain} was deleted.`,
      entityType: 'project',
      entityId: id,
    });
  });
}

/** Keeps a project from being deleted until the transaction ends. @throws AppError not_found for one that was deleted meanwhile */
export async function keepProject(tx: Executor, id: string): Promise<void> {
  const found = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, id), isNull(projects.deletedAt)))
    .for('share');
  if (found.length === 0) throw projectNotFoundError();
}

/** Deletes the anchor plans of the projects with a condition, and what was imported about their links. */
export async function deleteLinkData(tx: Executor, of: SQL): Promise<void> {
  const ids = tx.select({ id: projects.id }).from(projects).where(of);
  for (const table of [projectAnchorPlans, projectAnchors, projectLinkedDomains, projectLinkSources]) {
    await tx.delete(table).where(inArray(table.projectId, ids));
  }
}

/** Ends the open requests with a condition: the job for the end of their time closes them, without a cart. */
export async function endRequests(tx: Executor, of: SQL): Promise<void> {
  const now = sql`now()`;
  await tx
    .update(orderRequests)
    .set({ expiresAt: now, linkRevokedAt: now, cartItems: null })
    .where(and(of, eq(orderRequests.state, 'open')));
}
