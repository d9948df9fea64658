import { InvoiceSheet } from '@/components/invoices/invoice-sheet';
import { InvoiceTabs } from '@/components/invoices/invoice-tabs';
import { PrintButton } from '@/components/invoices/print-button';
import { RecordDialog } from '@/components/table/record-dialog';
import { ButtonLink } from '@/components/ui/button-link';
import { DialogBody, DialogFooter } from '@/components/ui/dialog';
import type { Actor } from '@/lib/access/actor';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { chosenInvoice } from './chosen-invoice';
import { findInvoices } from './find-invoices';
import { NoSuchOrder } from './no-such-order';

type InvoiceDialogProps = {
  actor: Actor;
  /** The order, as it stands in the address. */
  id: string;
  /** The document's number, as it stands in the address; '' for the first. */
  number: string;
  closeHref: string;
  hrefOf: (number: string) => string;
};

/** The invoice of the order that the address names, to look at and to print; its own page is the same to send on. */
export async function InvoiceDialog({ actor, id, number, closeHref, hrefOf }: InvoiceDialogProps) {
  const invoices = await findInvoices(actor, id);
  const shown = chosenInvoice(invoices, number);
  if (!shown) return <NoSuchOrder key={id} closeHref={closeHref} />;
  const kind = shown.kind === 'invoice' ? 'Invoice' : 'Credit note';
  return (
    <RecordDialog key={`invoice ${id}`} title={`${kind} of order #${shown.orderId}`} closeHref={closeHref} size="xl">
      <DialogBody>
        <InvoiceTabs invoices={invoices} shown={shown} hrefOf={hrefOf} />
        <InvoiceSheet invoice={shown} branding={await getBranding()} />
      </DialogBody>
      <DialogFooter>
        <ButtonLink href={`/user/orders/${shown.orderId}/invoice?document=${shown.number}`}>Open as a page</ButtonLink>
        <PrintButton />
      </DialogFooter>
    </RecordDialog>
  );
}
