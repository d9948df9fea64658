import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { listingMetrics } from '@/db/enums';
import { accountMembers, accounts } from '@/db/schema/accounts';
import { orderRequestLines, orderRequests } from '@/db/schema/order-requests';
import { packages } from '@/db/schema/packages';
import { projects } from '@/db/schema/projects';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import { isApprover } from '@/lib/access/account-roles';
import { isUsableAccount } from '@/lib/access/accounts';
import { getHost, parseWebAddress } from '@/lib/network/web-address';
import { resolveBrief } from '@/lib/orders/briefs/schemas';
import { describeDrSource } from '@/lib/orders/client-reports/columns';
import { computeClientPrice } from '@/lib/orders/client-reports/rows';
import { createOrderBody } from '@/lib/orders/order/schemas';
import { formatMetric, metricNames } from '@/lib/sites/domain-figures/source-names';
import type { ClientLine, ClientRequest } from './client-contract';
import { hashLinkToken } from './client-token';

const linkColumns = {
  id: orderRequests.id,
  accountId: orderRequests.accountId,
  projectId: orderRequests.projectId,
  body: orderRequests.body,
  state: orderRequests.state,
  requestedBy: orderRequests.requestedBy,
  totalCents: orderRequests.totalCents,
  answeredAt: orderRequests.linkAnsweredAt,
  endsAt: orderRequests.linkExpiresAt,
  prices: orderRequests.linkPrices,
  markupPercent: orderRequests.linkMarkupPercent,
  fixedCents: orderRequests.linkFixedCents,
  accountName: accounts.name,
  projectDomain: projects.domain,
  projectTargetUrl: projects.targetUrl,
};

/** The condition that a request was sent to the client, and that this was not revoked. */
export const isSentToClient = and(isNotNull(orderRequests.linkHash), isNull(orderRequests.linkRevokedAt));

/** The condition that who created the link is still a member who may approve the request: the answer orders in their name. */
const isBacked = sql`exists (select from ${accountMembers} join ${users} on ${users.id} = ${accountMembers.userId}
  where ${accountMembers.accountId} = ${orderRequests.accountId} and ${users.status} = 'Active' and ${users.deletedAt} is null
  and ${accountMembers.userId} = ${orderRequests.linkCreatedBy} and ${isApprover(accountMembers, orderRequests)}
  and (${accountMembers.projectIds} is null or ${orderRequests.projectId} = any(${accountMembers.projectIds})))`;

/** The condition that the link of a request has not ended, and that its account and its project are there. */
export const isLasting = and(
  sql`${orderRequests.linkExpiresAt} > now()`,
  isUsableAccount,
  isNull(projects.deletedAt),
  isBacked,
);

export const selectSent = (on: Executor) =>
  on
    .select({
      ...linkColumns,
      isLasting: sql<boolean>`(${isLasting})`,
      isExpired: sql<boolean>`${orderRequests.expiresAt} <= now()`,
    })
    .from(orderRequests)
    .innerJoin(projects, eq(projects.id, orderRequests.projectId))
    .innerJoin(accounts, eq(accounts.id, orderRequests.accountId));

/** A request that was sent to the client. */
export type SentRequest = Awaited<ReturnType<typeof selectSent>>[number];

/** `open`: the client can answer. `answered`: the client did. `gone`: neither, and nothing of it is shown. */
export type LinkState = 'open' | 'answered' | 'gone';

export function getLinkState({ isLasting: lasts, isExpired, answeredAt, state }: SentRequest): LinkState {
  if (!lasts) return 'gone';
  if (answeredAt !== null) return 'answered';
  return state === 'open' && !isExpired ? 'open' : 'gone';
}

/**
 * Finds the request of a link by its token.
 * @returns null for an unknown token; `request` is null for one that was revoked or replaced
 */
export async function findLink(
  token: string,
): Promise<{ hash: string; request: SentRequest | null; state: LinkState } | null> {
  const hash = hashLinkToken(token);
  if (hash === null) return null;
  const isNamed = sql`(${orderRequests.linkHash} = ${hash} or ${orderRequests.formerLinkHashes} @> array[${hash}]::text[])`;
  const [known] = await db().select({ id: orderRequests.id }).from(orderRequests).where(isNamed);
  if (!known) return null;
  const [request = null] = await selectSent(db()).where(and(eq(orderRequests.linkHash, hash), isSentToClient));
  return { hash, request, state: request ? getLinkState(request) : 'gone' };
}

/** Reads what the client sees of requests. Nothing of the marketplace's prices leaves this function. */
export async function readForClient(sent: readonly SentRequest[]): Promise<ClientRequest[]> {
  const ids = sent.map(({ id }) => id);
  const lines = await db()
    .select({
      id: orderRequestLines.id,
      requestId: orderRequestLines.requestId,
      sentCents: orderRequestLines.sentCents,
      state: orderRequestLines.state,
      comment: orderRequestLines.comment,
      site: siteColumns,
    })
    .from(orderRequestLines)
    .leftJoin(sites, eq(sites.id, orderRequestLines.siteId))
    .where(inArray(orderRequestLines.requestId, ids))
    .orderBy(asc(orderRequestLines.requestId), asc(orderRequestLines.position));
  const bodies = new Map(sent.map((request) => [request.id, createOrderBody.parse(request.body)]));
  const names = await readPackageNames([...bodies.values()]);
  return sent.map((request) => {
    const body = bodies.get(request.id);
    const own = lines
      .filter(({ requestId }) => requestId === request.id)
      .map((line): ClientLine => {
        const { anchor, targetUrl } = resolveBrief(
          request.projectTargetUrl,
          body?.brief,
          body?.briefs?.[line.site?.id ?? 0],
        );
        return {
          ...{ id: line.id, state: line.state, comment: line.comment, anchor, targetUrl },
          name: line.site
            ? nameSite(line.site.url)
            : (body?.kind === 'package' && namePackage(names.get(body.packageId), body.quantity)) || '',
          site: line.site ? describeSite(line.site) : null,
          priceCents: computeClientPrice(line.sentCents, request),
        };
      });
    return {
      ...{ id: request.id, projectDomain: request.projectDomain, state: request.state, answeredAt: request.answeredAt },
      endsAt: request.endsAt ?? new Date(0),
      lines: own,
      totalCents: request.prices === 'none' ? null : own.reduce((sum, { priceCents }) => sum + (priceCents ?? 0), 0),
    };
  });
}

const siteColumns = {
  id: sites.id,
  url: sites.url,
  niche: sites.niche,
  country: sites.country,
  language: sites.language,
  postType: sites.postType,
  followType: sites.followType,
  dr: sites.dr,
  da: sites.da,
  as: sites.authorityScore,
  traffic: sites.traffic,
  keywords: sites.keywordsCount,
  ref_domains: sites.refDomains,
  spam: sites.spam,
  figureSources: sites.figureSources,
};

type SiteRow = Pick<typeof sites.$inferSelect, 'niche' | 'country' | 'language' | 'postType' | 'followType'> &
  Pick<typeof sites.$inferSelect, 'figureSources'> & { [Metric in (typeof listingMetrics)[number]]: number | null };

function nameSite(address: string): string {
  const url = parseWebAddress(address)?.url;
  return url ? getHost(url).replace(/^www\./, '') : address;
}

const namePackage = (name: string | undefined, quantity: number) =>
  name && (quantity === 1 ? name : `${quantity} × ${name}`);

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

function describeSite(site: SiteRow): ClientLine['site'] {
  const { niche, country, language, postType, followType, figureSources } = site;
  return {
    facts: [niche, `${country}, ${language}`, postType, followType.toLowerCase()],
    figures: listingMetrics.flatMap((metric) => {
      const [value, from] = [site[metric], figureSources[metric]];
      if (value === null) return [];
      const origin = from ? `${describeDrSource(from.source)}, ${day.format(new Date(from.asOf))}` : '';
      return [{ name: metricNames[metric], value: formatMetric(metric, value), origin }];
    }),
  };
}

async function readPackageNames(bodies: readonly ReturnType<typeof createOrderBody.parse>[]) {
  const ids = bodies.flatMap((body) => (body.kind === 'package' ? [body.packageId] : []));
  const rows =
    ids.length === 0
      ? []
      : await db().select({ id: packages.id, name: packages.name }).from(packages).where(inArray(packages.id, ids));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
