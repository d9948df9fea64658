import { isOpenToUsers } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { hasPermission } from '@/lib/access/authorize';
import { isPermission } from '@/lib/access/permissions';
import { sessionCookieName } from '@/lib/auth/session-token';
import { env } from '@/lib/env';
import { declaredEvents } from '@/lib/events/types';
import {
  createOpenApiDocument,
  type ListedOperation,
  type OpenApiDocument,
  selectOperations,
} from '@/lib/platform/openapi/document';
import type { WebhookDeclaration } from '@/lib/platform/openapi/webhooks';
import { paths } from './paths';

const createDocument = (webhooks: Readonly<Record<string, WebhookDeclaration>>): OpenApiDocument =>
  createOpenApiDocument(paths, { serverUrl: env().APP_URL, cookieName: sessionCookieName(), webhooks });

let made: OpenApiDocument | undefined;

/** Returns the OpenAPI document of this installation, created once. */
export function installedDocument(): OpenApiDocument {
  made ??= createDocument(declaredEvents());
  return made;
}

let madeForUsers: OpenApiDocument | undefined;

/** Returns the document without the data of events that only endpoints of the installation receive. */
function documentForUsers(): OpenApiDocument {
  const declared = Object.entries(declaredEvents()).map(([type, event]) => {
    const views = event.views.filter(({ audience }) => audience !== 'installation');
    return [type, { ...event, views }] as const;
  });
  madeForUsers ??= createDocument(Object.fromEntries(declared.filter(([, { views }]) => views.length > 0)));
  return madeForUsers;
}

let madePublic: OpenApiDocument | undefined;

/**
 * Returns the part of the document that the caller may use. Everyone gets what buyers and sellers may call, because a
 * stranger reads it before registering and a buyer before becoming a seller. Staff get in addition what their
 * permissions admit, and an admin everything. The installation's events are described for ManageSettings.
 * @param actor null for a caller without a session
 */
export function documentFor(actor: Actor | null): OpenApiDocument {
  if (actor && hasPermission(actor, 'AdminDashboard')) {
    const known = hasPermission(actor, 'ManageSettings') ? installedDocument() : documentForUsers();
    return selectOperations(known, (listed) => isForEveryone(listed) || isForStaff(listed, actor));
  }
  madePublic ??= selectOperations(documentForUsers(), isForEveryone);
  return madePublic;
}

function isForEveryone({ path, operation }: ListedOperation): boolean {
  const { 'x-access': access, 'x-proof': proof } = operation;
  return (
    (access === 'public' || access === 'seller' || isOpenToUsers(access)) && !proof && !path.startsWith('/api/admin/')
  );
}

/** Includes what providers and the cron job call, because staff set those up. */
function isForStaff({ operation }: ListedOperation, actor: Actor): boolean {
  return [operation['x-access']].flat().some((rule) => {
    if (isPermission(rule)) return hasPermission(actor, rule);
    return rule === 'public' || isOpenToUsers(rule);
  });
}
