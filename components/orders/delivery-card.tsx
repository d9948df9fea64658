import { Card, CardBody, CardHeader } from '@/components/ui/card';
import type { OrderView } from '@/lib/orders/views';
import { DownloadLink } from './download-link';
import { LiveLink } from './live-link';

/** What was delivered: the page, before and after its approval, and the file. Nothing before a delivery. */
export function DeliveryCard({ order }: { order: OrderView }) {
  const { linkUrl, contentPath, contentFileName, placement } = order;
  const deliveredUrl = linkUrl ? null : (placement?.deliveredUrl ?? null);
  if (!linkUrl && !deliveredUrl && !contentPath) return null;
  return (
    <Card aria-label="Delivery">
      <CardHeader title="Delivery" />
      <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm">
        {linkUrl ? <DeliveredLink label="Live link" url={linkUrl} /> : null}
        {deliveredUrl ? <DeliveredLink label="Delivered page" url={deliveredUrl} /> : null}
        {contentPath ? (
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-0.5">
              <span className="text-muted text-xs">Content</span>
              <span className="truncate text-ink">{contentFileName}</span>
            </p>
            <DownloadLink href={contentPath} fileName={contentFileName} />
          </div>
        ) : null}
      </CardBody>
    </Card>
  );
}

function DeliveredLink({ label, url }: { label: string; url: string }) {
  return (
    <p className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
      <span className="text-muted text-xs">{label}</span>
      <LiveLink url={url} className="justify-self-start" />
    </p>
  );
}
