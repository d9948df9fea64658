import type { Metadata } from 'next';
import { chosenInvoice, loadInvoices } from '@/app/(user)/user/orders/_components/find-order';
import { DownloadLinks } from '@/components/invoices/download-links';
import { InvoiceSheet, InvoiceTabs } from '@/components/invoices/invoice-sheet';
import { MissingInvoice, PendingNotice } from '@/components/invoices/missing-invoice';
import { PrintButton } from '@/components/invoices/print-button';
import { oneParam, type SearchParams } from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardBody } from '@/components/ui/card';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { getBranding } from '@/lib/settings/branding/get-branding';

type InvoicePageProps = { params: Promise<{ id: string }>; searchParams: Promise<SearchParams> };

/** Browsers use the title as the file name of a saved PDF, so it contains the invoice number. */
export async function generateMetadata(props: InvoicePageProps): Promise<Metadata> {
  const { shown } = await chosen(props);
  return { title: shown?.number ?? 'Invoice' };
}

/** Renders the invoice of an order, with a credit note for each refund. */
export default async function InvoicePage(props: InvoicePageProps) {
  await requirePage('user', 'account:documents');
  const [{ invoices, pending, deliveries, shown }, { id }, branding] = await Promise.all([
    chosen(props),
    props.params,
    getBranding(),
  ]);
  if (!shown) {
    return (
      <div className="mx-auto max-w-[52rem]">
        <PageHeader
          title={`Invoice of order #${id}`}
          actions={<ButtonLink href={`/user/orders?order=${id}`}>Back to order</ButtonLink>}
        />
        <Card>
          <MissingInvoice pending={pending} />
        </Card>
      </div>
    );
  }
  return (
    <div className="mx-auto max-w-[52rem]">
      <PageHeader
        title={`${shown.kind === 'invoice' ? 'Invoice' : 'Credit note'} of order #${shown.orderId}`}
        description="Billed to you and paid from your wallet. Its number never changes."
        actions={
          <>
            <ButtonLink href={`/user/orders?order=${shown.orderId}`}>Back to order</ButtonLink>
            <DownloadLinks number={shown.number} hasStructuredFormats={shown.hasStructuredFormats} />
            <PrintButton />
          </>
        }
      />
      {pending ? <PendingNotice pending={pending} /> : null}
      <InvoiceTabs
        invoices={invoices}
        shown={shown}
        hrefOf={(number) => `/user/orders/${shown.orderId}/invoice?document=${number}`}
      />
      <Card>
        <CardBody className="sm:p-10">
          <InvoiceSheet invoice={shown} branding={branding} deliveries={deliveries[shown.number]} />
        </CardBody>
      </Card>
    </div>
  );
}

async function chosen({ params, searchParams }: InvoicePageProps) {
  const [{ id }, address] = await Promise.all([params, searchParams]);
  const { invoices, pending, deliveries } = await loadInvoices(id);
  return { invoices, pending, deliveries, shown: chosenInvoice(invoices, oneParam(address, 'document')) };
}
