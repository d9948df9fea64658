import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '@/components/ui/badge';
import { IconButton } from '@/components/ui/icon-button';
import { Progress } from '@/components/ui/progress';
import type { MeasuredText } from './use-snippet-widths';

type TextMeterProps = {
  /** "Title" or "Description". */
  label: string;
  /** The device's limit in pixels. */
  limitPx: number;
  /** Null until measured. */
  measured: MeasuredText | null;
  /** Displayed if the text exceeds the limit. */
  warning: string;
  onCopy: () => void;
  /** The input field. */
  children: ReactNode;
};

/** Displays a text's width in pixels and its share of the limit, with a button that copies the trimmed text. */
export function TextMeter({ label, limitPx, measured, warning, onCopy, children }: TextMeterProps) {
  const width = Math.round(measured?.widthPx ?? 0);
  const isEmpty = !measured || measured.widthPx === 0;
  const isTooLong = measured?.isTooLong ?? false;
  return (
    <div className="grid gap-2">
      {children}
      <Progress
        label={`Width of the ${label.toLowerCase()} in pixels`}
        value={width}
        max={limitPx}
        tone={isTooLong ? 'red' : 'green'}
      />
      <div className="flex min-h-8 items-center gap-2 text-sm">
        <span className="text-muted tabular-nums">
          {width} / {limitPx} px
        </span>
        {isEmpty ? null : <Badge tone={isTooLong ? 'red' : 'green'}>{isTooLong ? 'Too long' : 'Good'}</Badge>}
        {measured?.isGuessed ? (
          <span data-tooltip="The fonts of the search results don’t include some of these characters">
            <Badge>Estimated</Badge>
          </span>
        ) : null}
        <IconButton
          label={`Copy the trimmed ${label.toLowerCase()}`}
          disabled={isEmpty}
          onClick={onCopy}
          className="ml-auto"
        >
          <Copy className="size-4" />
        </IconButton>
      </div>
      <p role="status" className="text-red-ink text-sm empty:hidden">
        {isTooLong ? warning : ''}
      </p>
    </div>
  );
}
