import { Download } from 'lucide-react';
import { buttonClass } from '@/components/ui/button-class';

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
