import { type SQL, sql } from 'drizzle-orm';
import { accountMembers } from '@/db/schema/accounts';
import { events } from '@/db/schema/events';
import { users } from '@/db/schema/users';
import { webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { listRolesWith } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { grantedPermissions, hasPermission } from '@/lib/access/authorize';
import { isSellerRole } from '@/lib/access/permissions';
import { type EventType, eventTypes, isEventType, permissionOf, subscribableTypes, viewOf } from '@/lib/events/types';

/** Whose endpoints and events: the caller's own, or those of the installation. */
export type Scope = 'own' | 'installation';

/**
 * Lists the types of which a person may learn in a scope. For the installation, each type needs the permission that shows
 * the same facts in the admin area.
 */
export function listAllowedTypes(actor: Pick<Actor, 'role' | 'permissions'>, scope: Scope): EventType[] {
  return subscribableTypes.filter((type) => {
    if (scope === 'own') return viewOf(type, 'buyer') || (viewOf(type, 'seller') && isSellerRole(actor.role));
    const permission = permissionOf(type);
    return permission === null || hasPermission(actor, permission);
  });
}

const permissionByType = JSON.stringify(
  Object.fromEntries(
    Object.keys(eventTypes)
      .filter(isEventType)
      .map((type) => [type, permissionOf(type)]),
  ),
);

/** The id of the person whose rights decide what an endpoint receives. */
export const personOf = sql`coalesce(${webhookEndpoints.savedBy}, ${webhookEndpoints.ownerId})`;

/**
 * The condition that the person of an endpoint may still have it, in a query of `webhook_endpoints` and `users`. Events tell
 * of all projects of a team.
 */
export const isPersonEntitled: SQL<boolean> = sql<boolean>`(
  ${users.status} = 'Active' and ${users.deletedAt} is null and (${webhookEndpoints.savedBy} is null or exists (
    select from ${accountMembers} where ${accountMembers.accountId} = ${webhookEndpoints.ownerId}
      and ${accountMembers.userId} = ${users.id} and ${accountMembers.projectIds} is null
      and ${accountMembers.role} = any(${sql.param(listRolesWith('account:programs'))}::text[]))))`;

const isOfPerson = sql`${events.accountId} = ${users.id} and ${webhookEndpoints.ownerId} = ${users.id}`;

/**
 * The condition that an endpoint may receive an event, in a query of `events`, `webhook_endpoints` and `users`, its person.
 * What concerns a person as a seller or as staff is sent to the own endpoints only, and not to those of a team.
 * It is checked when deliveries are created and again at each of them: suspended and deleted persons, former sellers, former
 * members, and staff who lost a permission receive nothing.
 */
export const mayReceive: SQL<boolean> = sql<boolean>`(
  ${isPersonEntitled} and case ${events.audience}
    when 'installation' then ${webhookEndpoints.isInstallation} and (lower(${users.role}) = 'admin' or
      ${grantedPermissions} @> array_remove(
        array['AdminDashboard', 'ManageSettings', ${permissionByType}::jsonb ->> ${events.type}], null))
    when 'staff' then not ${webhookEndpoints.isInstallation} and ${isOfPerson} and (lower(${users.role}) = 'admin' or
      ${grantedPermissions} @> array['AdminDashboard', ${events.data} ->> 'permission'])
    when 'seller' then not ${webhookEndpoints.isInstallation} and ${isOfPerson}
      and lower(${users.role}) = 'seller'
    else not ${webhookEndpoints.isInstallation} and ${events.accountId} = ${webhookEndpoints.ownerId}
  end)`;
