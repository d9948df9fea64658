import Link from 'next/link';
import { buttonClass } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { formatUrl } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';

/** Renders the live link. It opens in a new tab without access to the opener. */
export function LiveLink({ url, className }: { url: string; className?: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      data-tooltip={url}
      className={cn('inline-flex min-w-0 max-w-full items-center gap-1 text-accent-ink hover:underline', className)}
    >
      <span className="truncate">{formatUrl(url)}</span>
      <Icon name="external-link" className="size-3.5" />
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  );
}

type DownloadLinkProps = { href: string; fileName: string | null; label?: string; className?: string };

/** Downloads the delivered file. A plain link, so that the browser shows the progress. */
export function DownloadLink({ href, fileName, label = 'Download', className }: DownloadLinkProps) {
  return (
    <a
      href={href}
      download=""
      data-tooltip={fileName ?? undefined}
      className={buttonClass({ size: 'sm', ...(className && { className }) })}
    >
      <Icon name="download" className="-ml-0.5" />
      {label}
      {fileName ? <span className="sr-only">{fileName}</span> : null}
    </a>
  );
}

/** Names an order below its document, with a link to its page for staff; a deleted order has no page. */
export function DocumentOrder({ orderId, isOrderDeleted }: { orderId: number; isOrderDeleted: boolean }) {
  if (isOrderDeleted) return <span className="text-muted text-xs">Order #{orderId}</span>;
  return (
    <Link
      prefetch={false}
      href={`/dashboard/features/orders/${orderId}`}
      className="justify-self-start rounded-sm text-accent-ink text-xs hover:underline"
    >
      Order #{orderId}
    </Link>
  );
}

/** Links an order to its page for staff. @param detail what was ordered, below the link */
export function StaffOrderLink({ orderId, detail }: { orderId: number; detail: string }) {
  return (
    <span className="block min-w-0">
      <Link
        prefetch={false}
        href={`/dashboard/features/orders/${orderId}`}
        className="rounded-sm font-medium text-accent-ink hover:underline"
      >
        Order #{orderId}
      </Link>
      <span className="block truncate text-muted text-xs">{detail}</span>
    </span>
  );
}
