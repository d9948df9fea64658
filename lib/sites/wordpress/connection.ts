import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { ownershipProofs } from '@/db/schema/ownership-proofs';
import { sites } from '@/db/schema/sites';
import { type PublishSetting, siteWordpress, wordpressRequests } from '@/db/schema/wordpress';
import { type Actor, systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { AppError } from '@/lib/errors';
import { getSiteDomainOfHost } from '@/lib/network/registrable-domain';
import { createNotification } from '@/lib/notifications/notifications';
import { recordAudit } from '@/lib/platform/audit/record';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { siteNotFoundError } from '@/lib/sites/lock';
import { callWordPress, openAccess, revokedError, type WordPressAccess, WordPressError } from './client';
import type { WordPressView } from './contract';

export type Connection = typeof siteWordpress.$inferSelect;

/** An own site with its connection, and whether the seller proved the domain. */
type OwnSite = {
  site: { id: number; name: string; url: string; domain: string };
  isProved: boolean;
  connection: Connection | null;
};

/**
 * Finds the connection of an own site. One of an earlier owner, or with a host that is no longer on the domain of the site,
 * does not count.
 * @throws AppError not_found for a deleted site and for one that the seller does not own
 */
export async function getOwnConnection(sellerId: string, siteId: number, on: Executor = db()): Promise<OwnSite> {
  const [row] = await on
    .select({
      site: { id: sites.id, name: sites.name, url: sites.url, domain: sites.domain },
      verifiedAt: ownershipProofs.verifiedAt,
      connection: siteWordpress,
    })
    .from(sites)
    .leftJoin(
      ownershipProofs,
      and(eq(ownershipProofs.sellerId, sites.ownerId), eq(ownershipProofs.domain, sites.domain)),
    )
    .leftJoin(siteWordpress, and(eq(siteWordpress.siteId, sites.id), eq(siteWordpress.ownerId, sites.ownerId)))
    .where(and(eq(sites.id, siteId), eq(sites.ownerId, sellerId), isNull(sites.deletedAt)));
  if (!row) throw siteNotFoundError(siteId);
  const { site, verifiedAt, connection } = row;
  const isOnDomain = connection !== null && getSiteDomainOfHost(connection.host) === site.domain;
  return { site, isProved: verifiedAt !== null, connection: isOnDomain ? connection : null };
}

/**
 * Returns the connection of an own site, for a request to WordPress. Without a proof of the domain, another owner may have
 * it by now: no password is sent there.
 * @param siteId the ordered site; null for an order without one
 * @throws AppError not_found for a site that the seller does not own, and without a connection; conflict for a revoked
 * connection, and while the domain is not proved
 */
export async function requireConnection(sellerId: string, siteId: number | null, on?: Executor): Promise<Connection> {
  if (siteId === null) throw notConnectedError();
  const { site, isProved, connection } = await getOwnConnection(sellerId, siteId, on);
  if (!connection) throw notConnectedError();
  if (!isProved) throw unprovedError(site);
  if (connection.state === 'revoked') throw revokedError();
  return connection;
}

export const unprovedError = ({ id, domain }: Pick<OwnSite['site'], 'id' | 'domain'>) =>
  new AppError('conflict', `Prove your site first: show that you control ${domain}.`, {
    url: `/seller/my-sites?prove=${id}`,
  });

/** Returns the connection as sellers see it: never the password. */
export async function getWordPress(sellerId: string, siteId: number): Promise<WordPressView> {
  return wordpressView(await getOwnConnection(sellerId, siteId));
}

/** Lists the states of the connections of a seller's own sites, by the id of the site. */
export async function listWordPressStates(
  sellerId: string,
  siteIds: readonly number[],
): Promise<ReadonlyMap<number, Connection['state']>> {
  const rows = await db()
    .select({ id: siteWordpress.siteId, state: siteWordpress.state })
    .from(siteWordpress)
    .where(and(inArray(siteWordpress.siteId, [...siteIds]), eq(siteWordpress.ownerId, sellerId)));
  return new Map(rows.map(({ id, state }) => [id, state]));
}

const wordpressView = ({ isProved, connection }: Pick<OwnSite, 'isProved' | 'connection'>): WordPressView => ({
  state: connection?.state ?? 'none',
  isProved,
  host: connection?.host ?? null,
  username: connection?.username ?? null,
  roles: connection?.roles ?? [],
  publish: connection?.publish ?? null,
  connectedAt: connection?.createdAt.toISOString() ?? null,
  lastUsedAt: connection?.lastUsedAt?.toISOString() ?? null,
  lastError: connection?.lastError ?? '',
});

/**
 * Works with a connection and records whether it works. If WordPress no longer accepts the password, the connection is
 * revoked and its seller is told.
 * @throws WordPressError as `work`; AppError conflict for a connection that was revoked before
 */
export async function withConnection<Result>(
  connection: Connection,
  work: (access: WordPressAccess) => Promise<Result>,
): Promise<Result> {
  const { siteId } = connection;
  const access = openAccess(connection);
  try {
    const result = await work(access);
    await db()
      .update(siteWordpress)
      .set({ lastError: '', lastUsedAt: sql`now()` })
      .where(eq(siteWordpress.siteId, siteId));
    return result;
  } catch (thrown) {
    if (thrown instanceof WordPressError && thrown.failure === 'revoked') await markRevoked(connection);
    else if (thrown instanceof WordPressError) {
      await db().update(siteWordpress).set({ lastError: thrown.message }).where(eq(siteWordpress.siteId, siteId));
    }
    throw thrown;
  }
}

/** Marks a connection as revoked, unless it was renewed since then, and tells its seller. */
async function markRevoked({ siteId, ownerId, host, sealedPassword }: Connection): Promise<void> {
  await db().transaction(async (tx) => {
    const [revoked] = await tx
      .update(siteWordpress)
      .set({
        state: 'revoked',
        sealedPassword: null,
        lastError: revokedError().message,
        version: sql`${siteWordpress.version} + 1`,
      })
      .where(and(eq(siteWordpress.siteId, siteId), eq(siteWordpress.sealedPassword, sealedPassword ?? '')))
      .returning({ siteId: siteWordpress.siteId });
    if (!revoked) return;
    const [site] = await tx.select({ name: sites.name }).from(sites).where(eq(sites.id, siteId));
    const actor = systemActor(systemActors.wordpress, 'job');
    await recordAudit(tx, actor, {
      action: 'wordpress.revoked',
      details: `WordPress on ${host} no longer accepts the password of site #${siteId}.`,
      entityType: 'site',
      entityId: siteId,
      before: { state: 'connected' },
      after: { state: 'revoked' },
    });
    await createNotification(tx, actor, {
      userId: ownerId,
      kind: 'site.wordpress_revoked',
      subject: site?.name ?? host,
    });
  });
}

/**
 * Sets how articles of a site are published.
 * @throws AppError not_found, also for a site without a connection
 */
export async function setPublishSetting(actor: Actor, siteId: number, publish: PublishSetting): Promise<WordPressView> {
  return db().transaction(async (tx) => {
    const { isProved, connection } = await getOwnConnection(actor.userId, siteId, tx);
    if (!connection) throw notConnectedError();
    const [after] = await tx
      .update(siteWordpress)
      .set({ publish, version: sql`${siteWordpress.version} + 1` })
      .where(eq(siteWordpress.siteId, siteId))
      .returning();
    if (!after) throw notConnectedError();
    if (connection.publish !== publish) {
      await recordAudit(tx, actor, {
        action: 'wordpress.updated',
        details: `${actor.email} changed how articles of site #${siteId} are published ${connection.publish} → ${publish}.`,
        entityType: 'site',
        entityId: siteId,
        before: { publish: connection.publish },
        after: { publish },
      });
    }
    return wordpressView({ isProved, connection: after });
  });
}

export const notConnectedError = () =>
  new AppError('not_found', 'This site is not connected with WordPress. Connect it in My Sites.');

const deletedAnswer = z.unknown();

/** Revokes an application password at WordPress. @returns whether WordPress confirmed it */
export async function revokePassword(access: WordPressAccess, uuid: string): Promise<boolean> {
  try {
    await callWordPress(access, `wp/v2/users/me/application-passwords/${encodeURIComponent(uuid)}`, deletedAnswer, {
      method: 'DELETE',
    });
    return true;
  } catch (thrown) {
    if (!(thrown instanceof WordPressError)) throw thrown;
    // A password that WordPress does not accept or know is revoked.
    return thrown.failure === 'revoked' || thrown.failure === 'missing';
  }
}

/**
 * Disconnects a site: revokes the password at WordPress and forgets it here, also if WordPress does not answer.
 * @throws AppError not_found, also for a site without a connection; rate_limited
 */
export async function disconnectWordPress(
  actor: Actor,
  siteId: number,
): Promise<{ isRevoked: boolean; message: string }> {
  const { connection } = await getOwnConnection(actor.userId, siteId);
  if (!connection) throw notConnectedError();
  await consumeLimit('wordpress', { account: actor.userId, address: actor.ip });
  const { host, username, passwordUuid, sealedPassword } = connection;
  const isRevoked = sealedPassword === null || (await revokeIfReadable(connection));
  await db().transaction(async (tx) => {
    await tx.delete(wordpressRequests).where(eq(wordpressRequests.siteId, siteId));
    const [deleted] = await tx
      .delete(siteWordpress)
      .where(and(eq(siteWordpress.siteId, siteId), eq(siteWordpress.passwordUuid, passwordUuid)))
      .returning({ siteId: siteWordpress.siteId });
    if (!deleted) throw notConnectedError();
    await recordAudit(tx, actor, {
      action: 'wordpress.disconnected',
      details: `${actor.email} disconnected site #${siteId} from WordPress on ${host}. The password was ${isRevoked ? '' : 'not '}revoked there.`,
      entityType: 'site',
      entityId: siteId,
      before: { host, username },
    });
  });
  const message = isRevoked
    ? `Disconnected. WordPress on ${host} no longer accepts the password.`
    : `Disconnected here, but WordPress on ${host} did not confirm it. Revoke the password there: Users → Profile → Application Passwords.`;
  return { isRevoked, message };
}

async function revokeIfReadable(connection: Connection): Promise<boolean> {
  try {
    return await revokePassword(openAccess(connection), connection.passwordUuid);
  } catch (thrown) {
    if (thrown instanceof AppError) return false;
    throw thrown;
  }
}
