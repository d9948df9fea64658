import type { BankCurrency, TransferAccount } from '@/db/schema/bank-transfers';
import { toDecimalString } from '@/lib/money';

/** The operator's accounts of tests. */
export const operatorAccounts: Readonly<Record<BankCurrency, TransferAccount>> = {
  EUR: {
    ...{ currency: 'EUR', holder: 'LinkMarket Sp. z o.o.', iban: 'PL61109010140000071219812874', bic: 'WBKPPLPP' },
    ...{ accountNumber: '', routingNumber: '', bankName: 'Example Bank' },
  },
  USD: {
    ...{ currency: 'USD', holder: 'LinkMarket Sp. z o.o.', iban: '', bic: '' },
    ...{ accountNumber: '000123456789', routingNumber: '021000021', bankName: 'Example Bank' },
  },
};

export type Transfer = {
  cents: number;
  text?: string;
  currency?: BankCurrency;
  day?: string;
  /** The bank's reference of the entry. */
  reference?: string;
  payer?: string;
  isDebit?: boolean;
  isReversal?: boolean;
};

const escapeXml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** Writes a camt.053 statement of one of the operator's accounts. */
export function creditStatement(
  transfers: readonly Transfer[],
  currency: BankCurrency = 'USD',
  account?: string,
): Buffer {
  const { iban, accountNumber } = operatorAccounts[currency];
  const id = account ?? (iban || accountNumber);
  const identification = iban ? `<IBAN>${id}</IBAN>` : `<Othr><Id>${id}</Id></Othr>`;
  const entries = transfers.map((one) => {
    const { cents, text = '', day = '2026-11-20', reference, payer = 'Buyer GmbH', isDebit, isReversal } = one;
    return `<Ntry><Amt Ccy="${one.currency ?? currency}">${toDecimalString(cents)}</Amt>
      <CdtDbtInd>${isDebit || isReversal ? 'DBIT' : 'CRDT'}</CdtDbtInd>${isReversal ? '<RvslInd>true</RvslInd>' : ''}
      <Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt>${reference ? `<AcctSvcrRef>${reference}</AcctSvcrRef>` : ''}
      <NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>
      <RltdPties><Dbtr><Pty><Nm>${escapeXml(payer)}</Nm></Pty></Dbtr></RltdPties>
      <RmtInf><Ustrd>${escapeXml(text)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
  });
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
    <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>S</MsgId></GrpHdr>
    <Stmt><Id>1</Id><Acct><Id>${identification}</Id></Acct>${entries.join('')}</Stmt></BkToCstmrStmt></Document>`);
}

/** Writes the same as the CSV file of a bank, without the bank's references. */
export function creditTable(transfers: readonly Transfer[], currency: BankCurrency = 'USD'): Buffer {
  const { iban, accountNumber } = operatorAccounts[currency];
  const rows = transfers.map(({ cents, text = '', day = '2026-11-20', payer = 'Buyer GmbH', isDebit }) =>
    [iban || accountNumber, day, `${isDebit ? '-' : ''}${toDecimalString(cents)}`, currency, text, payer]
      .map((cell) => `"${cell.replace(/"/g, '""')}"`)
      .join(','),
  );
  return Buffer.from(['Account,Booking date,Amount,Currency,Description,Payer', ...rows].join('\n'));
}
