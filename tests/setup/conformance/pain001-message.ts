/**
 * The whole ISO 20022 message CustomerCreditTransferInitiationV09 (pain.001.001.09), also the parts that this application
 * does not write: elements, order, occurrences, lengths, patterns and codes of the message definition at iso20022.org.
 *
 * A line is a type: elements in sequence (`,`) or a choice (`|`), each with its name, occurrences and type. `?` is 0..1,
 * `*` 0..n, `+` 1..n, and `{0,2}` 0..2. `T35` is a text of 1 to 35 characters, and `C4` a code of up to 4 characters or a
 * proprietary text of up to 35.
 */
const message = `
Document: CstmrCdtTrfInitn Initiation
Initiation: GrpHdr Header, PmtInf+ Instruction, SplmtryData* Supplement
Header: MsgId T35, CreDtTm Time, Authstn{0,2} Authorisation, NbOfTxs Count, CtrlSum? Decimal, InitgPty Party, FwdgAgt? Bank
Authorisation: Cd AuthorisationCode | Prtry T128

Instruction: PmtInfId T35, PmtMtd Method, BtchBookg? Flag, NbOfTxs? Count, CtrlSum? Decimal, PmtTpInf? PaymentType,
  ReqdExctnDt DateOrTime, PoolgAdjstmntDt? Date, Dbtr Party, DbtrAcct Account, DbtrAgt Bank, DbtrAgtAcct? Account,
  InstrForDbtrAgt? T140, UltmtDbtr? Party, ChrgBr? ChargeBearer, ChrgsAcct? Account, ChrgsAcctAgt? Bank,
  CdtTrfTxInf+ Transfer
PaymentType: InstrPrty? Priority, SvcLvl* C4, LclInstrm? C35, CtgyPurp? C4
DateOrTime: Dt Date | DtTm Time

Transfer: PmtId PaymentId, PmtTpInf? PaymentType, Amt Ordered, XchgRateInf? Exchange, ChrgBr? ChargeBearer,
  ChqInstr? Cheque, UltmtDbtr? Party, IntrmyAgt1? Bank, IntrmyAgt1Acct? Account, IntrmyAgt2? Bank,
  IntrmyAgt2Acct? Account, IntrmyAgt3? Bank, IntrmyAgt3Acct? Account, CdtrAgt? Bank, CdtrAgtAcct? Account, Cdtr? Party,
  CdtrAcct? Account, UltmtCdtr? Party, InstrForCdtrAgt* ForBank, InstrForDbtrAgt? T140, Purp? C4,
  RgltryRptg{0,10} Regulatory, Tax? Tax, RltdRmtInf{0,10} RemittanceLocation, RmtInf? Remittance, SplmtryData* Supplement
PaymentId: InstrId? T35, EndToEndId T35, UETR? Uuid
Ordered: InstdAmt Money | EqvtAmt Equivalent
Equivalent: Amt Money, CcyOfTrf Currency
Exchange: UnitCcy? Currency, XchgRate? Rate, RateTp? RateType, CtrctId? T35
ForBank: Cd? ForBankCode, InstrInf? T140

Party: Nm? T140, PstlAdr? Address, Id? PartyId, CtryOfRes? Country, CtctDtls? Contact
PartyId: OrgId OrganisationId | PrvtId PersonId
OrganisationId: AnyBIC? Bic, LEI? Lei, Othr* Scheme
PersonId: DtAndPlcOfBirth? Birth, Othr* Scheme
Scheme: Id T35, SchmeNm? C4, Issr? T35
Birth: BirthDt Date, PrvcOfBirth? T35, CityOfBirth T35, CtryOfBirth Country
Address: AdrTp? AddressType, Dept? T70, SubDept? T70, StrtNm? T70, BldgNb? T16, BldgNm? T35, Flr? T70, PstBx? T16,
  Room? T70, PstCd? T16, TwnNm? T35, TwnLctnNm? T35, DstrctNm? T35, CtrySubDvsn? T35, Ctry? Country, AdrLine{0,7} T70
AddressType: Cd AddressCode | Prtry AddressScheme
AddressScheme: Id FourCharacters, Issr T35, SchmeNm? T35
Contact: NmPrfx? NamePrefix, Nm? T140, PhneNb? Phone, MobNb? Phone, FaxNb? Phone, EmailAdr? T2048, EmailPurp? T35,
  JobTitl? T35, Rspnsblty? T35, Dept? T70, Othr* OtherContact, PrefrdMtd? ContactMethod
OtherContact: ChanlTp T4, Id? T128
NamedAddress: Nm T140, Adr Address

Account: Id AccountId, Tp? C4, Ccy? Currency, Nm? T70, Prxy? Proxy
AccountId: IBAN Iban | Othr AccountScheme
AccountScheme: Id T34, SchmeNm? C4, Issr? T35
Proxy: Tp? C4, Id T2048
Bank: FinInstnId Institution, BrnchId? Branch
Institution: BICFI? Bic, ClrSysMmbId? Member, LEI? Lei, Nm? T140, PstlAdr? Address, Othr? Scheme
Member: ClrSysId? C5, MmbId T35
Branch: Id? T35, LEI? Lei, Nm? T140, PstlAdr? Address

Cheque: ChqTp? ChequeType, ChqNb? T35, ChqFr? NamedAddress, DlvryMtd? ChequeDelivery, DlvrTo? NamedAddress,
  InstrPrty? Priority, ChqMtrtyDt? Date, FrmsCd? T35, MemoFld{0,2} T35, RgnlClrZone? T35, PrtLctn? T35, Sgntr{0,5} T70
ChequeDelivery: Cd ChequeDeliveryCode | Prtry T35

Regulatory: DbtCdtRptgInd? RegulatoryType, Authrty? Authority, Dtls* RegulatoryDetails
Authority: Nm? T140, Ctry? Country
RegulatoryDetails: Tp? T35, Dt? Date, Ctry? Country, Cd? T10, Amt? Money, Inf* T35
RemittanceLocation: RmtId? T35, RmtLctnDtls* RemittancePlace
RemittancePlace: Mtd RemittanceMethod, ElctrncAdr? T2048, PstlAdr? NamedAddress

Remittance: Ustrd* T140, Strd* Structured
Structured: RfrdDocInf* Referred, RfrdDocAmt? Amounts, CdtrRefInf? CreditorReference, Invcr? Party, Invcee? Party,
  TaxRmt? RemittedTax, GrnshmtRmt? Garnishment, AddtlRmtInf{0,3} T140
Referred: Tp? ReferredType, Nb? T35, RltdDt? Date, LineDtls* Line
ReferredType: CdOrPrtry ReferredCode, Issr? T35
ReferredCode: Cd DocumentCode | Prtry T35
Line: Id+ LineId, Desc? T2048, Amt? Amounts
LineId: Tp? Issued, Nb? T35, RltdDt? Date
Issued: CdOrPrtry C4, Issr? T35
Amounts: DuePyblAmt? Money, DscntApldAmt* Typed, CdtNoteAmt? Money, TaxAmt* Typed, AdjstmntAmtAndRsn* Adjustment,
  RmtdAmt? Money
Typed: Tp? C4, Amt Money
Adjustment: Amt Money, CdtDbtInd? Direction, Rsn? T4, AddtlInf? T140
CreditorReference: Tp? CreditorReferenceType, Ref? T35
CreditorReferenceType: CdOrPrtry CreditorReferenceCode, Issr? T35
CreditorReferenceCode: Cd ReferenceCode | Prtry T35
Garnishment: Tp Issued, Grnshee? Party, GrnshmtAdmstr? Party, RefNb? T140, Dt? Date, RmtdAmt? Money,
  FmlyMdclInsrncInd? Flag, MplyeeTermntnInd? Flag

Tax: Cdtr? TaxPayee, Dbtr? TaxPayer, AdmstnZone? T35, RefNb? T140, Mtd? T35, TtlTaxblBaseAmt? Money, TtlTaxAmt? Money,
  Dt? Date, SeqNb? Integer, Rcrd* TaxRecord
RemittedTax: Cdtr? TaxPayee, Dbtr? TaxPayer, UltmtDbtr? TaxPayer, AdmstnZone? T35, RefNb? T140, Mtd? T35,
  TtlTaxblBaseAmt? Money, TtlTaxAmt? Money, Dt? Date, SeqNb? Integer, Rcrd* TaxRecord
TaxPayee: TaxId? T35, RegnId? T35, TaxTp? T35
TaxPayer: TaxId? T35, RegnId? T35, TaxTp? T35, Authstn? TaxAuthorisation
TaxAuthorisation: Titl? T35, Nm? T140
TaxRecord: Tp? T35, Ctgy? T35, CtgyDtls? T35, DbtrSts? T35, CertId? T35, FrmsCd? T35, Prd? TaxPeriod, TaxAmt? TaxAmount,
  AddtlInf? T140
TaxAmount: Rate? Rate, TaxblBaseAmt? Money, TtlAmt? Money, Dtls* TaxPart
TaxPart: Prd? TaxPeriod, Amt Money
TaxPeriod: Yr? Date, Tp? TaxPeriodCode, FrToDt? Period
Period: FrDt Date, ToDt Date
Supplement: PlcAndNm? T350, Envlp Envelope`;

/** Codes by their type. */
const codes = {
  AddressCode: 'ADDR PBOX HOME BIZZ MLTO DLVY',
  AuthorisationCode: 'AUTH FDET FSUM ILEV',
  ChargeBearer: 'DEBT CRED SHAR SLEV',
  ChequeDeliveryCode: 'MLDB MLCD MLFA CRDB CRCD CRFA PUDB PUCD PUFA RGDB RGCD RGFA',
  ChequeType: 'CCHQ CCCH BCHQ DRFT ELDR',
  ContactMethod: 'LETT MAIL PHON FAXX CELL',
  Direction: 'CRDT DBIT',
  DocumentCode: 'MSIN CNFA DNFA CINV CREN DEBN HIRI SBIN CMCN SOAC DISP BOLD VCHR AROI TSUT PUOR',
  ForBankCode: 'CHQB HOLD PHOB TELB',
  Method: 'CHK TRF TRA',
  NamePrefix: 'DOCT MADM MISS MIST MIKS',
  Priority: 'HIGH NORM',
  RateType: 'SPOT SALE AGRD',
  ReferenceCode: 'RADM RPIN FXDR DISP PUOR SCOR',
  RegulatoryType: 'CRED DEBT BOTH',
  RemittanceMethod: 'FAXI EDIC URID EMAL POST SMSM',
  TaxPeriodCode: 'MM01 MM02 MM03 MM04 MM05 MM06 MM07 MM08 MM09 MM10 MM11 MM12 QTR1 QTR2 QTR3 QTR4 HLF1 HLF2',
};

const patterns = {
  Bic: '[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?',
  Count: '[0-9]{1,15}',
  Country: '[A-Z]{2}',
  Currency: '[A-Z]{3}',
  FourCharacters: '[a-zA-Z0-9]{4}',
  Iban: '[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{1,30}',
  Lei: '[A-Z0-9]{18}[0-9]{2}',
  Phone: '\\+[0-9]{1,3}-[0-9()+\\-]{1,30}',
  Uuid: '[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}',
};

/** Digits in all and after the point, by type. */
const decimals = { Amount: [18, 5], Decimal: [18, 17], Integer: [18, 0], Rate: [11, 10] } as const;

const restriction = (name: string, base: string, facets: string) =>
  `<xs:simpleType name="${name}"><xs:restriction base="xs:${base}">${facets}</xs:restriction></xs:simpleType>`;
const facet = (name: string, value: string | number) => `<xs:${name} value="${value}"/>`;

const simpleTypes = [
  ...Object.entries(codes).map(([name, list]) =>
    restriction(
      name,
      'string',
      list
        .split(' ')
        .map((code) => facet('enumeration', code))
        .join(''),
    ),
  ),
  ...Object.entries(patterns).map(([name, pattern]) => restriction(name, 'string', facet('pattern', pattern))),
  ...Object.entries(decimals).map(([name, [digits, fraction]]) => {
    const size = facet('totalDigits', digits) + facet('fractionDigits', fraction);
    return restriction(name, 'decimal', name === 'Amount' ? size + facet('minInclusive', 0) : size);
  }),
  ...[4, 5, 10, 16, 34, 35, 70, 128, 140, 350, 2048].map((max) =>
    restriction(`T${max}`, 'string', facet('minLength', 1) + facet('maxLength', max)),
  ),
  restriction('Flag', 'boolean', ''),
  restriction('Date', 'date', ''),
  restriction('Time', 'dateTime', ''),
];

const otherTypes = `
  <xs:complexType name="Money"><xs:simpleContent><xs:extension base="Amount">
    <xs:attribute name="Ccy" type="Currency" use="required"/></xs:extension></xs:simpleContent></xs:complexType>
  <xs:complexType name="Envelope"><xs:sequence><xs:any namespace="##any" processContents="lax"/></xs:sequence></xs:complexType>`;

const occurrences: Readonly<Record<string, [min: string, max: string]>> = {
  '': ['1', '1'],
  '?': ['0', '1'],
  '*': ['0', 'unbounded'],
  '+': ['1', 'unbounded'],
};

function writeElement(text: string): string {
  const [, name, sign = '', type] = /^(\w+)([?*+]|\{\d+,\d+\})? (\w+)$/.exec(text) ?? [];
  const [min, max] = occurrences[sign] ?? sign.slice(1, -1).split(',');
  if (!name || !type) throw new Error(`This is no element: ${text}`);
  return `<xs:element name="${name}" type="${type}" minOccurs="${min}" maxOccurs="${max}"/>`;
}

function writeType(line: string): string {
  const [name = '', parts = ''] = line.split(': ');
  const isChoice = parts.includes(' | ');
  const group = isChoice ? 'choice' : 'sequence';
  const elements = parts.split(isChoice ? ' | ' : ', ').map(writeElement);
  return `<xs:complexType name="${name}"><xs:${group}>${elements.join('')}</xs:${group}></xs:complexType>`;
}

const codedTypes = [4, 5, 35].map((max) => `C${max}: Cd T${max} | Prtry T35`);
const complexTypes = [
  ...message
    .trim()
    .replace(/\n {2}/g, ' ')
    .split(/\n+/),
  ...codedTypes,
].map(writeType);

/** The message as an XML schema. */
export const pain001Schema = `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"
  targetNamespace="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09" elementFormDefault="qualified">
  <xs:element name="Document" type="Document"/>
  ${[...complexTypes, ...simpleTypes].join('\n  ')}${otherTypes}
</xs:schema>
`;
