import { and, asc, desc, eq, getTableColumns, gt, inArray, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { readIdPage } from '@/db/read-id-page';
import { events } from '@/db/schema/events';
import { users } from '@/db/schema/users';
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '@/db/schema/webhook-endpoints';
import type { Actor } from '@/lib/access/actor';
import { grantedPermissions } from '@/lib/access/authorize';
import { isPermission, isSellerRole } from '@/lib/access/permissions';
import { AppError } from '@/lib/errors';
import { testEventType } from '@/lib/events/types';
import type { CursorPage } from '@/lib/id-cursor';
import type { DeliveryRow, deliveriesQuery, EndpointRow, eventsQuery } from './contract';
import { isPersonEntitled, listAllowedTypes, personOf, type Scope } from './rights';

/** The newest attempts of a delivery that its view contains. */
const shownAttempts = 10;

const endpointNotFoundError = () => new AppError('not_found', 'This webhook endpoint does not exist.');

/**
 * Builds the condition for the endpoints of a scope that the actor may see: those of the account, or those of the
 * installation whose events the actor may all see, because the log shows them.
 */
function isVisible(actor: Actor, scope: Scope): SQL | undefined {
  if (scope === 'own') {
    return and(
      seesAllProjects(actor),
      eq(webhookEndpoints.channel, 'webhook'),
      eq(webhookEndpoints.isInstallation, false),
      eq(webhookEndpoints.ownerId, actor.accountId),
    );
  }
  const allowed = listAllowedTypes(actor, scope);
  return and(webhookEndpoints.isInstallation, sql`${webhookEndpoints.events} <@ ${sql.param(allowed)}::text[]`);
}

const endpointColumns = {
  ...getTableColumns(webhookEndpoints),
  ownerEmail: users.email,
  owner: {
    role: users.role,
    isActive: isPersonEntitled,
    permissions: grantedPermissions,
  },
};

/** Events tell of all projects of the account, so a member who sees certain ones sees no events. */
const seesAllProjects = ({ projectIds }: Actor): SQL | undefined => (projectIds === null ? undefined : sql`false`);

/** Lists the endpoints of a scope, newest first. Their number is limited. */
export async function listEndpoints(actor: Actor, scope: Scope): Promise<EndpointRow[]> {
  const rows = await db()
    .select(endpointColumns)
    .from(webhookEndpoints)
    .innerJoin(users, eq(users.id, personOf))
    .where(isVisible(actor, scope))
    .orderBy(desc(webhookEndpoints.id));
  return rows.map(toEndpointRow);
}

/** Finds an endpoint of a scope. @throws AppError not_found, also for an endpoint of another user */
export async function getEndpoint(actor: Actor, scope: Scope, id: string, on: Executor = db()): Promise<EndpointRow> {
  const [row] = await on
    .select(endpointColumns)
    .from(webhookEndpoints)
    .innerJoin(users, eq(users.id, personOf))
    .where(and(eq(webhookEndpoints.id, id), isVisible(actor, scope)));
  if (!row) throw endpointNotFoundError();
  return toEndpointRow(row);
}

type SelectedEndpoint = Omit<EndpointRow, 'isOwnerEntitled'> & {
  owner: { role: string; isActive: boolean; permissions: string[] };
};

function toEndpointRow({ owner, ...row }: SelectedEndpoint): EndpointRow {
  const rights = { role: owner.role, permissions: owner.permissions.filter(isPermission) };
  const allowed: string[] = listAllowedTypes(rights, row.isInstallation ? 'installation' : 'own');
  return { ...row, isOwnerEntitled: owner.isActive && row.events.every((type) => allowed.includes(type)) };
}

/** Locks an endpoint of a scope. @throws AppError not_found */
export async function lockEndpoint(tx: Executor, actor: Actor, scope: Scope, id: string) {
  const [endpoint] = await tx
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, id), isVisible(actor, scope)))
    .for('no key update');
  if (!endpoint) throw endpointNotFoundError();
  return endpoint;
}

/** Builds the condition for the events of a scope that the actor may see. */
export function isVisibleEvent(actor: Actor, scope: Scope): SQL | undefined {
  const types = [...listAllowedTypes(actor, scope), testEventType];
  const owner =
    scope === 'installation'
      ? isNull(events.accountId)
      : and(eq(events.accountId, actor.accountId), seesAllProjects(actor));
  // A former seller no longer sees the events of that time, and a member none of the person's.
  const isSeller = isSellerRole(actor.role) && actor.accountId === actor.userId;
  const isBuyers = scope === 'own' && !isSeller ? ne(events.audience, 'seller') : undefined;
  return and(owner, isBuyers, inArray(events.type, types));
}

/** Lists the deliveries of an endpoint with their attempts, newest first. @throws AppError not_found for the endpoint */
export async function listDeliveries(
  actor: Actor,
  scope: Scope,
  endpointId: string,
  { state, ...page }: z.output<typeof deliveriesQuery>,
): Promise<CursorPage<DeliveryRow>> {
  await getEndpoint(actor, scope, endpointId);
  const found = await readIdPage(webhookDeliveries.id, page, ({ where, orderBy, limit, offset }) =>
    selectDeliveries(actor, scope, endpointId, and(where, state && eq(webhookDeliveries.state, state)))
      .orderBy(orderBy)
      .limit(limit)
      .offset(offset),
  );
  return { ...found, rows: await addLog(found.rows) };
}

/** Finds a delivery of an endpoint with its attempts. @throws AppError not_found */
export async function getDelivery(actor: Actor, scope: Scope, endpointId: string, id: string): Promise<DeliveryRow> {
  const rows = await addLog(await selectDeliveries(actor, scope, endpointId, eq(webhookDeliveries.id, id)));
  const [row] = rows;
  if (!row) throw new AppError('not_found', 'This delivery does not exist.');
  return row;
}

/**
 * Selects the deliveries of an endpoint. For the installation, deliveries of types that the endpoint had before are
 * left out, as its events are.
 */
const selectDeliveries = (actor: Actor, scope: Scope, endpointId: string, where: SQL | undefined) =>
  db()
    .select({ ...getTableColumns(webhookDeliveries), event: events })
    .from(webhookDeliveries)
    .innerJoin(events, eq(events.id, webhookDeliveries.eventId))
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(
      and(eq(webhookDeliveries.endpointId, endpointId), isVisible(actor, scope), isVisibleEvent(actor, scope), where),
    );

async function addLog(rows: Omit<DeliveryRow, 'log'>[]): Promise<DeliveryRow[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const attempts = await db()
    .select()
    .from(webhookAttempts)
    .where(inArray(webhookAttempts.deliveryId, ids))
    .orderBy(desc(webhookAttempts.id));
  return rows.map((row) => ({
    ...row,
    log: attempts.filter(({ deliveryId }) => deliveryId === row.id).slice(0, shownAttempts),
  }));
}

/**
 * Lists the events of a scope by time, oldest first, after the last one that the caller has read.
 * @throws AppError unprocessable for an `after` that does not exist any more, or not for this caller
 */
export async function listEvents(
  actor: Actor,
  scope: Scope,
  { after, type, limit }: z.output<typeof eventsQuery>,
): Promise<(typeof events.$inferSelect)[]> {
  const visible = isVisibleEvent(actor, scope);
  let position = 0;
  if (after !== undefined) {
    const [last] = await db()
      .select({ position: events.position })
      .from(events)
      .where(and(eq(events.id, after), visible));
    if (last?.position == null) {
      const message =
        'This event does not exist, or is older than 30 days. Leave `after` out to read from the beginning.';
      throw new AppError('unprocessable', message, { fields: { after: message } });
    }
    position = last.position;
  }
  return db()
    .select()
    .from(events)
    .where(and(visible, isNotNull(events.position), gt(events.position, position), type && eq(events.type, type)))
    .orderBy(asc(events.position))
    .limit(limit);
}

/** The number of events that the page of an endpoint shows. */
const newestEvents = 50;

/** Lists the newest events of a scope, newest first. */
export const listNewestEvents = (actor: Actor, scope: Scope) =>
  db()
    .select()
    .from(events)
    .where(and(isVisibleEvent(actor, scope), isNotNull(events.position)))
    .orderBy(desc(events.position))
    .limit(newestEvents);
