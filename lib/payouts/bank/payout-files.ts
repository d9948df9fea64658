import XMLBuilder from 'fast-xml-builder';
import { isSEPACountry } from 'ibantools';
import { toDecimalString } from '@/lib/money';
import type { BankDetails } from '@/lib/payouts/methods/contract';
import { csvLine } from '@/lib/platform/csv';
import { type BankBatch, type BankPayout, checkBatch, toBankText, toRequiredBankText } from './batch';

const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';

/**
 * Service level and bearer of the charges. SEPA transfers are in euros between two IBANs of its area; all others are
 * normal transfers with shared charges.
 */
const rails = {
  sepa: { serviceLevel: 'SEPA', chargeBearer: 'SLEV' },
  normal: { serviceLevel: 'NURG', chargeBearer: 'SHAR' },
} as const;
type Rail = keyof typeof rails;

/**
 * Writes a batch as an ISO 20022 customer credit transfer initiation, version pain.001.001.09. The same batch gives
 * the same bytes. Names and texts are transliterated and shortened to what banks accept.
 * @returns the document as UTF-8 text
 * @throws AppError unprocessable for a batch that no bank would accept
 */
export function buildPain001(batch: BankBatch): string {
  checkBatch(batch);
  const groups = (['sepa', 'normal'] as const)
    .map((rail) => ({ rail, payouts: batch.payouts.filter((payout) => railOf(batch, payout) === rail) }))
    .filter(({ payouts }) => payouts.length > 0);
  const builder = new XMLBuilder({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    format: true,
    indentBy: '  ',
    processEntities: true,
  });
  return builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    Document: {
      '@xmlns': namespace,
      CstmrCdtTrfInitn: {
        GrpHdr: {
          MsgId: batch.messageId,
          // Several banks refuse fractions of a second.
          CreDtTm: batch.createdAt.toISOString().replace(/\.\d+Z$/, 'Z'),
          ...totals(batch.payouts),
          InitgPty: { Nm: holderName(batch.payer) },
        },
        PmtInf: groups.map(({ rail, payouts }, at) => paymentInstruction(batch, rail, payouts, at + 1)),
      },
    },
  });
}

function railOf({ currency, payer }: BankBatch, { details }: BankPayout): Rail {
  const isSepa = (account: BankDetails) => account.format === 'iban' && isSEPACountry(account.iban.slice(0, 2));
  return currency === 'EUR' && isSepa(payer) && isSepa(details) ? 'sepa' : 'normal';
}

function totals(payouts: readonly BankPayout[]) {
  const sum = payouts.reduce((total, { amountCents }) => total + amountCents, 0);
  return { NbOfTxs: String(payouts.length), CtrlSum: toDecimalString(sum) };
}

/** Payments from one account by one rail. The bank books each payment as an entry of its own. */
function paymentInstruction(batch: BankBatch, rail: Rail, payouts: readonly BankPayout[], number: number) {
  const { serviceLevel, chargeBearer } = rails[rail];
  return {
    PmtInfId: `${batch.messageId}-${number}`,
    PmtMtd: 'TRF',
    BtchBookg: 'false',
    ...totals(payouts),
    PmtTpInf: { SvcLvl: { Cd: serviceLevel } },
    ReqdExctnDt: { Dt: batch.executionDate },
    Dbtr: party(batch.payer),
    DbtrAcct: account(batch.payer),
    // The payer's bank is mandatory in the format; this is its value for "derive it from the IBAN".
    DbtrAgt: agent(batch.payer) ?? { FinInstnId: { Othr: { Id: 'NOTPROVIDED' } } },
    ChrgBr: chargeBearer,
    CdtTrfTxInf: payouts.map((payout) => transaction(batch.currency, payout)),
  };
}

function transaction(currency: string, { endToEndId, amountCents, details, remittance }: BankPayout) {
  const bank = agent(details);
  const text = toBankText(remittance, 140);
  return {
    PmtId: { InstrId: endToEndId, EndToEndId: endToEndId },
    Amt: { InstdAmt: { '#text': toDecimalString(amountCents), '@Ccy': currency } },
    ...(bank && { CdtrAgt: bank }),
    Cdtr: party(details),
    CdtrAcct: account(details),
    ...(text !== '' && { RmtInf: { Ustrd: text } }),
  };
}

const holderName = ({ holder }: BankDetails) => toRequiredBankText(holder, 70, "the account holder's name");

/** Writes a name with a hybrid address: town and country as fields of their own, the rest as lines. */
function party(details: BankDetails) {
  const postalCode = toBankText(details.postalCode ?? '', 16);
  return {
    Nm: holderName(details),
    PstlAdr: {
      ...(postalCode !== '' && { PstCd: postalCode }),
      TwnNm: toRequiredBankText(details.town, 35, 'the town'),
      Ctry: details.country,
      AdrLine: details.addressLines.map((text) => toRequiredBankText(text, 70, 'the address')),
    },
  };
}

function account(details: BankDetails) {
  if (details.format === 'iban') return { Id: { IBAN: details.iban } };
  return {
    Id: { Othr: { Id: details.accountNumber } },
    // CACC is a current account, SVGS a savings account.
    Tp: { Cd: details.accountType === 'savings' ? 'SVGS' : 'CACC' },
  };
}

/** Returns the bank of an account, or null when its IBAN alone identifies it. */
function agent(details: BankDetails) {
  if (details.format === 'account') {
    return { FinInstnId: { ClrSysMmbId: { ClrSysId: { Cd: 'USABA' }, MmbId: details.routingNumber } } };
  }
  return details.bic === undefined ? null : { FinInstnId: { BICFI: details.bic } };
}

/**
 * Writes a batch as CSV for banks that take no pain.001, with the same texts as the pain.001 file.
 * @returns the file as UTF-8 text, one line a payout below the header
 * @throws AppError unprocessable for a batch that no bank would accept
 */
export function buildPayoutCsv(batch: BankBatch): string {
  checkBatch(batch);
  const rows = batch.payouts.map(({ endToEndId, amountCents, details, remittance }) => {
    const [first = '', second = ''] = details.addressLines;
    return {
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
  });
  return [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))].map(csvLine).join('');
}
