import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { db } from '@/db/client';
import { linkRels } from '@/db/enums';
import { linkVerdicts } from '@/db/schema/links';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { judgeUrl, type Refusal } from '@/lib/links/address-rules';
import { checkPage } from '@/lib/links/check-page';
import { describeReason } from '@/lib/links/describe-reason';
import type { Judgement, LinkReason, WantedLink } from '@/lib/links/judge-page';
import { getRobotsFiles } from '@/lib/links/robots';
import { publishSandboxPage } from '@/lib/links/sandbox-publisher';
import { getRegistrableDomain } from '@/lib/network/registrable-domain';
import { describeFinding } from '@/lib/orders/describe-finding';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { listNofollowSites } from '@/lib/sites/catalogue/listed-sites';
import { getRequestedLink, type LockedPlacement, lockPlacement } from './lock';
import { requireState } from './transition';

/** What a check found on a page before its delivery. */
export type DeliveryCheck = {
  url: string;
  /** The link that the order asked for at the time of the check. */
  requested: WantedLink;
  /** Whether the site sets a `rel` of its own on every link, which the buyer knew. */
  isNofollowSite: boolean;
  /** Null for an order without a target whose page was read: it has no link to look for. */
  judgement: Judgement | null;
};

/** For everything together: names, robots.txt, the page and its redirects, and the judgement. */
const maxMs = 15_000;

type CheckOptions = {
  /** `staff` can deliver a page on any domain, also for an order that they accept with it. */
  role?: 'seller' | 'staff';
  deadlineMs?: number;
};

/**
 * Checks the page that is about to be delivered, as the schedule checks it afterwards. Takes no longer than 15 seconds and
 * holds no lock meanwhile: `deliverPlacement` compares the order again.
 * @throws AppError not_found for a placement of another seller; conflict in another state; unprocessable for a page of a
 * seller on another registrable domain than the ordered site, and for one that link checks cannot request; rate_limited
 */
export async function checkDelivery(
  actor: Actor,
  orderId: number,
  url: string,
  { role = 'seller', deadlineMs = maxMs }: CheckOptions = {},
): Promise<DeliveryCheck> {
  // Without a transaction, its locks end with the statements.
  const locked = await lockPlacement(db(), orderId, role === 'seller' ? { sellerId: actor.userId } : {});
  const { siteId, website } = locked.order;
  if (role === 'seller') {
    requireState(locked, 'delivered');
    requireDeliverableUrl(url, website);
  }
  const requested = getRequestedLink(locked, url);
  const isNofollowSite = siteId !== null && (await listNofollowSites([siteId])).has(siteId);
  await consumeChecks(actor, url);
  const { targetUrl, anchor, rel } = requested;
  await publishSandboxPage({ pageUrl: url, targetUrl, anchor, rel });
  const judgement = await checkInTime(url, requested, deadlineMs);
  const isRead = judgement.evidence.reasons.some((reason) => reason === 'link_missing' || reason === 'needs_script');
  return { url, requested, isNofollowSite, judgement: targetUrl === '' && isRead ? null : judgement };
}

/**
 * Checks the page of a published article after a change, as `checkDelivery` does.
 * @param siteId the ordered site; null for an order without one
 * @throws AppError rate_limited
 */
export async function checkChangedPage(
  actor: Actor,
  { url, requested, siteId }: Pick<DeliveryCheck, 'url' | 'requested'> & { siteId: number | null },
): Promise<DeliveryCheck> {
  await consumeChecks(actor, url);
  await publishSandboxPage({ pageUrl: url, ...requested }, { replaces: true });
  const isNofollowSite = siteId !== null && (await listNofollowSites([siteId])).has(siteId);
  return { url, requested, isNofollowSite, judgement: await checkInTime(url, requested, maxMs) };
}

async function consumeChecks(actor: Actor, url: string): Promise<void> {
  await consumeLimit('deliveryCheck', { account: actor.userId, address: actor.ip });
  await consumeLimit('deliveryHost', { account: getRegistrableDomain(url), address: actor.ip });
}

async function checkInTime(url: string, requested: WantedLink, deadlineMs: number): Promise<Judgement> {
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    return await checkPage(url, requested, { robots: getRobotsFiles(), signal });
  } catch (thrown) {
    if (!signal.aborted || thrown !== signal.reason) throw thrown;
    const reasons: LinkReason[] = ['timeout'];
    const nothing = { status: null, redirects: [], found: false, rel: null, anchor: null, indexable: null };
    return { verdict: 'unknown', evidence: { ...nothing, finalUrl: url, reasons }, textHash: null };
  }
}

/**
 * Requires a page of a seller that can be delivered: on the ordered website, at an address that can be checked. A page at
 * another address would be unknown in each check: never approved by the clock, and never payable.
 * @throws AppError unprocessable
 */
export function requireDeliverableUrl(url: string, website: string): void {
  const domain = getRegistrableDomain(website);
  if (getRegistrableDomain(url) !== domain)
    throw invalidUrl(`The page must be on ${domain}, the site that was ordered.`);
  const refusal = judgeUrl(url);
  // The name is that of the ordered site, which staff approved.
  if (typeof refusal !== 'string' || refusal === 'local_name') return;
  throw invalidUrl('Link checks cannot open this page: enter its public address, without a port or with 80 or 443.');
}

const invalidUrl = (message: string) => new AppError('unprocessable', message, { fields: { url: message } });

/** Whether a page can be delivered: `with_reason` unless its link is in order, and never one that cannot be opened. */
const deliveryOutcomes = ['allowed', 'with_reason', 'refused'] as const;

/** Returns whether a checked page can be delivered. */
export function getOutcome({ requested, isNofollowSite, judgement }: DeliveryCheck): (typeof deliveryOutcomes)[number] {
  if (judgement === null || judgement.verdict === 'ok') return 'allowed';
  const { verdict, evidence } = judgement;
  const finding = describeFinding(
    { verdict, reasons: evidence.reasons },
    { brief: requested },
    { follow: !isNofollowSite },
  );
  if (verdict === 'changed' && finding === null) return 'allowed';
  return evidence.reasons.some((reason) => isUnreachable(reason, evidence)) ? 'refused' : 'with_reason';
}

/** The answers with which a website refuses a visitor or a crawler, and that say nothing about the page. */
const wallStatuses = [401, 402, 403, 406, 407, 429, 451];
const unreachableReasons: readonly LinkReason[] = [
  'page_missing',
  'dns',
  'connect',
  'tls',
  'malformed',
  'too_many_redirects',
];

/** Addresses that are not requested and that visitors may open. All others, and names of private networks, lead nowhere. */
const browsable = new Set<unknown>(['port', 'local_name', 'credentials', 'too_long'] satisfies Refusal[]);

const isUnreachable = (reason: LinkReason, { status, finalUrl }: Judgement['evidence']): boolean =>
  unreachableReasons.includes(reason) ||
  // Also with the signs of a wall, whose status is another.
  status === 404 ||
  status === 410 ||
  // With a status, a part of the page was read.
  (reason === 'interrupted' && status === null) ||
  (reason === 'refused' && !browsable.has(judgeUrl(finalUrl))) ||
  (reason === 'status' && status !== null && isErrorWithoutPage(status));

const isErrorWithoutPage = (status: number): boolean => status >= 400 && !wallStatuses.includes(status);

/**
 * Requires a check with which the placement can be delivered.
 * @param reason why it is delivered although the link is not in order
 * @throws AppError link_not_in_order, with what the check found; conflict if the order changed during the check
 */
export function requireDelivery(locked: LockedPlacement, check: DeliveryCheck, reason: string): void {
  requireDeliverable(locked, { ...check, current: getRequestedLink(locked, check.url) }, reason);
}

/**
 * Requires a check with which a page can be delivered.
 * @param check `current` is the link that the page must have now
 * @throws AppError as `requireDelivery`
 */
export function requireDeliverable(
  { order }: Pick<LockedPlacement, 'order'>,
  { current, ...check }: DeliveryCheck & { current: WantedLink },
  reason: string,
): void {
  if (!isDeepStrictEqual(current, check.requested))
    throw new AppError('conflict', `Order #${order.id} changed during the check. Check the page again.`);
  const outcome = getOutcome(check);
  if (outcome === 'allowed' || (outcome === 'with_reason' && reason !== '')) return;
  throw refuseDelivery(check);
}

function refuseDelivery(check: DeliveryCheck): AppError {
  const view = deliveryCheckView(check);
  const found = view.texts.join(' ') || 'The check did not find the link.';
  const advice =
    view.delivery === 'refused'
      ? 'A page that cannot be opened is not delivered: publish it, then deliver it.'
      : 'Correct the page, or give a reason, which the buyer reads.';
  const fields = { url: `${found} ${advice}` };
  return new AppError('link_not_in_order', `${found} ${advice}`, { fields, check: view });
}

const linkShape = z.object({ rel: z.string(), anchor: z.string() });

/** What the check of a page found before its delivery. */
export const deliveryCheckShape = z
  .object({
    url: z.string(),
    delivery: z
      .enum(deliveryOutcomes)
      .describe(
        '`allowed`: the link is in order. `with_reason`: it can be delivered with a reason, which the buyer reads. `refused`: the page cannot be opened.',
      ),
    verdict: z.enum(linkVerdicts).nullable().describe('Null for an order without a link to look for.'),
    status: z.int().nullable().describe('The HTTP status of the final response; null without a response.'),
    finalUrl: z.string(),
    reasons: z.array(z.string()).describe('Codes of what explains the verdict.'),
    texts: z.array(z.string()).describe('The reasons in words.'),
    found: linkShape.nullable().describe('The visible link to the target; null if there is none.'),
    expected: z
      .object({ targetUrl: z.string(), rel: z.enum(linkRels), anchor: z.string() })
      .describe('The link that the order asks for. An empty text means any.'),
  })
  .meta({ title: 'DeliveryCheck' });
export type DeliveryCheckView = z.output<typeof deliveryCheckShape>;

/** Returns a check as the seller and staff see it. */
export function deliveryCheckView(check: DeliveryCheck): DeliveryCheckView {
  const { url, requested, judgement } = check;
  const { targetUrl, rel, anchor } = requested;
  const evidence = judgement?.evidence;
  const reasons = evidence?.reasons ?? [];
  return {
    url,
    delivery: getOutcome(check),
    verdict: judgement?.verdict ?? null,
    status: evidence?.status ?? null,
    finalUrl: evidence?.finalUrl ?? url,
    reasons,
    texts: reasons.map((reason) => describeFound(reason, evidence?.status ?? null)),
    found: evidence?.found ? { rel: evidence.rel?.join(' ') ?? '', anchor: evidence.anchor ?? '' } : null,
    expected: { targetUrl, rel, anchor },
  };
}

const describeFound = (reason: LinkReason, status: number | null): string =>
  reason === 'status' && status !== null ? `The website answered with status ${status}.` : describeReason(reason);
