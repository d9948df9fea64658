import Link from 'next/link';
import { LinkBusy } from './link-busy';

export type TabLink = { href: string; label: string; current: boolean; count?: number | string | undefined };

/** Renders tabs with URLs, so that Back, reload and shared links keep the open one. */
export function Tabs({ label, tabs }: { label: string; tabs: TabLink[] }) {
  return (
    <nav aria-label={label} className="-mb-px flex gap-5 overflow-x-auto border-line border-b">
      {tabs.map((tab) => (
        <Link
          prefetch={false}
          key={tab.href}
          href={tab.href}
          scroll={false}
          aria-current={tab.current ? 'page' : undefined}
          className="tab"
        >
          {tab.label}
          <LinkBusy />
          {tab.count === undefined ? null : (
            <span className="rounded-full bg-grey-soft px-1.5 font-normal text-grey-ink text-xs">
              {typeof tab.count === 'number' ? tab.count.toLocaleString('en-US') : tab.count}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}
