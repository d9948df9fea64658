import type { LinkRel } from '@/db/enums';
import type { AccountPolicy } from '@/db/schema/accounts';
import type { RequestReason } from '@/db/schema/order-requests';
import { formatUsd } from '@/lib/money';
import { toNameKey } from '@/lib/taxonomy/name-key';

/** A monthly limit and what was spent of it, in USD cents with tax; null for no limit. */
type MonthlyLimit = { limitCents: number | null; spentCents: number };

/** What a policy judges of a site, or of a package, which has no figures. */
export type SpendItem = {
  /** Null for a package. */
  siteId: number | null;
  dr: number | null;
  traffic: number | null;
  niche: string | null;
  /** Whether the site publishes Dofollow links. */
  follow: boolean;
  /** The `rel` that the brief asks for. */
  rel: LinkRel;
};

/** What the decision depends on, read under the lock of the account. Amounts are USD cents with tax. */
export type SpendFacts = {
  totalCents: number;
  balanceCents: number;
  member: MonthlyLimit;
  project: MonthlyLimit;
  policy: AccountPolicy;
  items: readonly SpendItem[];
  /** Whether a person with the right approved it: limits do not apply then. */
  isApproved?: boolean;
};

export type RefusalReason =
  | { code: 'policy'; siteId: number | null; field: 'minDr' | 'minTraffic' | 'forbiddenNiches' | 'rel'; text: string }
  | { code: 'balance'; missingCents: number; text: string };

export type SpendDecision =
  | { decision: 'allowed' }
  | { decision: 'needs_approval'; reasons: RequestReason[] }
  | { decision: 'refused'; reasons: RefusalReason[] };

/**
 * Decides whether a member may spend: the figures of the policy refuse; then the member's month, the project's month and
 * the amount of the policy need an approval; then the balance must suffice. It is the same for every role.
 */
export function decideSpend(facts: SpendFacts): SpendDecision {
  const { totalCents, balanceCents, items, policy } = facts;
  const refusals = items.flatMap((item) => checkPolicy(item, policy));
  if (refusals.length > 0) return { decision: 'refused', reasons: refusals };
  const reasons = facts.isApproved ? [] : listReasons(facts);
  if (reasons.length > 0) return { decision: 'needs_approval', reasons };
  if (totalCents <= balanceCents) return { decision: 'allowed' };
  const missingCents = totalCents - balanceCents;
  const text = `The wallet lacks ${formatUsd(missingCents)}.`;
  return { decision: 'refused', reasons: [{ code: 'balance', missingCents, text }] };
}

function listReasons({ totalCents, member, project, policy }: SpendFacts): RequestReason[] {
  const monthly = ({ limitCents, spentCents }: MonthlyLimit, code: 'member_limit' | 'project_budget') =>
    limitCents !== null && spentCents + totalCents > limitCents ? [{ code, limitCents, spentCents }] : [];
  const { approvalAboveCents: limitCents } = policy;
  return [
    ...monthly(member, 'member_limit'),
    ...monthly(project, 'project_budget'),
    ...(limitCents !== undefined && totalCents > limitCents ? [{ code: 'approval_above' as const, limitCents }] : []),
  ];
}

/** A package names no sites, so that a policy about sites refuses it: otherwise it would be a way around the policy. */
function checkPolicy(
  item: SpendItem,
  { minDr, minTraffic, forbiddenNiches = [], rel }: AccountPolicy,
): RefusalReason[] {
  const { siteId } = item;
  const refuse = (field: Extract<RefusalReason, { code: 'policy' }>['field'], text: string): RefusalReason[] => [
    { code: 'policy', siteId, field, text },
  ];
  const unknown = (field: Extract<RefusalReason, { code: 'policy' }>['field'], name: string): RefusalReason[] =>
    refuse(
      field,
      siteId === null
        ? `The policy of the account limits the ${name}, and a package names no sites.`
        : `The ${name} of site #${siteId} is unknown, and the policy of the account demands it.`,
    );
  const count = (value: number) => value.toLocaleString('en-US');
  const isForbidden = forbiddenNiches.some((name) => toNameKey(name) === toNameKey(item.niche ?? ''));
  return [
    ...(minDr === undefined || (item.dr !== null && item.dr >= minDr)
      ? []
      : item.dr === null
        ? unknown('minDr', 'Domain Rating')
        : refuse(
            'minDr',
            `Site #${siteId} has a Domain Rating of ${item.dr}; the policy of the account demands ${minDr}.`,
          )),
    ...(minTraffic === undefined || (item.traffic !== null && item.traffic >= minTraffic)
      ? []
      : item.traffic === null
        ? unknown('minTraffic', 'organic traffic')
        : refuse(
            'minTraffic',
            `Site #${siteId} has ${count(item.traffic)} visits a month; the policy of the account demands ${count(minTraffic)}.`,
          )),
    ...(forbiddenNiches.length === 0 || (item.niche !== null && !isForbidden)
      ? []
      : item.niche === null
        ? unknown('forbiddenNiches', 'niches')
        : refuse('forbiddenNiches', `The policy of the account forbids the niche ${item.niche} of site #${siteId}.`)),
    ...checkRel(item, rel).flatMap((text) => refuse('rel', text)),
  ];
}

/** Describes how a brief does not ask for the link that a policy demands; empty if it does. */
export function checkRel(
  { siteId, rel, follow }: Pick<SpendItem, 'siteId' | 'rel' | 'follow'>,
  demanded: LinkRel = 'any',
): string[] {
  const name = siteId === null ? 'the package' : `site #${siteId}`;
  if (demanded === 'any') return [];
  if (rel !== demanded)
    return [`The policy of the account demands the rel ${demanded}; the brief for ${name} has ${rel}.`];
  return demanded === 'dofollow' && !follow
    ? [`The policy of the account demands Dofollow links, and ${name} publishes NoFollow links.`]
    : [];
}

/** Describes in a sentence why an order needs an approval. */
export function describeReason(reason: RequestReason): string {
  const limit = formatUsd(reason.limitCents);
  if (reason.code === 'approval_above') return `Orders above ${limit} need an approval.`;
  const spent = formatUsd(reason.spentCents);
  return reason.code === 'member_limit'
    ? `The monthly limit of the member is ${limit}, of which ${spent} is spent.`
    : `The monthly budget of the project is ${limit}, of which ${spent} is spent.`;
}
