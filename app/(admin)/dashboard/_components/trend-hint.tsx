import { TrendingDown, TrendingUp } from 'lucide-react';
import { trendPercent } from '@/lib/dashboard/admin';

type TrendHintProps = { text: string; recent: number; before: number };

/** The last 30 days, and how they compare with the 30 before; without those, no comparison. */
export function TrendHint({ text, recent, before }: TrendHintProps) {
  const percent = trendPercent(recent, before);
  if (percent === null) return text;
  const falls = percent < 0;
  const Icon = falls ? TrendingDown : TrendingUp;
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {text}
      <span
        title="Against the 30 days before"
        className={`inline-flex items-center gap-1 tabular-nums ${falls ? 'text-red-ink' : 'text-green-ink'}`}
      >
        <Icon className="size-3" />
        <span className="sr-only">{falls ? 'down' : 'up'}</span>
        {Math.abs(percent).toLocaleString('en-US')}%<span className="sr-only"> against the 30 days before</span>
      </span>
    </span>
  );
}
