import { and, desc, eq, inArray, ne, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { db } from '@/db/client';
import { type ApprovalKind, approvalKinds, approvals } from '@/db/schema/approvals';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { approvalDays, mayDecide } from './schemas';

const requester = alias(users, 'requester');
const decider = alias(users, 'decider');
const isFresh = sql<boolean>`${approvals.requestedAt} > now() - make_interval(days => ${approvalDays})`;

/** Returns the kinds of requests that the user may see: those whose permission the user holds. */
export const visibleKinds = (actor: Actor): ApprovalKind[] => approvalKinds.filter((kind) => mayDecide(actor, kind));

/** A request in the list. `isBeneficiary`: it concerns the reader's own wallet or account. */
export type ApprovalRow = Awaited<ReturnType<typeof listApprovals>>[number];

/** Lists the requests that the user may decide: pending ones first, then the newest decided ones; at most 200. */
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
      isBeneficiary: sql<boolean>`${approvals.beneficiaryId} is not distinct from ${actor.userId}`,
    })
    .from(approvals)
    .innerJoin(requester, eq(requester.id, approvals.requestedBy))
    .leftJoin(decider, eq(decider.id, approvals.decidedBy))
    .where(inArray(approvals.kind, kinds))
    .orderBy(sql`${approvals.state} = 'pending' desc`, desc(approvals.id))
    .limit(200);
}

/** Counts the requests that the user can decide now. */
export async function countDecidable(actor: Actor): Promise<number> {
  const kinds = visibleKinds(actor);
  if (kinds.length === 0) return 0;
  return db().$count(
    approvals,
    and(
      inArray(approvals.kind, kinds),
      eq(approvals.state, 'pending'),
      isFresh,
      ne(approvals.requestedBy, actor.userId),
      or(sql`${approvals.beneficiaryId} is null`, ne(approvals.beneficiaryId, actor.userId)),
    ),
  );
}
