'use client';

import Link from 'next/link';
import { cn } from '@/components/ui/cn';
import { LinkBusy } from '@/components/ui/link-busy';
import { useListUrl } from './use-list-url';

const labels = { all: 'All sites', favourites: 'Favorites', hidden: 'Hidden' };
export type CataloguePart = keyof typeof labels;

type CataloguePartsProps = {
  shown: CataloguePart;
  /** The parts to offer, each with its number of sites; '' for an unknown number. */
  counts: Readonly<Partial<Record<CataloguePart, string | number>>>;
  className?: string;
};

/** Tabs for the parts of the catalogue: all sites, favourites, hidden ones. The URL holds the part. */
export function CatalogueParts({ shown, counts, className }: CataloguePartsProps) {
  const { hrefWith } = useListUrl();
  const parts = (['all', 'favourites', 'hidden'] as const).filter((part) => counts[part] !== undefined);
  return (
    <nav aria-label="Sites to show" className={cn('flex gap-0.5', className)}>
      {parts.map((part) => (
        <Link
          prefetch={false}
          key={part}
          href={hrefWith({ show: part === 'all' ? null : part })}
          scroll={false}
          aria-current={part === shown ? 'page' : undefined}
          className="segment"
        >
          {labels[part]}
          <LinkBusy />
          {counts[part] ? <span className="font-normal text-muted text-xs">{counts[part]}</span> : null}
        </Link>
      ))}
    </nav>
  );
}
