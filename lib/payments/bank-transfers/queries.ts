import { and, desc, eq, getTableColumns, gt, ilike, inArray, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import { db } from '@/db/client';
import { countUpTo } from '@/db/count-up-to';
import { readIdPage } from '@/db/read-id-page';
import { accounts } from '@/db/schema/accounts';
import { approvals } from '@/db/schema/approvals';
import { type BankLineState, bankLines, bankTransferRequests } from '@/db/schema/bank-transfers';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { readOperator } from '@/lib/tax/operator';
import { type BankLineView, type bankLinesQuery, bankLineView } from './contract';
import type { TransferRequest } from './postings';
import { findReferences } from './reference';

/** Lists the currencies in which buyers can transfer money, in the order of the operator's accounts. */
export async function listTransferCurrencies() {
  return [...new Set((await readOperator()).operator.bankAccounts.map(({ currency }) => currency))];
}

/** A request for its buyer. `arrived`: a transfer with its reference, credited or being checked. */
export type OwnTransfer = TransferRequest & {
  arrived: { state: BankLineState; creditedCents: number | null }[];
};

/**
 * Finds the user's own request.
 * @param text a reference as people write it
 * @throws AppError not_found, also for that of another user
 */
export async function getOwnTransfer(actor: Actor, text: string): Promise<OwnTransfer> {
  const [reference = ''] = findReferences(text);
  const [request] = await db()
    .select()
    .from(bankTransferRequests)
    .where(and(eq(bankTransferRequests.reference, reference), eq(bankTransferRequests.accountId, actor.accountId)));
  if (!request) throw new AppError('not_found', 'This bank transfer does not exist.');
  const arrived = await db()
    .select({ state: bankLines.state, creditedCents: bankLines.creditedCents })
    .from(bankLines)
    .where(and(eq(bankLines.requestId, request.id), eq(bankLines.isReversal, false)))
    .orderBy(bankLines.id);
  return { ...request, arrived };
}

/** How many open requests a buyer's wallet shows. */
const openShown = 5;

/** Lists a buyer's newest open requests, and those whose money arrived and is being checked. */
export const listOpenTransfers = (accountId: string) => {
  const isArrived = sql<boolean>`exists (select from ${bankLines} where ${bankLines.requestId} = ${bankTransferRequests.id}
    and ${bankLines.state} = 'partial')`;
  return db()
    .select({ ...getTableColumns(bankTransferRequests), isArrived })
    .from(bankTransferRequests)
    .where(
      and(
        eq(bankTransferRequests.accountId, accountId),
        or(and(eq(bankTransferRequests.state, 'open'), gt(bankTransferRequests.expiresAt, sql`now()`)), isArrived),
      ),
    )
    .orderBy(desc(bankTransferRequests.id))
    .limit(openShown);
};
export type OpenTransfer = Awaited<ReturnType<typeof listOpenTransfers>>[number];

/** Counts the lines that staff have to decide about. */
export const countWaitingLines = (): Promise<number> =>
  db().$count(bankLines, inArray(bankLines.state, ['unmatched', 'partial']));

const resolver = alias(users, 'resolver');

/** Lists the lines of bank statements, newest first. */
export async function listBankLines({ state, q, ...page }: z.output<typeof bankLinesQuery>) {
  const filter = and(state && eq(bankLines.state, state), q === '' ? undefined : matches(q));
  const select = () =>
    db()
      .select({
        ...getTableColumns(bankLines),
        request: {
          reference: bankTransferRequests.reference,
          payMinor: bankTransferRequests.payMinor,
          currency: bankTransferRequests.currency,
        },
        user: { name: accounts.name, email: accounts.email },
        resolverEmail: resolver.email,
        isAwaitingApproval: sql<boolean>`exists (select from ${approvals}
          where ${approvals.subject} = 'bank-line:' || ${bankLines.id} and ${approvals.state} = 'pending')`,
      })
      .from(bankLines)
      .leftJoin(bankTransferRequests, eq(bankTransferRequests.id, bankLines.requestId))
      .leftJoin(accounts, eq(accounts.id, bankLines.accountId))
      .leftJoin(resolver, eq(resolver.id, bankLines.resolvedBy));
  const [found, counted] = await Promise.all([
    readIdPage(bankLines.id, page, ({ where, orderBy, limit, offset }) =>
      select().where(and(filter, where)).orderBy(orderBy).limit(limit).offset(offset),
    ),
    countUpTo((limit) =>
      db()
        .select({ id: bankLines.id })
        .from(bankLines)
        .leftJoin(bankTransferRequests, eq(bankTransferRequests.id, bankLines.requestId))
        .leftJoin(accounts, eq(accounts.id, bankLines.accountId))
        .where(filter)
        .limit(limit),
    ),
  ]);
  return { ...found, ...counted, rows: found.rows.map((row): BankLineView => bankLineView(row)) };
}

function matches(q: string) {
  const part = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  const references = findReferences(q);
  if (references.length > 0) {
    // Also of lines that have several references, or that of no request.
    const characters = sql`regexp_replace(upper(${bankLines.remittance}), '[^A-Z0-9]', '', 'g')`;
    const isWritten = references.map((reference) => ilike(characters, `%${reference}%`));
    return or(inArray(bankTransferRequests.reference, references), ...isWritten);
  }
  return or(
    ilike(bankLines.payerName, part),
    ilike(bankLines.remittance, part),
    ilike(accounts.email, part),
    ilike(accounts.name, part),
  );
}
