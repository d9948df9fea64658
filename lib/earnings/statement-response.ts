import type { NextResponse } from 'next/server';
import { z } from 'zod';
import { walletCurrency } from '@/lib/money';
import { streamResponse } from '@/lib/platform/http/stream-response';
import { type EarningEntry, entryKinds, type Reader, sellerAccounts, streamEntries } from './accounts';
import { getMonthlyStatement, type monthlyStatementQuery } from './statement';

/** The response of GET /api/seller/statement. */
export const monthlyStatementResponse = z
  .object({
    month: z.string().describe('YYYY-MM, in UTC.'),
    account: z.enum(sellerAccounts),
    openingCents: z.int().describe('The balance before the first entry, in USD cents.'),
    closingCents: z.int().describe('The balance after the last entry, in USD cents.'),
    currency: z.string(),
    entries: z.array(
      z.object({
        id: z.int().describe('The number of the entry in its account, from 1 without gaps.'),
        at: z.iso.datetime(),
        kind: z
          .enum(entryKinds)
          .describe(
            '`earned` and `returned` move the pending account, `payout` and `payout_returned` the available one. `ripened` moves money from the pending to the available account.',
          ),
        amountCents: z.int().describe('USD cents, never negative; `kind` and `account` give the direction.'),
        balanceCents: z.int().describe('The balance after the entry, in USD cents.'),
        orderId: z.int().nullable(),
        website: z.string(),
        payoutId: z.string().nullable(),
      }),
    ),
  })
  .meta({ title: 'SellerStatement' });
type StatementResponse = z.output<typeof monthlyStatementResponse>;

const entryView = ({ hasPage: _, ...entry }: EarningEntry): StatementResponse['entries'][number] => entry;

/**
 * Sends a monthly statement. It is streamed from one snapshot of the database, because a month can have any number of
 * entries.
 * @throws AppError rate_limited when too many lists are being sent
 */
export const respondWithStatement = (
  caller: { userId: string; requestId: string },
  query: z.output<typeof monthlyStatementQuery>,
): Promise<NextResponse<StatementResponse>> =>
  streamResponse(caller, async ({ on }) => ({
    headers: { 'Content-Type': 'application/json' },
    pieces: streamStatement(caller.userId, query, on),
  }));

async function* streamStatement(
  sellerId: string,
  query: z.output<typeof monthlyStatementQuery>,
  on: Reader,
): AsyncGenerator<string> {
  const { scope, ...statement } = await getMonthlyStatement(sellerId, query, on);
  const head = JSON.stringify({ ...statement, currency: walletCurrency });
  yield `${head.slice(0, -1)},"entries":[`;
  if (scope) {
    let separator = '';
    for await (const rows of streamEntries(scope, 'oldest', on)) {
      yield separator + rows.map((entry) => JSON.stringify(entryView(entry))).join(',');
      separator = ',';
    }
  }
  yield ']}';
}
