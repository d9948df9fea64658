import type { z } from 'zod';
import { formatMoney, walletCurrency } from '@/lib/money';
import { generatePdf, type PdfColumn } from '@/lib/platform/pdf/document';
import { type EarningEntry, type Reader, type SellerAccount, streamEntries } from './accounts';
import { getMonthlyStatement, type monthlyStatementQuery } from './statement';

const accountNames: Record<SellerAccount, string> = { available: 'Available balance', pending: 'Not payable yet' };

const kindNames: Record<EarningEntry['kind'], string> = {
  earned: 'Earned',
  returned: 'Returned to the buyer',
  ripened: 'Became payable',
  payout: 'Payout requested',
  payout_returned: 'Payout returned',
};

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const money = (cents: number) => formatMoney(cents, walletCurrency);

/** Whether an entry adds to the balance of its account. */
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
    cell: ({ kind, amountCents }) => `${addsTo(account, kind) ? '+' : '−'}${money(amountCents)}`,
  },
  { header: 'Balance', share: 16, align: 'right', cell: ({ balanceCents }) => money(balanceCents) },
];

type Parties = {
  sellerId: string;
  sellerName: string;
  sellerEmail: string;
  /** The name of the marketplace. */
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
    pdf.fact(`Opening balance on ${query.month}-01`, money(openingCents));
    pdf.fact('Closing balance', money(closingCents));
    pdf.space(10);
    if (scope) yield* pdf.table(columnsOf(query.account), streamEntries(scope, 'oldest', on));
    else pdf.note('No entries in this month.');
    pdf.space(8);
    pdf.note('Amounts in USD. Months and dates are in UTC.');
  });
}
