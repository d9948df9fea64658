import { X } from 'lucide-react';
import Link from 'next/link';
import type { ParamChanges } from '@/components/table/url';
import { LinkBusy } from '@/components/ui/link-busy';
import { filterParams } from './address-filters';
import { listInForce } from './list-in-force';

type FiltersInForceProps = {
  /** What the address says. */
  read: (name: string) => string;
  hrefWith: (changes: ParamChanges) => string;
};

const without = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));

/** The filters in force, each a link to the list without it, and one to the list without any. */
export function FiltersInForce({ read, hrefWith }: FiltersInForceProps) {
  // What is searched for stands in its own field.
  const chips = listInForce(read).filter(({ params }) => !params.includes('q'));
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {chips.length > 0 ? (
        <ul aria-label="Filters in force" className="contents">
          {chips.map(({ text, params }) => (
            <li key={params.join()} className="min-w-0 max-w-full">
              <Link
                prefetch={false}
                href={hrefWith(without(params))}
                scroll={false}
                className="flex h-7 items-center gap-1 rounded-full border border-line-strong bg-surface pr-1.5 pl-2.5 text-ink text-xs transition-colors hover:bg-sunken"
              >
                <span className="sr-only">Remove </span>
                <span className="truncate">{text}</span>
                <LinkBusy />
                <X className="size-3.5 shrink-0 text-subtle" />
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      <Link
        prefetch={false}
        href={hrefWith(without(filterParams))}
        scroll={false}
        className="rounded-sm px-1.5 py-1 text-accent-ink text-sm hover:underline"
      >
        Clear filters
      </Link>
    </div>
  );
}
