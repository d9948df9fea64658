import { cn } from '@/components/ui/cn';
import { trendPercent } from '@/lib/dashboard/trend';

type TrendHintProps = { text: string; recent: number; before: number };

/** The last 30 days, and how they compare with the 30 before; without those, no comparison. */
export function TrendHint({ text, recent, before }: TrendHintProps) {
  const percent = trendPercent(recent, before);
  if (percent === null) return text;
  const falls = percent < 0;
  const icon = falls ? 'icon-trending-down' : 'icon-trending-up';
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {text}
      <span
        title="Against the 30 days before"
        className={`inline-flex items-center gap-1 tabular-nums ${falls ? 'text-red-ink' : 'text-green-ink'}`}
      >
        <span aria-hidden="true" className={cn(icon, 'size-3')} />
        <span className="sr-only">{falls ? 'down' : 'up'}</span>
        {Math.abs(percent).toLocaleString('en-US')}%<span className="sr-only"> against the 30 days before</span>
      </span>
    </span>
  );
}
