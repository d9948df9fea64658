import type { ReactNode } from 'react';
import { TimeAgo } from '@/components/ui/time-ago';

export type TimelineItem = {
  id: string | number;
  icon: ReactNode;
  title: ReactNode;
  detail?: ReactNode;
  at: Date;
  aside?: ReactNode;
};

/** Renders a list of events, newest first, each with an icon, a text and a time. */
export function Timeline({ items }: { items: TimelineItem[] }) {
  return (
    <ol className="divide-y divide-line">
      {items.map((item) => (
        <li key={item.id} className="flex items-start gap-3 px-4 py-3 sm:px-5">
          <span
            aria-hidden="true"
            className="mt-0.5 grid size-7 shrink-0 place-items-center rounded-md border border-line bg-sunken text-subtle *:size-3.5"
          >
            {item.icon}
          </span>
          <div className="min-w-0 flex-1">
            <p className="wrap-anywhere text-ink">{item.title}</p>
            <p className="mt-0.5 text-subtle text-xs">
              {item.detail ? <>{item.detail} · </> : null}
              <TimeAgo at={item.at} />
            </p>
          </div>
          {item.aside ? <div className="shrink-0 text-right">{item.aside}</div> : null}
        </li>
      ))}
    </ol>
  );
}
