import type { BillingIdentity, TaxCategory } from '@/db/schema/tax';

/** How an operator in the European Union serves persons without a valid VAT id in other member states. */
export const euPersonRules = ['refuse', 'operator_rate', 'oss'] as const;
export type EuPersonRule = (typeof euPersonRules)[number];

/** A standard rate of a country from a day on: `rate` in hundredths of a percent, `from` as YYYY-MM-DD. */
export type CountryRate = { country: string; from: string; rate: number };

/** Where buyers can transfer money to. Empty texts were not given. */
export type BankAccount = {
  currency: 'EUR' | 'USD';
  holder: string;
  iban: string;
  bic: string;
  accountNumber: string;
  routingNumber: string;
  bankName: string;
};

/** The operator's identity and rules of tax. Empty texts were not given. */
export type Operator = {
  name: string;
  street: string;
  postcode: string;
  city: string;
  region: string;
  /** ISO 3166-1 alpha-2 code; empty before it is set. */
  country: string;
  /** The VAT identification numbers by country, each with its prefix. */
  vatIds: { country: string; number: string }[];
  /** The national tax number; may be empty. */
  taxNumber: string;
  /** The number in the register of companies; may be empty. */
  registration: string;
  contact: { name: string; phone: string; email: string };
  isSmallBusiness: boolean;
  /** The words on documents of a small business, and those of documents while tax is off. */
  smallBusinessText: string;
  untaxedText: string;
  served: { domestic: boolean; euBusinesses: boolean; euPersons: EuPersonRule; outsideEu: boolean };
  /** Whether a VAT id counts as valid while VIES does not answer; its form and checksum are always checked. */
  trustsSilentVies: boolean;
  /** Rates that replace those of lib/tax/rates.ts from their day on. */
  rates: CountryRate[];
  bankAccounts: BankAccount[];
};

/** The switch of tax. `country` is the member state or country whose rules apply: one of the operator's. */
export type TaxSwitch = { enabled: boolean; country: string };

/** The facts about a buyer that tax depends on. */
export type TaxedBuyer = Pick<BillingIdentity, 'country' | 'vatId' | 'vatCheck'>;

export type TaxDecision = {
  /** In hundredths of a percent: 1900 is 19 %. */
  rate: number;
  category: TaxCategory;
  /** The VATEX code of an exemption; may be empty. */
  reason: string;
  /** The words on the document; may be empty. */
  text: string;
  /** The country whose tax it is, as an ISO 3166-1 alpha-2 code; empty for none. */
  country: string;
};
