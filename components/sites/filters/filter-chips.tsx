import type { ParamChanges } from '@/components/table/url';
import { LinkBusy } from '@/components/ui/link-busy';
import { Link } from '../../ui/link';
import type { FilterInForce } from './address-filters';

type FilterChipsProps = { inForce: readonly FilterInForce[]; hrefWith: (changes: ParamChanges) => string };

/** The filters in force, each a link to the list without it. */
export function FilterChips({ inForce, hrefWith }: FilterChipsProps) {
  return (
    <ul aria-label="Filters in force" className="contents">
      {inForce.map(({ text, params }) => (
        <li key={params.join()} className="min-w-0 max-w-full">
          <Link
            href={hrefWith(Object.fromEntries(params.map((name) => [name, null])))}
            scroll={false}
            className="flex h-7 items-center gap-1 rounded-full border border-line-strong bg-surface pr-1.5 pl-2.5 text-ink text-xs transition-colors hover:bg-sunken"
          >
            <span className="sr-only">Remove </span>
            <span className="truncate">{text}</span>
            <LinkBusy />
            <span aria-hidden="true" className="icon-x size-3.5 shrink-0 text-subtle" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
