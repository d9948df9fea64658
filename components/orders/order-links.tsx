import { Download, ExternalLink } from 'lucide-react';
import { buttonClass } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { formatUrl } from '@/components/ui/format';

/** The live link. It opens in a new tab without access to the opener. */
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
      <ExternalLink className="size-3.5" />
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
      <Download className="-ml-0.5 size-4" />
      {label}
      {fileName ? <span className="sr-only">{fileName}</span> : null}
    </a>
  );
}
