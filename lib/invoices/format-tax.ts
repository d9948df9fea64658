import type { AccountingTax, TaxLine } from '@/db/schema/invoices';
import { groupDigits, toDecimalString } from '@/lib/money';
import { formatTaxRate } from '@/lib/tax/amounts';

/** How documents write rates. Safe for client components. */

const exchangeRate = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 });

/** Formats the value of a currency: "1 EUR = 1.085 USD". @param usdMicrosPerUnit millionths of a USD */
export const formatRate = (currency: string, usdMicrosPerUnit: number): string =>
  `1 ${currency} = ${exchangeRate.format(usdMicrosPerUnit / 1_000_000)} USD`;

/** Says by which rate tax was converted: "1 USD = 366.5 HUF, reference rate of the European Central Bank of 2026-11-26". */
export const describeAccountingRate = ({ currency, unitMicrosPerUsd, day }: Omit<AccountingTax, 'taxMinor'>): string =>
  `1 USD = ${exchangeRate.format(unitMicrosPerUsd / 1_000_000)} ${currency}, reference rate of the European Central Bank of ${day}`;

/** Formats tax in the currency of the operator's country: "PLN 92.00", "HUF 8,740.00". */
export const formatAccountingTax = ({ currency, taxMinor }: Pick<AccountingTax, 'currency' | 'taxMinor'>): string =>
  `${currency} ${groupDigits(toDecimalString(taxMinor))}`;

/** Names a line of tax: "Tax DE (19%)", "Tax (0%)". */
export const describeTaxLine = ({ country, rate }: Pick<TaxLine, 'country' | 'rate'>): string =>
  `Tax ${country ? `${country} ` : ''}(${formatTaxRate(rate)})`;
