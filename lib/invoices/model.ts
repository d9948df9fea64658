import type { AccountingTax, TaxLine } from '@/db/schema/invoices';

/** 380 invoice, 381 credit note, 389 self-billed invoice (UNTDID 1001). */
export type DocumentCode = '380' | '381' | '389';

/** A seller or buyer (BG-4 and BG-7 of EN 16931). Empty texts were not given. */
export type InvoiceParty = {
  /** The legal name: the company, or the person. */
  name: string;
  street: string;
  postcode: string;
  city: string;
  region: string;
  /** ISO 3166-1 alpha-2 code. */
  country: string;
  /** With its prefix. */
  vatId: string;
  taxNumber: string;
  registration: string;
  contact: { name: string; phone: string; email: string };
  /** For documents by email, and the address of the network if there is no VAT id. */
  email: string;
};

/** A line (BG-25). Amounts in USD cents, without tax. */
export type InvoiceLine = {
  title: string;
  details: string[];
  quantity: number;
  netCents: number;
  /** The rate, and the category of the tax, of one of `taxes`. */
  tax: Pick<TaxLine, 'rate' | 'category'>;
};

/**
 * An invoice, credit note or self-billed invoice in the terms of EN 16931, from which all formats are written. Amounts in
 * USD cents; those of a credit note are positive.
 */
export type InvoiceModel = {
  code: DocumentCode;
  /** BT-1. */
  number: string;
  /** BT-2 and BT-72, as YYYY-MM-DD. */
  issuedOn: string;
  suppliedOn: string;
  /** BT-10. */
  buyerReference: string;
  /** BT-14: the number of the order; empty for none. */
  orderNumber: string;
  /** BG-3: the documents that a credit note corrects, with the VAT ids of their parties; empty for none. */
  preceding: { number: string; issuedOn: string; sellerVatId: string; buyerVatId: string }[];
  /** BT-22: such as "Self-billing" and the consultation number of VIES. */
  notes: string[];
  seller: InvoiceParty;
  buyer: InvoiceParty;
  lines: InvoiceLine[];
  /** BG-23. */
  taxes: TaxLine[];
  netCents: number;
  taxCents: number;
  totalCents: number;
  /** BT-113: what the wallet paid; BT-115 is the total less this. */
  paidCents: number;
  /** BT-6 and BT-111. */
  accountingTax: AccountingTax | null;
};
