import { z } from 'zod';
import { db } from '@/db/client';
import { toDecimalString, walletCurrency } from '@/lib/money';
import { type CsvColumn, generateCsv } from '@/lib/platform/csv';
import type { AdminTransactionsQuery } from './admin-schemas';
import type { AdminTransactionRow } from './contract';
import { streamTransactions, streamWalletTransactions } from './queries';
import type { TransactionReader } from './transaction-pages';

const begin: readonly CsvColumn<AdminTransactionRow>[] = [
  ['ID', ({ id }) => id],
  ['Time (UTC)', ({ createdAt }) => createdAt],
];

const movement: readonly CsvColumn<AdminTransactionRow>[] = [
  ['Type', ({ type }) => type],
  ['Method', ({ method }) => method],
  // Never negative: `Type` gives the direction.
  [`Amount (${walletCurrency})`, ({ amountCents }) => toDecimalString(amountCents)],
  ['Status', ({ status }) => status],
  ['Note', ({ note }) => note],
];

const columns: readonly CsvColumn<AdminTransactionRow>[] = [
  ...begin,
  ['User', ({ userName }) => userName],
  ['Email', ({ userEmail }) => userEmail],
  ['Kind', ({ kind }) => kind ?? 'pending'],
  ...movement,
];

/** Generates the filtered list of all wallet transactions as CSV (RFC 4180), the newest first, in batches. */
export const exportTransactions = (
  filter: Pick<AdminTransactionsQuery, 'q' | 'userId'>,
  on?: TransactionReader,
): AsyncGenerator<string> => generateCsv(columns, streamTransactions(filter, { ...(on && { on }) }));

/** The filter of the buyer's wallet, of the screen and of its export. */
export const ownTransactionsQuery = z.object({
  q: z.string().trim().max(200).default('').describe('A part of an id, note, method, amount or date.'),
});

const ownColumns: typeof columns = [...begin, ...movement, ['Order', ({ orderId }) => orderId]];

/** Generates the filtered transactions of a user's wallet as CSV, the newest first, in batches. */
export const exportWalletTransactions = (
  userId: string,
  q: string,
  on: TransactionReader = db(),
): AsyncGenerator<string> => generateCsv(ownColumns, streamWalletTransactions(userId, q, on));
