import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { type ApprovalKind, approvals } from '@/db/schema/approvals';
import type { Transaction } from '@/db/transaction';
import type { Actor, AnyActor } from '@/lib/access/actor';
import { findRights } from '@/lib/access/authorize';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import type { Approval } from './request';
import { type ApprovalPayloads, approvalDays, approvalPayloads, mayRequest } from './schemas';
import { requireSecondPerson } from './second-person';

/** Makes the change of each kind, in the transaction of its approval. */
export type ApprovalExecutors = {
  [K in ApprovalKind]: (
    tx: Transaction,
    actor: Actor,
    payload: ApprovalPayloads[K],
    approval: Approval,
  ) => Promise<void>;
};

/**
 * Approves a change and makes it in the same transaction. The approver is a second person (second-person.ts), and the
 * requester still holds the permission.
 * @throws AppError not_found, forbidden, conflict for a request that was decided, is older than a week, or cannot be
 * carried out
 */
export async function approve(actor: Actor, id: string, executors: ApprovalExecutors): Promise<void> {
  await db().transaction(async (tx) => {
    const approval = await lockPending(tx, actor, id);
    await requireSecondPerson(tx, actor, approval);
    if (Date.now() - approval.requestedAt.getTime() > approvalDays * 86_400_000) {
      throw new AppError('conflict', `This request is older than ${approvalDays} days. Request the change again.`);
    }
    const requester = await requireRequester(tx, approval);
    await recordDecision(
      tx,
      actor,
      approval,
      'approved',
      `Approved, as requested by ${requester}: ${approval.summary}`,
    );
    await execute(tx, actor, approval, executors);
  });
}

/**
 * Rejects a change; its requester can withdraw it in the same way.
 * @throws AppError not_found, forbidden, conflict for a request that was decided
 */
export async function reject(actor: Actor, id: string): Promise<void> {
  await db().transaction(async (tx) => {
    const approval = await lockPending(tx, actor, id);
    const verb = approval.requestedBy === actor.userId ? 'Withdrawn' : 'Rejected';
    await recordDecision(tx, actor, approval, 'rejected', `${verb}: ${approval.summary}`);
  });
}

/**
 * Rejects the pending request about a subject that can no longer be changed, in the caller's transaction; does nothing
 * without one. Call it first: an approval locks its request before what it changes.
 * @param why completes the audit log's sentence, e.g. "The buyer withdrew the refund"
 */
export async function rejectObsolete(tx: Executor, actor: AnyActor, subject: string, why: string): Promise<void> {
  const [approval] = await tx
    .select()
    .from(approvals)
    .where(and(eq(approvals.subject, subject), eq(approvals.state, 'pending')))
    .for('update');
  if (approval) await recordDecision(tx, actor, approval, 'rejected', `${why}: ${approval.summary}`);
}

async function lockPending(tx: Executor, actor: Actor, id: string): Promise<Approval> {
  const [approval] = await tx.select().from(approvals).where(eq(approvals.id, id)).for('update');
  if (!approval || !mayRequest(actor, approval.kind)) {
    throw new AppError('not_found', 'This request does not exist.');
  }
  if (approval.state !== 'pending') {
    throw new AppError('conflict', `This request was already ${approval.state}.`);
  }
  return approval;
}

/** @returns the requester's email. @throws AppError conflict when the requester has lost the permission */
async function requireRequester(tx: Executor, { requestedBy, kind }: Approval): Promise<string> {
  const requester = await findRights(tx, requestedBy);
  if (!requester || !mayRequest(requester, kind)) {
    throw new AppError(
      'conflict',
      'The person who requested this change no longer has permission to make it. Reject the request.',
    );
  }
  return requester.email;
}

async function recordDecision(
  tx: Executor,
  actor: AnyActor,
  approval: Approval,
  state: 'approved' | 'rejected',
  details: string,
) {
  await tx
    .update(approvals)
    .set({ state, decidedBy: actor.userId, decidedAt: new Date() })
    .where(eq(approvals.id, approval.id));
  await recordAudit(tx, actor, {
    action: `approval.${state}`,
    details,
    entityType: 'approval',
    entityId: approval.id,
    amountCents: approval.amountCents ?? undefined,
    before: { requestedBy: approval.requestedBy },
  });
}

async function execute(tx: Transaction, actor: Actor, approval: Approval, executors: ApprovalExecutors): Promise<void> {
  const payloads: { [K in ApprovalKind]: z.ZodType<ApprovalPayloads[K]> } = approvalPayloads;
  const executeKind = <K extends ApprovalKind>(kind: K) =>
    executors[kind](tx, actor, payloads[kind].parse(approval.payload), approval);
  return executeKind(approval.kind);
}
