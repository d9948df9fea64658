import type { BillingIdentity } from '@/db/schema/tax';
import type { Actor } from '@/lib/access/actor';
import { formatMoney, formatUsd, walletCurrency } from '@/lib/money';
import { streamResponse } from '@/lib/platform/http/stream-response';
import { generatePdf } from '@/lib/platform/pdf/document';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { readBillingIdentity } from '@/lib/tax/billing-profile';
import type { Operator } from '@/lib/tax/contract';
import { formatAddress } from '@/lib/tax/format-address';
import { readOperator } from '@/lib/tax/operator';
import { describeRate, getEpcCode, listAccountFacts } from './account-facts';
import type { TransferRequest } from './postings';
import { getOwnTransfer } from './queries';
import { formatReference } from './reference';

/**
 * Sends the pro forma of a buyer's request as a PDF.
 * @throws AppError not_found, also for the request of another user; rate_limited when too many files are being sent
 */
export async function respondWithProForma<T>(actor: Actor, reference: string) {
  const request = await getOwnTransfer(actor, reference);
  const [{ operator }, { siteName }, buyer] = await Promise.all([
    readOperator(),
    getBranding(),
    readBillingIdentity(actor.accountId),
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
  const code = getEpcCode(request);
  return generatePdf({ title: `Pro forma ${name}`, footer: `Pro forma ${name}` }, async function* (pdf) {
    pdf.title('Pro forma');
    pdf.note('A request for a prepayment: neither an invoice nor a receipt.');
    pdf.space(8);
    pdf.fact('Date', toDay(createdAt));
    pdf.fact('Please pay by', toDay(expiresAt));
    pdf.space(10);
    pdf.note('From');
    pdf.paragraph(joinLines(operator.name || siteName, formatAddress(operator)), { country: operator.country });
    pdf.space(6);
    pdf.note('To');
    const buyerReference = buyer?.reference ? `Reference: ${buyer.reference}` : '';
    pdf.paragraph(joinLines(buyer?.company || buyerName, buyer ? formatAddress(buyer) : '', buyerReference), {
      country: buyer?.country ?? '',
    });
    pdf.space(10);
    pdf.fact(`Top-up of the wallet on ${siteName}`, formatUsd(amountCents));
    pdf.fact('Please transfer', formatMoney(payMinor, currency));
    pdf.space(6);
    for (const [label, value] of listAccountFacts(request)) pdf.fact(label, value);
    pdf.fact('Reference, which the transfer must contain', name);
    pdf.space(8);
    if (code) {
      pdf.note('Scan the code with your banking app in the SEPA area.');
      pdf.code(code, 120);
      pdf.space(8);
    }
    if (currency !== walletCurrency && rate !== null) pdf.note(rate);
    pdf.note('The money is added to the wallet once the transfer has arrived and its bank statement was read.');
    yield;
  });
}

const toDay = (time: Date): string => time.toISOString().slice(0, 10);
const joinLines = (...lines: string[]): string => lines.filter(Boolean).join('\n');
