import { desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { db } from '@/db/client';
import { type ApprovalKind, approvalKinds, approvals } from '@/db/schema/approvals';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { getSettledRights } from '@/lib/access/settled-rights';
import { approvalDays, mayDecide, mayRequest } from './schemas';
import { isSecondPerson } from './second-person';

const requester = alias(users, 'requester');
const decider = alias(users, 'decider');
const isFresh = sql<boolean>`${approvals.requestedAt} > now() - make_interval(days => ${approvalDays})`;

/** Returns the kinds of requests that the user may see: those that the user may request. */
export const visibleKinds = (actor: Actor): ApprovalKind[] => approvalKinds.filter((kind) => mayRequest(actor, kind));

/** Builds the condition for the requests that the user can approve now, by the rule of `requireSecondPerson`. */
async function isDecidable(actor: Actor): Promise<SQL<boolean>> {
  const settled = await getSettledRights(actor.userId);
  const kinds = approvalKinds.filter((kind) => mayDecide(actor, kind) && mayDecide(settled, kind));
  return sql<boolean>`(${inArray(approvals.kind, kinds)} and ${approvals.state} = 'pending' and ${isFresh}
    and ${isSecondPerson(actor.userId, approvals)})`;
}

/** A request in the list. `canApprove`: the reader can approve it now. */
export type ApprovalRow = Awaited<ReturnType<typeof listApprovals>>[number];

/** Lists the requests that the user may see: pending ones first, then the newest decided ones; at most 200. */
export async function listApprovals(actor: Actor) {
  const kinds = visibleKinds(actor);
  if (kinds.length === 0) return [];
  return db()
    .select({
      id: approvals.id,
      kind: approvals.kind,
      summary: approvals.summary,
      amountCents: approvals.amountCents,
      state: sql<'pending' | 'approved' | 'rejected' | 'expired'>`case
        when ${approvals.state} = 'pending' and not ${isFresh} then 'expired' else ${approvals.state} end`,
      requestedBy: requester.email,
      requestedAt: approvals.requestedAt,
      decidedBy: decider.email,
      decidedAt: approvals.decidedAt,
      isRequester: sql<boolean>`${approvals.requestedBy} = ${actor.userId}`,
      canApprove: await isDecidable(actor),
    })
    .from(approvals)
    .innerJoin(requester, eq(requester.id, approvals.requestedBy))
    .leftJoin(decider, eq(decider.id, approvals.decidedBy))
    .where(inArray(approvals.kind, kinds))
    .orderBy(sql`${approvals.state} = 'pending' desc`, desc(approvals.id))
    .limit(200);
}

/** Counts the requests that the user can approve now. */
export async function countDecidable(actor: Actor): Promise<number> {
  if (visibleKinds(actor).length === 0) return 0;
  return db().$count(approvals, await isDecidable(actor));
}
