import { toDecimalString } from '@/lib/money';
import { type CsvColumn, generateCsv } from '@/lib/platform/csv';
import type { AdminTransactionRow } from './contract';
import { streamTransactions } from './queries';
import type { TransactionReader } from './transaction-pages';

const columns: readonly CsvColumn<AdminTransactionRow>[] = [
  ['ID', ({ id }) => id],
  ['Time (UTC)', ({ createdAt }) => createdAt],
  ['User', ({ userName }) => userName],
  ['Email', ({ userEmail }) => userEmail],
  ['Kind', ({ kind }) => kind ?? 'pending'],
  ['Type', ({ type }) => type],
  ['Method', ({ method }) => method],
  // Never negative: `Type` gives the direction.
  ['Amount (USD)', ({ amountCents }) => toDecimalString(amountCents)],
  ['Status', ({ status }) => status],
  ['Note', ({ note }) => note],
];

/** Generates the filtered list of all wallet transactions as CSV (RFC 4180), the newest first, in batches. */
export const exportTransactions = (q: string, on?: TransactionReader): AsyncGenerator<string> =>
  generateCsv(columns, streamTransactions({ q, userId: undefined }, { ...(on && { on }) }));
