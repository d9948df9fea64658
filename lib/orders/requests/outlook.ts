import { z } from 'zod';
import { linkRels } from '@/db/enums';
import type { RequestReason } from '@/db/schema/order-requests';
import type { Actor } from '@/lib/access/actor';
import { formatUsd } from '@/lib/money';
import { maxSitesPerOrder } from '@/lib/orders/order/schemas';
import { previewSpend } from '@/lib/orders/spending/preview';

/** What will happen to an order when it is sent. */
export type Outlook = {
  decision: 'allowed' | 'needs_approval' | 'refused';
  /** Why it needs an approval, or is refused as a whole, in sentences. */
  texts: string[];
  /** Why the policy of the account refuses sites, by their ids. */
  sites: Record<string, string[]>;
  /** Whether the balance suffices; true where it is not what decides. */
  isFunded: boolean;
};

/** The `rel` as it was typed; another text counts as `any`. */
export const outlookInput = z.object({
  projectId: z.string().min(1).max(64),
  totalCents: z.int().min(0).max(1_000_000_000_000),
  items: z.array(z.object({ siteId: z.int().nullable(), rel: z.enum(linkRels).catch('any') })).max(maxSitesPerOrder),
});

/** Tells a member before an order what will happen to it. The balance itself is not told. @throws as `previewSpend` */
export async function getOutlook(actor: Actor, input: z.output<typeof outlookInput>): Promise<Outlook> {
  const decided = await previewSpend(actor, input);
  const { decision } = decided;
  if (decision === 'allowed') return { decision, texts: [], sites: {}, isFunded: true };
  if (decision === 'needs_approval') {
    const where =
      actor.accountRole === 'owner'
        ? 'You can approve this order under Requests.'
        : 'An owner, a manager or Finance of your account can approve this order.';
    return { decision, texts: [...decided.reasons.map(describeOwn), where], sites: {}, isFunded: true };
  }
  const policy = decided.reasons.flatMap((reason) => (reason.code === 'policy' ? [reason] : []));
  if (policy.length === 0) return { decision: 'allowed', texts: [], sites: {}, isFunded: false };
  const sites: Outlook['sites'] = {};
  for (const { siteId, text } of policy) if (siteId !== null) sites[siteId] = [...(sites[siteId] ?? []), text];
  const texts = policy.flatMap(({ siteId, text }) => (siteId === null ? [text] : []));
  return { decision, texts, sites, isFunded: true };
}

const month = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' });

/** Tells a member why the own order needs an approval, with what is left. */
function describeOwn(reason: RequestReason): string {
  const limit = formatUsd(reason.limitCents);
  if (reason.code === 'approval_above') return `Orders above ${limit} need an approval.`;
  const subject = reason.code === 'member_limit' ? 'Your limit' : 'The budget of this project';
  const left = formatUsd(Math.max(0, reason.limitCents - reason.spentCents));
  return `${subject} of ${limit} for ${month.format(new Date())} has ${left} left.`;
}
