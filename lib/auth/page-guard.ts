import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { isDatabaseAway } from '../../db/is-database-away';
import { type Access, mayAccess } from '../acl/require';
import { databaseAway } from '../http/error-answer';
import type { Actor } from './actor';
import { currentActor } from './current-actor';
import { type Portal, portals } from './portals';

/**
 * The guard of every page and layout of a portal, against the database. Sends whoever may not see it to the portal's
 * sign-in, which returns to this page afterwards.
 */
export async function requirePage(portal: Portal, access: Exclude<Access, 'public'>): Promise<Actor> {
  const actor = await currentActor().catch(tellIfAway);
  if (actor && mayAccess(actor, access)) return actor;
  const path = (await headers()).get('x-path') ?? '';
  const back = path ? `?next=${encodeURIComponent(path)}` : '';
  redirect(`${portals[portal].signIn}${back}`);
}

/** Of a failure on the server, its digest alone reaches the page that says so (components/shell/page-failure.tsx). */
function tellIfAway(thrown: unknown): never {
  if (!isDatabaseAway(thrown)) throw thrown;
  throw Object.assign(databaseAway(), { cause: thrown, digest: databaseAway().code });
}
