import { type SQL, sql } from 'drizzle-orm';
import { events } from '@/db/schema/events';
import { users } from '@/db/schema/users';
import { webhookEndpoints } from '@/db/schema/webhook-endpoints';
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

/**
 * The condition that an endpoint may receive an event, in a query of `events`, `webhook_endpoints` and `users`, its owner.
 * It is checked when deliveries are created and again at each of them: suspended and deleted persons, former sellers, and
 * staff who lost a permission receive nothing.
 */
export const mayReceive: SQL<boolean> = sql<boolean>`(
  ${users.status} = 'Active' and ${users.deletedAt} is null and case ${events.audience}
    when 'installation' then ${webhookEndpoints.isInstallation} and (lower(${users.role}) = 'admin' or
      ${grantedPermissions} @> array_remove(
        array['AdminDashboard', 'ManageSettings', ${permissionByType}::jsonb ->> ${events.type}], null))
    when 'staff' then not ${webhookEndpoints.isInstallation} and ${events.accountId} = ${users.id} and (lower(${users.role}) = 'admin' or
      ${grantedPermissions} @> array['AdminDashboard', ${events.data} ->> 'permission'])
    when 'seller' then not ${webhookEndpoints.isInstallation} and ${events.accountId} = ${users.id}
      and lower(${users.role}) = 'seller'
    else not ${webhookEndpoints.isInstallation} and ${events.accountId} = ${users.id}
  end)`;
