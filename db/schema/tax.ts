import { sql } from 'drizzle-orm';
import { bigint, check, date, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, minorUnits, updatedAt, version } from '@/db/columns';
import { accounts } from './accounts';
import { orders } from './orders';

/** The answer of VIES to a VAT identification number. */
export type VatCheck = {
  state: 'valid' | 'invalid' | 'unavailable';
  /** ISO 8601. */
  checkedAt: string;
  /** The consultation number of VIES, proof of the check; null without an answer or without the operator's own number. */
  consultation: string | null;
  /** The operator's number for which VIES gave `consultation`: it proves nothing for another. Null without one. */
  requester: string | null;
};

/** Who a document is addressed to. Empty texts were not given. */
export type BillingIdentity = {
  /** The name of the account. */
  name: string;
  company: string;
  street: string;
  postcode: string;
  city: string;
  region: string;
  /** ISO 3166-1 alpha-2 code; empty if unknown. */
  country: string;
  /** With the prefix of its country, e.g. "DE136695976"; empty for none. */
  vatId: string;
  /** The buyer's reference (BT-10 of EN 16931). */
  reference: string;
  email: string;
  vatCheck: VatCheck | null;
};

/**
 * The operator on a document. Empty texts were not given. Before the operator's identity is set, it has the name of the
 * branding and its postal address as `street`, and no country.
 */
export type DocumentSeller = {
  name: string;
  /** One or more lines. */
  street: string;
  postcode: string;
  city: string;
  region: string;
  /** ISO 3166-1 alpha-2 code. */
  country: string;
  /** With the prefix of its country; empty for none. */
  vatId: string;
  /** The national tax number; may be empty. */
  taxNumber: string;
  /** The number in the register of companies; may be empty. */
  registration: string;
  contact: { name: string; phone: string; email: string };
};

/** What buyers' documents are addressed to. Documents copy it: a later change rewrites none. */
export const billingProfiles = pgTable('billing_profiles', {
  accountId: text()
    .primaryKey()
    .references(() => accounts.id),
  company: text().notNull(),
  street: text().notNull(),
  postcode: text().notNull(),
  city: text().notNull(),
  region: text().notNull(),
  /** ISO 3166-1 alpha-2 code. */
  country: text().notNull(),
  vatId: text().notNull(),
  reference: text().notNull(),
  email: text().notNull(),
  /** Of `vatId`; null without one and before its first check. */
  vatCheck: jsonb().$type<VatCheck>(),
  version: version(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

/** S standard rate, Z zero rate, E exempt, AE reverse charge, O outside the scope of VAT (UNCL 5305). */
export const taxCategories = ['S', 'Z', 'E', 'AE', 'O'] as const;
export type TaxCategory = (typeof taxCategories)[number];

/**
 * The tax of each charge of an order, decided when the order was charged, and for whom: its documents show these parties,
 * whatever was changed since. An order that was charged while tax was off has no row. A trigger refuses changes of rows.
 */
export const orderTaxes = pgTable(
  'order_taxes',
  {
    /** The key of the net transfer in the ledger: `order:12`, `extension:…`, `change:…`, `recharge:12:1`. */
    movementKey: text().primaryKey(),
    orderId: integer()
      .notNull()
      .references(() => orders.id),
    netCents: minorUnits().notNull(),
    taxCents: minorUnits().notNull(),
    /** In hundredths of a percent: 1900 is 19 %. */
    rate: integer().notNull(),
    category: text({ enum: taxCategories }).notNull(),
    /** The VATEX code of the exemption; may be empty. */
    reason: text().notNull(),
    /** The words on the document, such as "Reverse charge"; may be empty. */
    text: text().notNull(),
    /** The country whose tax it is, as an ISO 3166-1 alpha-2 code; empty for none. */
    country: text().notNull(),
    buyer: jsonb().$type<BillingIdentity>().notNull(),
    /** The operator with the VAT id of `homeCountry`. */
    seller: jsonb().$type<DocumentSeller>().notNull(),
    /** The country whose rules decided, and in whose currency the tax is declared, as an ISO 3166-1 alpha-2 code. */
    homeCountry: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('order_taxes_order_idx').on(table.orderId),
    check('order_taxes_amounts', sql`net_cents > 0 and tax_cents >= 0 and rate between 0 and 10000`),
    check('order_taxes_rated', sql`category = 'S' or (rate = 0 and tax_cents = 0)`),
  ],
);

/** What each refund returned of a charge, net and tax. A trigger refuses changes of rows. */
export const orderTaxReturns = pgTable(
  'order_tax_returns',
  {
    /** The key of the net transfer of the refund. */
    movementKey: text().notNull(),
    chargeKey: text()
      .notNull()
      .references(() => orderTaxes.movementKey),
    netCents: minorUnits().notNull(),
    taxCents: minorUnits().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.movementKey, table.chargeKey] }),
    index('order_tax_returns_charge_idx').on(table.chargeKey),
    check('order_tax_returns_amounts', sql`net_cents > 0 and tax_cents >= 0`),
  ],
);

/** The reference rates of the European Central Bank by day, for tax in the currency of the operator's country. */
export const referenceRates = pgTable(
  'reference_rates',
  {
    day: date().notNull(),
    /** ISO 4217 code. */
    currency: text().notNull(),
    /** Millionths of a USD per unit. */
    usdMicrosPerUnit: bigint({ mode: 'number' }).notNull(),
    /** Millionths of the unit per USD: exact where a unit is worth little, e.g. the forint. */
    unitMicrosPerUsd: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.currency] }),
    check('reference_rates_positive', sql`usd_micros_per_unit > 0 and unit_micros_per_usd > 0`),
  ],
);
