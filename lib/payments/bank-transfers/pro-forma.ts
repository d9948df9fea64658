import type { BillingIdentity } from '@/db/schema/tax';
import type { Actor } from '@/lib/access/actor';
import { formatMoney, formatUsd, walletCurrency } from '@/lib/money';
import { streamResponse } from '@/lib/platform/http/stream-response';
import { generatePdf } from '@/lib/platform/pdf/document';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { formatRate } from '@/lib/settings/exchange-rates';
import { readBillingIdentity } from '@/lib/tax/billing-profile';
import type { Operator } from '@/lib/tax/contract';
import { readOperator } from '@/lib/tax/operator';
import type { TransferRequest } from './postings';
import { getOwnTransfer } from './queries';
import { formatReference } from './reference';

/** Lists the details of the account that a buyer transfers to, by their labels. */
export function listAccountFacts({ account }: Pick<TransferRequest, 'account'>): [label: string, value: string][] {
  const { holder, iban, bic, accountNumber, routingNumber, bankName } = account;
  const facts: [string, string][] = [
    ['Account holder', holder],
    ['IBAN', iban.replace(/.{4}(?=.)/g, '$& ')],
    ['BIC', bic],
    ['Account number', accountNumber],
    ['Routing number', routingNumber],
    ['Bank', bankName],
  ];
  return facts.filter(([, value]) => value !== '');
}

/** Says what a transfer in another currency is credited with. */
export const describeRate = ({
  rateMicros,
  currency,
}: Pick<TransferRequest, 'rateMicros' | 'currency'>): string | null =>
  rateMicros === null
    ? null
    : `1 ${currency} = ${formatRate(rateMicros)} USD now. The credit uses the European Central Bank’s rate of the day on which the transfer is booked, so it can differ a little.`;

/**
 * Sends the pro forma of a buyer's request as a PDF.
 * @throws AppError not_found, also for the request of another user; rate_limited when too many files are being sent
 */
export async function respondWithProForma<T>(actor: Actor, reference: string) {
  const request = await getOwnTransfer(actor, reference);
  const [{ operator }, { siteName }, buyer] = await Promise.all([
    readOperator(),
    getBranding(),
    readBillingIdentity(actor.userId),
  ]);
  return streamResponse<T>(actor, async () => ({
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="pro-forma-${request.reference}.pdf"`,
      'X-Content-Type-Options': 'nosniff',
    },
    pieces: generateProForma(request, { operator, siteName, buyer, buyerName: actor.name }),
  }));
}

type Parties = { operator: Operator; siteName: string; buyer: BillingIdentity | null; buyerName: string };

function generateProForma(request: TransferRequest, { operator, siteName, buyer, buyerName }: Parties) {
  const { reference, payMinor, currency, amountCents, createdAt, expiresAt } = request;
  const name = formatReference(reference);
  const rate = describeRate(request);
  return generatePdf({ title: `Pro forma ${name}`, footer: `Pro forma ${name}` }, async function* (pdf) {
    pdf.title('Pro forma');
    pdf.note('A request for a prepayment: neither an invoice nor a receipt.');
    pdf.space(8);
    pdf.fact('Date', toDay(createdAt));
    pdf.fact('Please pay by', toDay(expiresAt));
    pdf.space(10);
    pdf.note('From');
    pdf.paragraph(
      joinLines(operator.name || siteName, operator.street, `${operator.postcode} ${operator.city}`, operator.country),
    );
    pdf.space(6);
    pdf.note('To');
    pdf.paragraph(
      joinLines(
        buyer?.company || buyerName,
        buyer?.street ?? '',
        `${buyer?.postcode ?? ''} ${buyer?.city ?? ''}`,
        buyer?.country ?? '',
        buyer?.reference ? `Reference: ${buyer.reference}` : '',
      ),
    );
    pdf.space(10);
    pdf.fact(`Top-up of the wallet on ${siteName}`, formatUsd(amountCents));
    pdf.fact('Please transfer', formatMoney(payMinor, currency));
    pdf.space(6);
    for (const [label, value] of listAccountFacts(request)) pdf.fact(label, value);
    pdf.fact('Reference, which the transfer must contain', name);
    pdf.space(8);
    if (currency !== walletCurrency && rate !== null) pdf.note(rate);
    pdf.note('The money is added to the wallet once the transfer has arrived and its bank statement was read.');
    yield;
  });
}

const toDay = (time: Date): string => time.toISOString().slice(0, 10);
const joinLines = (...lines: string[]): string =>
  lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');
