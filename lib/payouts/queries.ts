import { and, desc, eq, getTableColumns, ilike, lt, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { countCap, countRows, searchCountCap } from '@/db/count-up-to';
import { readIdPage } from '@/db/read-id-page';
import { readInBatches } from '@/db/read-in-batches';
import { approvals } from '@/db/schema/approvals';
import {
  isOpenPayout,
  payoutBatches,
  payoutMethodKinds,
  payoutMethods,
  payoutStates,
  payouts,
} from '@/db/schema/payouts';
import { userSearchText, users } from '@/db/schema/users';
import { textContains } from '@/db/search';
import type { Reader } from '@/db/snapshot';
import { approvalDays } from '@/lib/approvals/schemas';
import type { PageRequest } from '@/lib/id-cursor';
import { walletCurrency } from '@/lib/money';
import { isCounted } from './approve';
import { isAtProvider } from './batches';
import type { AdminPayoutRow, adminPayoutsQuery, PayoutRisk, PayoutRow } from './contract';
import { payoutNotFoundError } from './move-payout';
import { getReturnSubject } from './return';

/** Lists a seller's payouts, newest first. */
export async function listSellerPayouts(sellerId: string, page: PageRequest) {
  const isOwn = eq(payouts.sellerId, sellerId);
  const [found, counted] = await Promise.all([
    readIdPage(payouts.id, page, ({ where, orderBy, limit, offset }) =>
      selectSellerPayouts(db()).where(and(isOwn, where)).orderBy(orderBy).limit(limit).offset(offset),
    ),
    countRows(payouts, isOwn),
  ]);
  return { ...found, ...counted };
}

const selectSellerPayouts = (on: Executor) =>
  on
    .select({ ...getTableColumns(payouts), lastFour: payoutMethods.lastFour })
    .from(payouts)
    .innerJoin(payoutMethods, eq(payoutMethods.id, payouts.methodId));

/** Finds a payout of a seller. @throws AppError not_found, also for a payout of another seller */
export async function getSellerPayout(sellerId: string, id: string, on: Executor = db()): Promise<PayoutRow> {
  const [row] = await selectSellerPayouts(on).where(and(eq(payouts.id, id), eq(payouts.sellerId, sellerId)));
  if (!row) throw payoutNotFoundError();
  return row;
}

/** Finds the payout of a seller that waits for staff; a seller has at most one. */
export async function findOpenPayout(sellerId: string): Promise<PayoutRow | undefined> {
  const [row] = await selectSellerPayouts(db()).where(and(eq(payouts.sellerId, sellerId), isOpenPayout));
  return row;
}

const firstApprover = alias(users, 'first_approver');
const approver = alias(users, 'approver');

const newMethodDays = 30;

/** The reasons to look at a payout before its approval, as an array of `PayoutRisk`. */
const risks = sql<PayoutRisk[]>`array_remove(array[
  case when ${payouts.state} = 'requested' and ${payoutMethods.replacedAt} is not null then 'method_replaced' end,
  case when ${users.status} <> 'Active' then 'seller_suspended' end,
  case when ${payoutMethods.createdAt} > ${payouts.createdAt} - make_interval(days => ${newMethodDays})
    and exists (select from payout_methods other where other.seller_id = ${payouts.sellerId} and other.id < ${payouts.methodId})
    then 'new_method' end,
  case when not exists (
    select from payouts paid where paid.seller_id = ${payouts.sellerId} and paid.state = 'paid' and paid.id < ${payouts.id})
    then 'first_payout' end,
  case when ${payouts.amountCents} > 2 * (
    select max(amount_cents) from (
      select amount_cents from payouts paid
      where paid.seller_id = ${payouts.sellerId} and paid.state = 'paid' and paid.id < ${payouts.id}
      order by id desc limit 10) as earlier)
    then 'more_than_usual' end,
  -- Not exists(), for which PostgreSQL may read the disputes of all sellers first.
  case when (
    select true from placements where placements.seller_id = ${payouts.sellerId} and placements.state = 'disputed' limit 1)
    then 'open_dispute' end
], null)`;

const selectPayouts = (on: Reader = db()) =>
  on
    .select({
      ...getTableColumns(payouts),
      lastFour: payoutMethods.lastFour,
      methodUsableAt: payoutMethods.usableAt,
      sellerName: users.name,
      sellerEmail: users.email,
      firstApproverEmail: firstApprover.email,
      approverEmail: approver.email,
      isAtProvider: sql<boolean>`coalesce(${and(eq(payoutBatches.kind, 'paypal'), isAtProvider)}, false)`,
      isReturnPending: sql<boolean>`exists (select from ${approvals}
        where ${approvals.subject} = ${getReturnSubject('')} || ${payouts.id} and ${approvals.state} = 'pending'
          and ${approvals.requestedAt} > now() - make_interval(days => ${approvalDays}))`,
      risks,
    })
    .from(payouts)
    .innerJoin(payoutMethods, eq(payoutMethods.id, payouts.methodId))
    .innerJoin(users, eq(users.id, payouts.sellerId))
    .leftJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
    .leftJoin(firstApprover, eq(firstApprover.id, payouts.firstApprovedBy))
    .leftJoin(approver, eq(approver.id, payouts.approvedBy));

type PayoutsFilter = Pick<z.output<typeof adminPayoutsQuery>, 'state' | 'q'>;

function payoutsCondition({ state, q }: PayoutsFilter): SQL | undefined {
  const pattern = `%${(q ?? '').replace(/[\\%_]/g, '\\$&')}%`;
  // The sellers are found once by their index, and not for each payout.
  const matching = sql`select id from ${users}
    where ${textContains(userSearchText, q ?? '')} and (${ilike(users.email, pattern)} or ${ilike(users.name, pattern)})`;
  return and(
    state && eq(payouts.state, state),
    q ? sql`(${eq(payouts.id, q)} or ${payouts.sellerId} in (${matching}))` : undefined,
  );
}

/** Reads all payouts that match a filter in batches, newest first. */
export const streamPayouts = (filter: PayoutsFilter, batchSize: number, on?: Reader) =>
  readInBatches<AdminPayoutRow>(batchSize, (last) =>
    selectPayouts(on)
      .where(and(payoutsCondition(filter), last && lt(payouts.id, last.id)))
      .orderBy(desc(payouts.id))
      .limit(batchSize),
  );

/** Lists the payouts for staff, newest first. */
export async function listPayouts({ limit, offset, cursor, state, q }: z.output<typeof adminPayoutsQuery>) {
  const condition = payoutsCondition({ state, q });
  const [page, counted] = await Promise.all([
    readIdPage(payouts.id, { limit, offset, cursor }, (range) =>
      selectPayouts().where(and(condition, range.where)).orderBy(range.orderBy).limit(range.limit).offset(range.offset),
    ),
    countRows(payouts, condition, db(), q ? searchCountCap : countCap),
  ]);
  return { ...page, rows: await Promise.all(page.rows.map(hideLostApproval)), ...counted };
}

/** Leaves out a first approval that no longer counts. */
const hideLostApproval = async (row: AdminPayoutRow): Promise<AdminPayoutRow> =>
  row.state !== 'requested' || row.firstApprovedBy === null || (await isCounted(row.firstApprovedBy))
    ? row
    : { ...row, firstApproverEmail: null };

/** Finds a payout for staff. @throws AppError not_found */
export async function getPayout(id: string): Promise<AdminPayoutRow> {
  const [row] = await selectPayouts().where(eq(payouts.id, id));
  if (!row) throw payoutNotFoundError();
  return hideLostApproval(row);
}

const totalRow = z.object({
  state: z.enum(payoutStates),
  methodKind: z.enum(payoutMethodKinds),
  count: z.int(),
  cents: z.coerce.number(),
});
export type PayoutTotal = z.output<typeof totalRow>;

/** Sums what sellers receive by the payouts in progress, by state and kind of method, in USD cents. */
export async function getPayoutTotals(): Promise<PayoutTotal[]> {
  const rows = await db().execute(sql`
    select state, method_kind as "methodKind", count(*)::int as count, sum(amount_cents - fee_cents) as cents
    from payouts where state in ('requested', 'approved', 'sent') group by state, method_kind order by state, method_kind`);
  return z.array(totalRow).parse([...rows]);
}

/** Returns what the books say that PayPal holds for the operator, in USD cents. */
export async function getPaypalHeldCents(): Promise<number> {
  const rows = await db().execute(sql`
    select coalesce((select balance_cents from account_rollups where account_id = a.id), 0) + coalesce((
      select sum(case when t.to_account = a.id then t.amount_cents else -t.amount_cents end)
      from ledger.transfers_since_rollup() t where a.id in (t.from_account, t.to_account)), 0) as balance
    from ledger.accounts a where a.kind = 'clearing' and a.owner = 'paypal' and a.currency = ${walletCurrency}`);
  const [row] = z.array(z.object({ balance: z.coerce.number() })).parse([...rows]);
  // Accounts that money comes out of have negative balances.
  return 0 - (row?.balance ?? 0);
}
