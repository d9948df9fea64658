import { toDecimalString } from '@/lib/money';
import { csvLine } from '@/lib/platform/csv';
import { type BankBatch, checkBatch, toBankText, toRequiredBankText } from './batch';

const columns = [
  'message_id',
  'end_to_end_id',
  'execution_date',
  'amount',
  'currency',
  'holder',
  'address_line_1',
  'address_line_2',
  'postal_code',
  'town',
  'country',
  'format',
  'iban',
  'bic',
  'account_number',
  'routing_number',
  'account_type',
  'remittance',
] as const;

/**
 * Writes a batch as CSV for banks that take no pain.001, with the same texts as the pain.001 file.
 * @returns the file as UTF-8 text, one line a payout below the header
 * @throws AppError unprocessable for a batch that no bank would accept
 */
export function buildPayoutCsv(batch: BankBatch): string {
  checkBatch(batch);
  const lines = batch.payouts.map(({ endToEndId, amountCents, details, remittance }) => {
    const [first = '', second = ''] = details.addressLines;
    const cells: Record<(typeof columns)[number], string> = {
      message_id: batch.messageId,
      end_to_end_id: endToEndId,
      execution_date: batch.executionDate,
      amount: toDecimalString(amountCents),
      currency: batch.currency,
      holder: toRequiredBankText(details.holder, 70, "the account holder's name"),
      address_line_1: toRequiredBankText(first, 70, 'the address'),
      address_line_2: toBankText(second, 70),
      postal_code: toBankText(details.postalCode ?? '', 16),
      town: toRequiredBankText(details.town, 35, 'the town'),
      country: details.country,
      format: details.format,
      iban: details.format === 'iban' ? details.iban : '',
      bic: details.format === 'iban' ? (details.bic ?? '') : '',
      account_number: details.format === 'account' ? details.accountNumber : '',
      routing_number: details.format === 'account' ? details.routingNumber : '',
      account_type: details.format === 'account' ? details.accountType : '',
      remittance: toBankText(remittance, 140),
    };
    return csvLine(columns.map((column) => cells[column]));
  });
  return csvLine(columns) + lines.join('');
}
