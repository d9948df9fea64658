import { TimeAgo } from '@/components/ui/time-ago';
import type { TimelineEntry } from '@/lib/orders/timeline';

/** The history of an order, newest entry last. */
export function OrderTimeline({ entries }: { entries: TimelineEntry[] }) {
  return (
    <ol aria-label="Timeline" className="ml-1 text-sm">
      {entries.map((entry) => (
        <li key={entry.id} className="relative border-line-strong border-l pb-4 pl-5 last:border-transparent last:pb-0">
          <span
            aria-hidden="true"
            className="absolute top-1.5 -left-[4.5px] size-2 rounded-full bg-subtle ring-4 ring-overlay"
          />
          {entry.texts.map((text) => (
            <p key={text} className="wrap-anywhere text-ink">
              {text}
            </p>
          ))}
          {entry.comment ? (
            <p className="mt-1 whitespace-pre-wrap wrap-anywhere rounded-md bg-sunken px-2.5 py-1.5 text-muted">
              {entry.comment}
            </p>
          ) : null}
          <p className="mt-0.5 wrap-anywhere text-muted text-xs">
            {entry.by} · <TimeAgo at={entry.at} />
          </p>
        </li>
      ))}
    </ol>
  );
}
