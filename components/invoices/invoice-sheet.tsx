import type { ReactNode } from 'react';
import { Brand } from '@/components/shell/brand';
import { Badge } from '@/components/ui/badge';
import { Money } from '@/components/ui/money';
import { Tabs } from '@/components/ui/tabs';
import type { DocumentDelivery } from '@/lib/invoices/delivery/queries';
import { describeAccountingRate, describeTaxLine, formatAccountingTax, formatRate } from '@/lib/invoices/format-tax';
import type { InvoiceView } from '@/lib/invoices/views';
import type { Branding } from '@/lib/settings/branding/branding';
import { BuyerDeliveries } from './delivery-state';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

type InvoiceSheetProps = {
  invoice: InvoiceView;
  /** The current letterhead and support address. The document itself holds the seller as of its issue. */
  branding: Pick<Branding, 'siteName' | 'logo' | 'supportEmail' | 'postalAddress'>;
  /** How it was sent in structured form; not printed. */
  deliveries?: readonly DocumentDelivery[] | undefined;
};

/** Shows one invoice or credit note. It prints without the frame, on A4 and in the light palette (app/globals.css). */
export function InvoiceSheet({ invoice, branding, deliveries = [] }: InvoiceSheetProps) {
  const { kind, number, seller, buyer, counterparts } = invoice;
  const isInvoice = kind === 'invoice';
  return (
    <article data-print-area="" aria-label={number} className="grid gap-8 text-sm print:gap-7">
      <header className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <Brand brand={branding} className="max-w-full [print-color-adjust:exact]" />
        <div className="sm:text-right">
          <h2 className="text-ink text-xl">{isInvoice ? 'Invoice' : 'Credit note'}</h2>
          <p className="mt-0.5 text-muted">{number}</p>
          <p className="mt-2">
            <State invoice={invoice} />
          </p>
          {deliveries.length > 0 ? (
            <p className="mt-2 flex flex-wrap gap-1.5 sm:justify-end print:hidden">
              <BuyerDeliveries deliveries={deliveries} />
            </p>
          ) : null}
        </div>
      </header>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-4">
        <Fact label="Issued">
          <InvoiceDate at={invoice.issuedAt} />
        </Fact>
        <Fact label={isInvoice ? 'Paid' : 'Refunded'}>
          <InvoiceDate at={invoice.movedAt} />
        </Fact>
        <Fact label="Order">#{invoice.orderId}</Fact>
        {invoice.buyerReference ? <Fact label="Your reference">{invoice.buyerReference}</Fact> : null}
        {counterparts.length > 0 ? (
          <Fact label={isInvoice ? 'Refunded by' : 'For invoice'}>
            {counterparts.map((other) => (
              <span key={other.number} className="block not-last:mb-1">
                {other.number}
                <span className="block text-muted text-xs">
                  <InvoiceDate at={other.at} />
                </span>
              </span>
            ))}
          </Fact>
        ) : null}
      </dl>
      <dl className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
        <Fact label="From">
          <span className="block font-medium">{seller.name}</span>
          <span className="block whitespace-pre-line text-muted">
            {[seller.address || (seller.hasIdentity ? '' : branding.postalAddress), ...seller.ids]
              .filter(Boolean)
              .join('\n')}
          </span>
          {branding.supportEmail ? <span className="block text-muted">{branding.supportEmail}</span> : null}
        </Fact>
        <Fact label={isInvoice ? 'Billed to' : 'Credited to'}>
          {buyer.name ? <span className="block font-medium">{buyer.name}</span> : null}
          {buyer.address ? (
            <span className="block whitespace-pre-line text-muted">{[buyer.address, ...buyer.ids].join('\n')}</span>
          ) : null}
          <span className={buyer.name ? 'block text-muted' : 'block'}>{buyer.email}</span>
        </Fact>
      </dl>
      <div>
        <InvoiceLines invoice={invoice} />
        <InvoiceSums invoice={invoice} />
        <TaxWords invoice={invoice} />
      </div>
      {branding.supportEmail ? (
        <footer className="border-line border-t pt-4 text-muted text-xs">
          Questions about this {isInvoice ? 'invoice' : 'credit note'}? Write to{' '}
          <a href={`mailto:${branding.supportEmail}`} className="text-accent-ink underline">
            {branding.supportEmail}
          </a>
          .
        </footer>
      ) : null}
    </article>
  );
}

function State({ invoice: { kind, creditedCents, subtotalCents, counterparts } }: { invoice: InvoiceView }) {
  if (kind !== 'invoice') return <Badge tone="grey">Returned to the wallet</Badge>;
  if (counterparts.length === 0) return <Badge tone="green">Paid</Badge>;
  return <Badge tone="grey">{creditedCents < subtotalCents ? 'Partly refunded' : 'Refunded'}</Badge>;
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="wrap-anywhere mt-1 text-ink">{children}</dd>
    </div>
  );
}

/** Renders a date in UTC, as in the ledger, so that it is the same in every time zone: "November 21, 2026". */
function InvoiceDate({ at }: { at: string }) {
  return <time dateTime={at}>{day.format(new Date(at))}</time>;
}

/** Renders the totals of a document. They are in USD because wallets hold no other currency. */
function InvoiceSums({ invoice }: { invoice: InvoiceView }) {
  const { kind, line, usdMicrosPerUnit, subtotalCents, taxes, accountingTax, totalCents } = invoice;
  return (
    <dl data-print-keep="" className="ml-auto grid w-full max-w-sm gap-y-1.5 pt-4 text-sm">
      {line.currency !== 'USD' && usdMicrosPerUnit !== null ? (
        <Sum label="Exchange rate">{formatRate(line.currency, usdMicrosPerUnit)}</Sum>
      ) : null}
      <Sum label="Subtotal">
        <Money amountMinor={subtotalCents} />
      </Sum>
      {taxes.map((tax) => (
        <Sum key={`${tax.category} ${tax.country} ${tax.rate} ${tax.text}`} label={describeTaxLine(tax)}>
          <Money amountMinor={tax.taxCents} />
        </Sum>
      ))}
      <div className="mt-1.5 flex items-baseline justify-between gap-4 border-line-strong border-t pt-3 font-medium text-ink">
        <dt>{kind === 'invoice' ? 'Total, paid from the wallet' : 'Total, returned to the wallet'}</dt>
        <dd className="text-base">
          <Money amountMinor={totalCents} />
        </dd>
      </div>
      {accountingTax ? (
        <Sum label={`Tax in ${accountingTax.currency}`}>{formatAccountingTax(accountingTax)}</Sum>
      ) : null}
    </dl>
  );
}

/** Renders the words that tax requires, such as "Reverse charge". Without an identity of the operator there are none. */
function TaxWords({ invoice: { seller, taxes, notes, accountingTax } }: { invoice: InvoiceView }) {
  const rate = accountingTax ? describeAccountingRate(accountingTax) : '';
  const words = seller.hasIdentity
    ? [...new Set([...taxes.map(({ text }) => text), ...notes, rate])].filter(Boolean)
    : [];
  if (words.length === 0) return null;
  return (
    <div className="ml-auto grid w-full max-w-sm gap-1 pt-3 text-muted text-xs">
      {words.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

function Sum({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="text-muted">{label}</dt>
      <dd className="text-ink">{children}</dd>
    </div>
  );
}

const lineHeaders = [
  ['Description', ''],
  ['Quantity', 'px-3 text-right max-sm:hidden'],
  ['Unit price', 'px-3 text-right max-sm:hidden'],
  ['Amount', 'pl-3 text-right'],
] as const;

/** Renders the ordered items, each at its price in the currency of its listing. */
function InvoiceLines({ invoice }: { invoice: InvoiceView }) {
  const { line, number } = invoice;
  return (
    <table className="w-full text-sm">
      <caption className="sr-only">Lines of {number}</caption>
      <thead>
        <tr className="border-line-strong border-b text-left text-muted text-xs">
          {lineHeaders.map(([header, className]) => (
            <th key={header} scope="col" className={`pb-2 font-normal ${className}`}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr className="border-line border-b align-top">
          <td className="py-3">
            <span className="wrap-anywhere block font-medium text-ink">{line.title}</span>
            {line.details.map((text) => (
              <span key={text} className="wrap-anywhere mt-0.5 block text-muted text-xs">
                {text}
              </span>
            ))}
            <span className="mt-0.5 block text-muted text-xs sm:hidden">Quantity: {line.quantity}</span>
          </td>
          <td className="px-3 py-3 text-right max-sm:hidden">{line.quantity}</td>
          <td className="px-3 py-3 text-right max-sm:hidden">
            {line.unitPriceMinor === null ? '–' : <Money amountMinor={line.unitPriceMinor} currency={line.currency} />}
          </td>
          <td className="py-3 pl-3 text-right text-ink">
            <Money amountMinor={line.amountMinor} currency={line.currency} />
          </td>
        </tr>
      </tbody>
    </table>
  );
}

type InvoiceTabsProps = {
  invoices: readonly InvoiceView[];
  shown: InvoiceView;
  hrefOf: (number: string) => string;
};

/** Renders tabs for the documents of one order; renders nothing for a single document. */
export function InvoiceTabs({ invoices, shown, hrefOf }: InvoiceTabsProps) {
  if (invoices.length < 2) return null;
  return (
    <div className="mb-4">
      <Tabs
        label="Documents of this order"
        tabs={invoices.map(({ number }) => ({
          href: hrefOf(number),
          label: number,
          current: number === shown.number,
        }))}
      />
    </div>
  );
}
