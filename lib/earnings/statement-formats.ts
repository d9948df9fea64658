import type { NextResponse } from 'next/server';
import { z } from 'zod';
import { formatUsd, walletCurrency } from '@/lib/money';
import { streamResponse } from '@/lib/platform/http/stream-response';
import { generatePdf, type PdfColumn } from '@/lib/platform/pdf/document';
import {
  type EarningEntry,
  entryKinds,
  type Reader,
  type SellerAccount,
  sellerAccounts,
  streamEntries,
} from './accounts';
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

async function* streamStatement(sellerId: string, query: z.output<typeof monthlyStatementQuery>, on: Reader) {
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

const accountNames: Record<SellerAccount, string> = { available: 'Available balance', pending: 'Not payable yet' };

const kindNames: Record<EarningEntry['kind'], string> = {
  earned: 'Earned',
  returned: 'Returned to the buyer',
  ripened: 'Became payable',
  payout: 'Payout requested',
  payout_returned: 'Payout returned',
};

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const addsTo = (account: SellerAccount, kind: EarningEntry['kind']): boolean =>
  kind === 'ripened' ? account === 'available' : kind === 'earned' || kind === 'payout_returned';

const columnsOf = (account: SellerAccount): PdfColumn<EarningEntry>[] => [
  { header: 'Date', share: 14, cell: ({ at }) => at.slice(0, 10) },
  { header: 'Entry', share: 24, cell: ({ kind }) => kindNames[kind] },
  {
    header: 'Order or payout',
    share: 38,
    cell: ({ orderId, website, payoutId }) =>
      orderId === null ? (payoutId ?? '') : `#${orderId} ${website.replace(/^https?:\/\//i, '')}`.trim(),
  },
  {
    header: 'Amount',
    share: 16,
    align: 'right',
    cell: ({ kind, amountCents }) => `${addsTo(account, kind) ? '+' : '−'}${formatUsd(amountCents)}`,
  },
  { header: 'Balance', share: 16, align: 'right', cell: ({ balanceCents }) => formatUsd(balanceCents) },
];

type Parties = {
  sellerId: string;
  sellerName: string;
  sellerEmail: string;
  siteName: string;
};

/** Generates a monthly statement as a PDF, the oldest entry first. */
export async function* generateStatementPdf(
  { sellerId, sellerName, sellerEmail, siteName }: Parties,
  query: z.output<typeof monthlyStatementQuery>,
  on: Reader,
): AsyncGenerator<Uint8Array> {
  const { scope, openingCents, closingCents } = await getMonthlyStatement(sellerId, query, on);
  const month = monthName.format(new Date(`${query.month}-01T00:00:00Z`));
  const title = `Statement of ${month}`;
  yield* generatePdf({ title, footer: `${siteName} · ${title}` }, async function* (pdf) {
    pdf.title(title);
    pdf.paragraph(`${sellerName}\n${sellerEmail}`);
    pdf.space(10);
    pdf.fact('Account', accountNames[query.account]);
    pdf.fact(`Opening balance on ${query.month}-01`, formatUsd(openingCents));
    pdf.fact('Closing balance', formatUsd(closingCents));
    pdf.space(10);
    if (scope) yield* pdf.table(columnsOf(query.account), streamEntries(scope, 'oldest', on));
    else pdf.note('No entries in this month.');
    pdf.space(8);
    pdf.note('Amounts in USD. Months and dates are in UTC.');
  });
}
