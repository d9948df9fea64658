import { toDecimalString } from '@/lib/money';
import { bankAccount } from '@/tests/factories/make-payout';

type Booked = { id: string; cents: number; isReturn?: boolean; reason?: string; day?: string };

/** Writes a camt.053 statement of the payer's account, or of another one. */
export function camt053(entries: readonly Booked[], account: string = bankAccount.iban): Buffer {
  const written = entries.map(({ id, cents, isReturn = false, reason = 'AC04', day = '2026-11-20' }) => {
    const money = `<Amt Ccy="USD">${toDecimalString(cents)}</Amt><CdtDbtInd>${isReturn ? 'CRDT' : 'DBIT'}</CdtDbtInd>`;
    const returned = isReturn ? `<RtrInf><Rsn><Cd>${reason}</Cd></Rsn></RtrInf>` : '';
    return `<Ntry>${money}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><BkTxCd/><NtryDtls><TxDtls>
      <Refs><EndToEndId>${id}</EndToEndId></Refs>${returned}</TxDtls></NtryDtls></Ntry>`;
  });
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
    <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
    <GrpHdr><MsgId>S-1</MsgId><CreDtTm>2026-11-20T20:00:00Z</CreDtTm></GrpHdr>
    <Stmt><Id>1</Id><Acct><Id><IBAN>${account}</IBAN></Id></Acct>${written.join('')}</Stmt></BkToCstmrStmt></Document>`);
}
