import { ExternalLink } from 'lucide-react';
import { cn } from '@/components/ui/cn';
import { formatUrl } from './format-url';

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
