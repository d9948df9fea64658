import { oneParam, type SearchParams } from '@/components/table/url';
import type { Actor } from '@/lib/access/actor';
import { BuildCustom } from './build-custom';
import { InvoiceDialog } from './invoice-dialog';
import { NewOrder } from './new-order';
import { OrderAgain } from './order-again';
import { OrderDetails } from './order-details';
import { againParam, documentParam, invoiceParam, listAddress, newParam } from './orders-address';

/** The dialog that the address opens, if any: one at a time. */
export function OpenDialog({ actor, params }: { actor: Actor; params: SearchParams }) {
  const kind = oneParam(params, newParam);
  if (kind === 'package') return <NewOrder actor={actor} params={params} />;
  if (kind === 'custom') return <BuildCustom actor={actor} params={params} />;
  if (oneParam(params, againParam) !== '') return <OrderAgain actor={actor} params={params} />;
  const billed = oneParam(params, invoiceParam);
  if (billed !== '') {
    return (
      <InvoiceDialog
        actor={actor}
        id={billed}
        number={oneParam(params, documentParam)}
        closeHref={listAddress(params)}
        hrefOf={(number) => listAddress(params, { [invoiceParam]: billed, [documentParam]: number })}
      />
    );
  }
  const id = oneParam(params, 'order');
  if (id === '') return null;
  return (
    <OrderDetails
      actor={actor}
      id={id}
      closeHref={listAddress(params)}
      invoiceHref={listAddress(params, { [invoiceParam]: id })}
      againHref={listAddress(params, { [againParam]: id })}
    />
  );
}
