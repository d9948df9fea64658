import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { documentPath } from '@/lib/invoices/contract';
import { listDeliveriesOf } from '@/lib/invoices/delivery/queries';
import { documentNumber } from '@/lib/invoices/numbers';
import { readIssued } from '@/lib/invoices/queries';
import { DeliveryState } from './delivery-state';

/** Shows staff the documents of an order with their deliveries; nothing before one is issued. */
export async function DocumentsCard({ orderId }: { orderId: number }) {
  const { rows } = await readIssued(orderId);
  if (rows.length === 0) return null;
  const deliveries = await listDeliveriesOf(rows);
  return (
    <Card aria-labelledby="documents-heading">
      <CardHeader title={<span id="documents-heading">Documents</span>} />
      <CardBody>
        <ul className="grid gap-2 text-sm">
          {rows.map(documentNumber).map((number) => (
            <li key={number} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <a href={documentPath(number, 'pdf')} className="rounded-sm text-accent-ink hover:underline">
                {number}
              </a>
              {deliveries[number]?.map(({ channel, state }) => (
                <DeliveryState key={channel} state={state} channel={channel} />
              ))}
            </li>
          ))}
        </ul>
      </CardBody>
    </Card>
  );
}
