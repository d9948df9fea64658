import type { Actor } from '@/lib/access/actor';
import { hasPermission } from '@/lib/access/authorize';
import { isPermission } from '@/lib/access/permissions';
import { sessionCookieName } from '@/lib/auth/session-token';
import { env } from '@/lib/env';
import { declaredEvents } from '@/lib/events/types';
import { createOpenApiDocument, type ListedOperation, type OpenApiDocument } from '@/lib/platform/openapi/document';
import { selectOperations } from '@/lib/platform/openapi/select-operations';
import { paths } from './paths';

let made: OpenApiDocument | undefined;

/** Returns the OpenAPI document of this installation, created once. */
export function installedDocument(): OpenApiDocument {
  made ??= createOpenApiDocument(paths, {
    serverUrl: env().APP_URL,
    cookieName: sessionCookieName(),
    webhooks: declaredEvents(),
  });
  return made;
}

let madePublic: OpenApiDocument | undefined;

/**
 * Returns the part of the document that the caller may use. Everyone gets what buyers and sellers may call, because a
 * stranger reads it before registering and a buyer before becoming a seller. Staff get in addition what their
 * permissions admit, and an admin everything.
 * @param actor null for a caller without a session
 */
export function documentFor(actor: Actor | null): OpenApiDocument {
  if (actor && hasPermission(actor, 'AdminDashboard')) {
    return selectOperations(installedDocument(), (listed) => isForEveryone(listed) || isForStaff(listed, actor));
  }
  madePublic ??= selectOperations(installedDocument(), isForEveryone);
  return madePublic;
}

function isForEveryone({ path, operation }: ListedOperation): boolean {
  const { 'x-access': access, 'x-proof': proof } = operation;
  return ['public', 'session', 'seller'].includes(String(access)) && !proof && !path.startsWith('/api/admin/');
}

/** Includes what providers and the cron job call, because staff set those up. */
function isForStaff({ operation }: ListedOperation, actor: Actor): boolean {
  return [operation['x-access']].flat().some((rule) => {
    if (isPermission(rule)) return hasPermission(actor, rule);
    return rule === 'public' || rule === 'session';
  });
}
