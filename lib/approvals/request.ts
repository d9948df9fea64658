import { and, desc, eq, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { db, type Executor } from '@/db/client';
import { type ApprovalKind, approvals } from '@/db/schema/approvals';
import { users } from '@/db/schema/users';
import type { Transaction } from '@/db/transaction';
import { holds, isControlledBy, wasMember } from '@/lib/access/account-controllers';
import type { Actor, AnyActor } from '@/lib/access/actor';
import { grantedPermissions } from '@/lib/access/authorize';
import { isPermission } from '@/lib/access/permissions';
import { settledPermissions, settledRole, settlingHours } from '@/lib/access/settled-rights';
import { AppError, approvalsPath } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { queueMail } from '@/lib/mail/compose';
import { ApprovalRequestedMail } from '@/lib/mail/templates/staff';
import { recordAudit } from '@/lib/platform/audit/record';
import { type ApprovalPayloads, approvalDays, describeAuthority, mayDecide } from './schemas';
import { independenceRule, isSecondPerson } from './second-person';

export type Approval = typeof approvals.$inferSelect;

export type ApprovalRequest<K extends ApprovalKind = ApprovalKind> = {
  [Kind in K]: {
    kind: Kind;
    subject: string;
    payload: ApprovalPayloads[Kind];
    summary: string;
    amountCents?: number;
    beneficiaryId?: string;
  };
}[K];

/**
 * Thrown inside a transaction to roll it back, because the change needs the approval of a second person. The function
 * that opened the transaction catches it and stores the request.
 */
export class ApprovalRequired extends Error {
  override readonly name = 'ApprovalRequired';
  constructor(readonly request: ApprovalRequest) {
    super(request.summary);
  }
}

/**
 * Stores a change until a second person decides, and mails those who can approve it. A repeated request returns the
 * pending one.
 * @param onStored runs in the transaction that stores a new request
 * @throws AppError conflict when another change of the same subject is pending, or no other user can approve it
 */
export async function requestApproval(
  actor: Actor,
  request: ApprovalRequest,
  onStored?: (tx: Executor) => Promise<void>,
): Promise<Approval> {
  return db().transaction(async (tx) => {
    const { kind, subject, summary } = request;
    const deciders = await requireDeciders(tx, actor, request);
    await tx
      .update(approvals)
      .set({ state: 'rejected', decidedAt: sql`now()` })
      .where(
        and(
          eq(approvals.subject, subject),
          eq(approvals.state, 'pending'),
          sql`${approvals.requestedAt} < now() - make_interval(days => ${approvalDays})`,
        ),
      );
    const [stored] = await tx
      .insert(approvals)
      .values({ id: newId(), requestedBy: actor.userId, ...request })
      .onConflictDoNothing()
      .returning();
    if (!stored) return requireSameRequest(await findPending(tx, subject), request);
    await recordAudit(tx, actor, {
      action: 'approval.requested',
      details: `${summary} Waiting for approval by a second person with ${describeAuthority(kind)}.`,
      entityType: 'approval',
      entityId: stored.id,
      amountCents: request.amountCents,
      after: { kind, subject },
    });
    await queueMail(tx, {
      kind: 'approval',
      to: deciders,
      subject: 'A change is waiting for your approval',
      body: (context) =>
        createElement(ApprovalRequestedMail, {
          ...context,
          summary,
          requester: actor.email,
          url: `${context.appUrl}${approvalsPath}`,
        }),
    });
    await onStored?.(tx);
    return stored;
  });
}

/** Makes a change in a transaction. @returns the request for its approval if it needs one; null when it was made */
export async function changeOrRequest(
  actor: Actor,
  change: (tx: Transaction) => Promise<void>,
): Promise<Approval | null> {
  try {
    await db().transaction(change);
    return null;
  } catch (thrown) {
    if (thrown instanceof ApprovalRequired) return requestApproval(actor, thrown.request);
    throw thrown;
  }
}

/**
 * Runs a change that may need a second person, and stores the request if it does.
 * @param texts complete the message: "This … requires approval by a second person. It was sent for approval, and … until
 * then."
 * @throws AppError conflict for a change that was submitted for approval
 */
export async function withApproval<T>(
  actor: Actor,
  work: () => Promise<T>,
  [change, rest]: readonly [string, string],
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof ApprovalRequired)) throw thrown;
    await requestApproval(actor, thrown.request);
    throw new AppError(
      'conflict',
      `${thrown.request.summary} This ${change} requires approval by a second person. It was sent for approval, and ${rest} until then.`,
      { url: approvalsPath },
    );
  }
}

/** Finds the newest request about a subject, in any state. */
export async function findApproval(tx: Executor, subject: string): Promise<Approval | undefined> {
  const [found] = await tx
    .select()
    .from(approvals)
    .where(eq(approvals.subject, subject))
    .orderBy(desc(approvals.id))
    .limit(1);
  return found;
}

async function findPending(tx: Executor, subject: string): Promise<Approval | undefined> {
  const [found] = await tx
    .select()
    .from(approvals)
    .where(and(eq(approvals.subject, subject), eq(approvals.state, 'pending')));
  return found;
}

function requireSameRequest(pending: Approval | undefined, request: ApprovalRequest): Approval {
  if (pending && pending.summary === request.summary) return pending;
  throw new AppError(
    'conflict',
    `Another change is already waiting for approval: ${pending?.summary ?? request.summary} Approve or reject it first.`,
  );
}

/**
 * Lists the email addresses of those who can approve what the actor requests.
 * @throws AppError conflict if there are none
 */
export async function requireDeciders(
  tx: Executor,
  { userId }: Actor,
  { summary, ...concern }: Concern & Pick<ApprovalRequest, 'summary'>,
): Promise<string[]> {
  const deciders = await listDeciders(tx, userId, concern);
  if (deciders.length > 0) return deciders;
  throw new AppError(
    'conflict',
    `${summary} This requires approval by a second person who has ${describeAuthority(concern.kind)}, has had it for ${settlingHours} hours, and is independent of you. There is none. ${independenceRule}`,
  );
}

/** Lists the email addresses of those who can approve a request: second persons with rights that have settled. */
async function listDeciders(tx: Executor, requestedBy: string, { kind, beneficiaryId }: Concern): Promise<string[]> {
  const rows = await tx
    .select({ email: users.email, role: settledRole, permissions: settledPermissions })
    .from(users)
    .where(and(isStaff, isSecondPerson(sql`users.id`, { requestedBy, beneficiaryId })));
  return rows
    .filter(({ role, permissions }) => mayDecide({ role, permissions: permissions.filter(isPermission) }, kind))
    .map(({ email }) => email);
}

/**
 * Checks whether another user has the right to decide a change, although the user may not be independent of the
 * requester: changes that need a second person only if there is one.
 */
export async function hasOtherDecider(
  tx: Executor,
  requestedBy: string,
  { kind, beneficiaryId }: Concern,
  isCounted?: SQL,
): Promise<boolean> {
  const rows = await tx
    .select({ role: users.role, permissions: grantedPermissions })
    .from(users)
    .where(and(isStaff, ne(users.id, requestedBy), ne(users.id, beneficiaryId ?? ''), isCounted));
  return rows.some(({ role, permissions }) => mayDecide({ role, permissions: permissions.filter(isPermission) }, kind));
}

/**
 * Checks as `hasOtherDecider`, and leaves out the accounts that the requester controls: the founder of a small firm, who
 * added all others, pays and refunds below the limits alone.
 */
export const hasOtherPerson = (tx: Executor, requestedBy: string, concern: Concern): Promise<boolean> =>
  hasOtherDecider(tx, requestedBy, concern, sql`not ${isControlledBy(sql`users.id`, requestedBy)}`);

type Concern = Pick<ApprovalRequest, 'kind' | 'beneficiaryId'>;

const isStaff = and(
  eq(users.status, 'Active'),
  isNull(users.deletedAt),
  or(sql`lower(${users.role}) = 'admin'`, sql`'AdminDashboard' = any(${grantedPermissions})`),
);

/**
 * Prevents users from deciding on what is their own, or of an account of which they are a member, whatever their
 * permissions.
 * @param what completes "You cannot …", e.g. "credit your own wallet"
 * @throws AppError forbidden
 */
export function requireNotOwn(actor: AnyActor, walletOwner: string, what: string): void {
  if (actor.userId === null || (actor.userId !== walletOwner && !actor.memberOf.includes(walletOwner))) return;
  throw new AppError('forbidden', `You cannot ${what}. Ask another person with this permission.`);
}

/**
 * Checks whether an account is the actor's own, or one of which the actor is or was a member. Of a personal account, only
 * the current members count.
 */
export const isOwnAccount = async (
  tx: Pick<Executor, 'execute'>,
  { userId, memberOf }: Pick<Actor, 'userId' | 'memberOf'>,
  accountId: string,
): Promise<boolean> =>
  userId === accountId || memberOf.includes(accountId) || (await holds(tx, wasMember(accountId, userId)));

/**
 * Prevents staff from deciding on the money and orders of their own account, and of a team of which they are or were a
 * member.
 * @param what completes "You cannot …", e.g. "credit your own wallet"
 * @throws AppError forbidden
 */
export async function requireOthersAccount(
  tx: Pick<Executor, 'execute'>,
  actor: AnyActor,
  accountId: string,
  what: string,
): Promise<void> {
  if (actor.userId === null || !(await isOwnAccount(tx, actor, accountId))) return;
  throw new AppError('forbidden', `You cannot ${what}. Ask another person with this permission.`);
}
