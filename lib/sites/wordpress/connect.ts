import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { siteWordpress, wordpressRequests } from '@/db/schema/wordpress';
import type { Actor } from '@/lib/access/actor';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { toBrowserUrl } from '@/lib/links/installation-network';
import { isLoopbackHost } from '@/lib/network/addresses';
import { parseUrl } from '@/lib/network/can-parse-url';
import { getSiteDomainOfHost } from '@/lib/network/registrable-domain';
import { recordAudit } from '@/lib/platform/audit/record';
import { secondsFromNow } from '@/lib/platform/leases';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { sealSecret } from '@/lib/platform/secrets';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { callWordPress, openAccess, type WordPressAccess, WordPressError, wordpressSlot } from './client';
import { getOwnConnection, revokePassword, unprovedError } from './connection';
import type { CallbackQuery, ConnectResult } from './contract';
import { discoverWordPress } from './discover';

/** For how long a seller may stay on the screen of WordPress. */
const requestMinutes = 15;

/**
 * Begins the connection of an own site with WordPress.
 * @returns the authorization screen of WordPress, which returns to `completeConnection`
 * @throws AppError not_found; conflict while the domain is not proved; not_configured for an installation without
 * https; unprocessable for a site without WordPress; provider_failed if it does not answer; rate_limited
 */
export async function startConnection(actor: Actor, siteId: number): Promise<{ url: string }> {
  const { site, isProved } = await getOwnConnection(actor.userId, siteId);
  if (!isProved) throw unprovedError(site);
  requireSafeReturn();
  await consumeLimit('wordpress', { account: actor.userId, address: actor.ip });
  const { host, apiRoot, authorizationUrl } = await discoverWordPress(site.url, site.domain);
  const token = randomBytes(32).toString('base64url');
  const tokenHash = hashToken(token);
  const request = {
    ownerId: actor.userId,
    sessionId: actor.sessionId,
    tokenHash,
    ...{ host, apiRoot },
    expiresAt: secondsFromNow(requestMinutes * 60),
  };
  await db().transaction(async (tx) => {
    await tx
      .insert(wordpressRequests)
      .values({ siteId, ...request })
      .onConflictDoUpdate({ target: wordpressRequests.siteId, set: request });
    await recordAudit(tx, actor, {
      action: 'wordpress.requested',
      details: `${actor.email} began to connect site #${siteId} with WordPress on ${host}.`,
      entityType: 'site',
      entityId: siteId,
      after: { host },
    });
  });
  const { siteName } = await getBranding();
  const returnUrl = new URL(`/api/seller/sites/${siteId}/wordpress/connect?state=${token}`, env().APP_URL);
  const screen = new URL(authorizationUrl);
  // Many versions of WordPress accept a name once for each user.
  screen.searchParams.set('app_name', `${siteName} ${new Date().toISOString().slice(0, 10)} ${tokenHash.slice(0, 6)}`);
  screen.searchParams.set('app_id', getAppId());
  screen.searchParams.set('success_url', returnUrl.href);
  returnUrl.searchParams.set('success', 'false');
  screen.searchParams.set('reject_url', returnUrl.href);
  return { url: toBrowserUrl(screen.href) };
}

/** Requires https, or a server on the same machine, because WordPress returns the password in the address. */
function requireSafeReturn(): void {
  const { protocol, hostname } = new URL(env().APP_URL);
  if (protocol === 'https:' || isLoopbackHost(hostname)) return;
  throw new AppError(
    'not_configured',
    'WordPress connects with a marketplace on https only. Ask the operator to set it up.',
  );
}

const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Returns the id of this installation for WordPress, the same for all sites: a name-based UUID (RFC 9562, version 8).
 */
function getAppId(): string {
  const bytes = createHash('sha256')
    .update(`linkmarket wordpress ${new URL(env().APP_URL).origin}`)
    .digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const me = z.object({
  id: z.int(),
  username: z.string().optional(),
  roles: z.array(z.string()).default([]),
  capabilities: z.record(z.string(), z.unknown()),
});
const introspection = z.object({ uuid: z.string() });

/**
 * Completes a connection with what WordPress returned: once, in the session that began it, and for the host that was
 * found. The password of an administrator, or of a user who may not publish, is revoked at once.
 * @throws AppError not_found for a site that the actor does not own; rate_limited
 */
export async function completeConnection(actor: Actor, siteId: number, query: CallbackQuery): Promise<ConnectResult> {
  await consumeLimit('wordpress', { account: actor.userId, address: actor.ip });
  const { site, isProved, connection: before } = await getOwnConnection(actor.userId, siteId);
  const request = await takeRequest(actor, siteId, query.state);
  if (!request || !isProved) return 'expired';
  if (query.success === 'false' || query.password === '' || query.user_login === '') return 'declined';
  const { host, apiRoot } = request;
  const returned = parseUrl(query.site_url);
  // WordPress itself may be installed on another host of the domain than the site that it shows.
  if (!returned || getSiteDomainOfHost(returned.hostname) !== site.domain) return 'other_site';
  const access = { host, apiRoot, username: query.user_login, password: query.password };
  try {
    const user = await callWordPress(access, 'wp/v2/users/me', me, { query: { context: 'edit' } });
    const { uuid } = await callWordPress(access, 'wp/v2/users/me/application-passwords/introspect', introspection);
    const refusal = findRefusal(user);
    if (refusal) {
      await revokePassword(access, uuid);
      return refusal;
    }
    await saveConnection(actor, siteId, access, { uuid, user });
  } catch (thrown) {
    if (!(thrown instanceof WordPressError)) throw thrown;
    return thrown.failure === 'unavailable' ? 'unavailable' : 'refused';
  }
  // The earlier password has no use any more.
  if (before?.sealedPassword) await revokePassword(openAccess(before), before.passwordUuid).catch(ignoreUnreadable);
  return 'connected';
}

/** Takes the request of a token, which is then used up. A token of another session, seller or site stays as it is. */
async function takeRequest(actor: Actor, siteId: number, token: string) {
  const [taken] = await db()
    .delete(wordpressRequests)
    .where(
      and(
        eq(wordpressRequests.siteId, siteId),
        eq(wordpressRequests.tokenHash, hashToken(token)),
        eq(wordpressRequests.ownerId, actor.userId),
        eq(wordpressRequests.sessionId, actor.sessionId),
        gt(wordpressRequests.expiresAt, sql`now()`),
      ),
    )
    .returning({ host: wordpressRequests.host, apiRoot: wordpressRequests.apiRoot });
  return taken;
}

function findRefusal({ capabilities, roles }: z.output<typeof me>): 'administrator' | 'contributor' | null {
  if (capabilities.manage_options === true || roles.includes('administrator')) return 'administrator';
  return capabilities.publish_posts === true && capabilities.upload_files === true ? null : 'contributor';
}

async function saveConnection(
  actor: Actor,
  siteId: number,
  { host, apiRoot, username, password }: WordPressAccess,
  { uuid, user }: { uuid: string; user: z.output<typeof me> },
): Promise<void> {
  const values = {
    ownerId: actor.userId,
    ...{ host, apiRoot, username },
    authorId: user.id,
    roles: user.roles,
    sealedPassword: sealSecret(wordpressSlot(siteId), password),
    passwordUuid: uuid,
    state: 'connected' as const,
    lastError: '',
    createdAt: sql`now()`,
    lastUsedAt: sql`now()`,
  };
  await db().transaction(async (tx) => {
    // The site may have been sold or deleted in the meantime.
    await getOwnConnection(actor.userId, siteId, tx);
    await tx
      .insert(siteWordpress)
      .values({ siteId, ...values })
      .onConflictDoUpdate({
        target: siteWordpress.siteId,
        set: { ...values, version: sql`${siteWordpress.version} + 1` },
      });
    await recordAudit(tx, actor, {
      action: 'wordpress.connected',
      details: `${actor.email} connected site #${siteId} with WordPress on ${host} as ${username}.`,
      entityType: 'site',
      entityId: siteId,
      after: { host, username, roles: user.roles },
    });
  });
}

/** Ignores a password that cannot be decrypted: its seller is asked to revoke it, as at a disconnection. */
function ignoreUnreadable(thrown: unknown): void {
  if (!(thrown instanceof AppError)) throw thrown;
}
