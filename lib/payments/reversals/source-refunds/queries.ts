import { and, desc, eq, getTableColumns, ilike, inArray, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import { db } from '@/db/client';
import { type CappedCount, countRows, countUpTo } from '@/db/count-up-to';
import { readIdPage } from '@/db/read-id-page';
import { accounts } from '@/db/schema/accounts';
import { approvals } from '@/db/schema/approvals';
import { sourceRefunds } from '@/db/schema/source-refunds';
import { topups } from '@/db/schema/topups';
import { type UserStatus, users } from '@/db/schema/users';
import type { PageRequest } from '@/lib/id-cursor';
import {
  type AdminSourceRefundRow,
  type adminRefundsQuery,
  adminSourceRefundView,
  type RefundableTopupView,
  type StartedRefundView,
} from './contract';
import type { StartedRefund } from './create';
import type { SourceRefund } from './postings';
import { listRefundable } from './refundable';
import { refundNotFoundError } from './transition';

/** Lists a buyer's refunds to the payment method, newest first. */
export async function listOwnRefunds(accountId: string, page: PageRequest) {
  const isOwn = eq(sourceRefunds.accountId, accountId);
  const [found, counted] = await Promise.all([
    readIdPage(sourceRefunds.id, page, ({ where, orderBy, limit, offset }) =>
      db().select().from(sourceRefunds).where(and(isOwn, where)).orderBy(orderBy).limit(limit).offset(offset),
    ),
    countRows(sourceRefunds, isOwn),
  ]);
  return { ...found, ...counted };
}

/** Finds a refund of a buyer. @throws AppError not_found, also for the refund of another user */
export async function getOwnRefund(accountId: string, id: string): Promise<SourceRefund> {
  const [row] = await db()
    .select()
    .from(sourceRefunds)
    .where(and(eq(sourceRefunds.id, id), eq(sourceRefunds.accountId, accountId)));
  if (!row) throw refundNotFoundError();
  return row;
}

/** The number of paid top-ups that are offered for a refund; older payments are rarely refundable at the provider. */
const topupsShown = 10;

/** Lists the newest paid top-ups of a user, and what can be refunded of each. */
export async function listRefundableTopups(accountId: string): Promise<RefundableTopupView[]> {
  const rows = await db()
    .select()
    .from(topups)
    .where(and(eq(topups.accountId, accountId), inArray(topups.status, ['paid', 'disputed'])))
    .orderBy(desc(topups.createdAt), desc(topups.id))
    .limit(topupsShown);
  if (rows.length === 0) return [];
  const refundable = await listRefundable(db(), accountId, rows);
  return rows.map((topup, index) => {
    const found = refundable[index];
    return {
      topupId: topup.id,
      provider: topup.provider,
      amountCents: topup.amountCents,
      currency: topup.currency,
      paidAt: topup.paidAt?.toISOString() ?? null,
      refundableCents: found?.refusal === null ? found.refundableCents : 0,
      refusal: found?.refusal ?? null,
    };
  });
}

const requester = alias(users, 'requester');
const approver = alias(users, 'approver');
const secondApprover = alias(users, 'second_approver');

const selectRefunds = () =>
  db()
    .select({
      ...getTableColumns(sourceRefunds),
      userName: accounts.name,
      userEmail: accounts.email,
      userStatus: sql<UserStatus>`coalesce(${users.status}, 'Active')`,
      isDeleted: sql<boolean>`${accounts.deletedAt} is not null`,
      requesterEmail: requester.email,
      approverEmail: approver.email,
      secondApproverEmail: secondApprover.email,
      isAwaitingApproval: sql<boolean>`${sourceRefunds.state} = 'requested' and exists (
        select from ${approvals}
        where ${approvals.subject} = 'source_refund:' || ${sourceRefunds.id} and ${approvals.state} = 'pending')`,
    })
    .from(sourceRefunds)
    .innerJoin(accounts, eq(accounts.id, sourceRefunds.accountId))
    .leftJoin(users, eq(users.id, accounts.id))
    .leftJoin(requester, eq(requester.id, sourceRefunds.requestedBy))
    .leftJoin(approver, eq(approver.id, sourceRefunds.approvedBy))
    .leftJoin(secondApprover, eq(secondApprover.id, sourceRefunds.secondApprovedBy));

/** Lists the refunds for staff, newest first. */
export async function listRefunds({ limit, offset, cursor, state, q }: z.output<typeof adminRefundsQuery>) {
  const pattern = `%${(q ?? '').replace(/[\\%_]/g, '\\$&')}%`;
  const condition = and(
    state && eq(sourceRefunds.state, state),
    q ? or(eq(sourceRefunds.id, q), ilike(accounts.email, pattern), ilike(accounts.name, pattern)) : undefined,
  );
  const [page, counted] = await Promise.all([
    readIdPage(sourceRefunds.id, { limit, offset, cursor }, (range) =>
      selectRefunds().where(and(condition, range.where)).orderBy(range.orderBy).limit(range.limit).offset(range.offset),
    ),
    countUpTo((most) =>
      db()
        .select({ one: sql`1`.as('one') })
        .from(sourceRefunds)
        .innerJoin(accounts, eq(accounts.id, sourceRefunds.accountId))
        .where(condition)
        .limit(most),
    ),
  ]);
  return { ...page, ...counted };
}

/** Counts the requests that wait for staff. */
export const countRequestedRefunds = (): Promise<CappedCount> =>
  countRows(sourceRefunds, eq(sourceRefunds.state, 'requested'));

/** Finds a refund for staff. @throws AppError not_found */
export async function getRefund(id: string): Promise<AdminSourceRefundRow> {
  const [row] = await selectRefunds().where(eq(sourceRefunds.id, id));
  if (!row) throw refundNotFoundError();
  return row;
}

/** Returns a refund that staff started, or that waits for a second person, as the API states it. */
export async function getStartedRefund({ refundId, approvalId }: StartedRefund): Promise<StartedRefundView> {
  return { refund: refundId === null ? null : adminSourceRefundView(await getRefund(refundId)), approvalId };
}
