import { formatRate } from '@/lib/settings/exchange-rates';
import { buildEpcCode } from './epc-code';
import type { TransferRequest } from './postings';

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

/** Returns the content of the QR code for banking apps; null for a transfer that has none, such as one in USD. */
export const getEpcCode = ({
  account: { holder, iban, bic },
  currency,
  payMinor,
  reference,
}: Pick<TransferRequest, 'account' | 'currency' | 'payMinor' | 'reference'>): string | null =>
  currency === 'EUR' ? buildEpcCode({ name: holder, iban, bic, amountCents: payMinor, reference }) : null;

/** Says what a transfer in another currency is credited with. */
export const describeRate = ({
  rateMicros,
  currency,
}: Pick<TransferRequest, 'rateMicros' | 'currency'>): string | null =>
  rateMicros === null
    ? null
    : `1 ${currency} = ${formatRate(rateMicros)} USD now. The credit uses the European Central Bank’s rate of the day on which the transfer is booked, so it can differ a little.`;
