import type { ReactNode } from 'react';
import type { InvoiceView } from '@/lib/invoices/views';
import type { Branding } from '@/lib/settings/branding/branding';
import { Brand } from '../shell/brand';
import { Badge } from '../ui/badge';
import { InvoiceDate } from './invoice-date';
import { InvoiceLines } from './invoice-lines';
import { InvoiceSums } from './invoice-sums';

type InvoiceSheetProps = {
  invoice: InvoiceView;
  /** As it is now: the letterhead and whom to ask. Who sold stands in the document itself, as it was issued. */
  branding: Pick<Branding, 'siteName' | 'logo' | 'supportEmail' | 'postalAddress'>;
};

/** One invoice or credit note. It prints alone, on A4 and in the light palette (app/globals.css). */
export function InvoiceSheet({ invoice, branding }: InvoiceSheetProps) {
  const { kind, number, seller, buyer, counterpart } = invoice;
  const isInvoice = kind === 'invoice';
  return (
    <article data-print-area="" aria-label={number} className="grid gap-8 text-sm print:gap-7">
      <header className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <Brand brand={branding} className="max-w-full [print-color-adjust:exact]" />
        <div className="sm:text-right">
          <h2 className="text-ink text-xl">{isInvoice ? 'Invoice' : 'Credit note'}</h2>
          <p className="mt-0.5 text-muted">{number}</p>
          <p className="mt-2">
            <State isInvoice={isInvoice} isUndone={counterpart !== null} />
          </p>
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
        {counterpart ? (
          <Fact label={isInvoice ? 'Refunded by' : 'For invoice'}>
            {counterpart.number}
            <span className="block text-muted text-xs">
              <InvoiceDate at={counterpart.at} />
            </span>
          </Fact>
        ) : null}
      </dl>
      <dl className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
        <Fact label="From">
          <span className="block font-medium">{seller.name}</span>
          <span className="block whitespace-pre-line text-muted">{seller.address || branding.postalAddress}</span>
          {branding.supportEmail ? <span className="block text-muted">{branding.supportEmail}</span> : null}
        </Fact>
        <Fact label={isInvoice ? 'Billed to' : 'Credited to'}>
          {buyer.name ? <span className="block font-medium">{buyer.name}</span> : null}
          <span className={buyer.name ? 'block text-muted' : 'block'}>{buyer.email}</span>
        </Fact>
      </dl>
      <div>
        <InvoiceLines invoice={invoice} />
        <InvoiceSums invoice={invoice} />
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

function State({ isInvoice, isUndone }: { isInvoice: boolean; isUndone: boolean }) {
  if (!isInvoice) return <Badge tone="grey">Returned to the wallet</Badge>;
  return isUndone ? <Badge tone="grey">Refunded</Badge> : <Badge tone="green">Paid</Badge>;
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="wrap-anywhere mt-1 text-ink">{children}</dd>
    </div>
  );
}
