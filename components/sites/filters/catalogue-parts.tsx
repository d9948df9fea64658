'use client';

import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { firstPage, type ParamChanges, withParams } from '@/components/table/url';
import { cn } from '@/components/ui/cn';
import { LinkBusy } from '@/components/ui/link-busy';
import { Tabs } from '@/components/ui/tabs';

/** Returns the URL of a list of sites: its parameters, and the URLs with changed ones. */
export function useListUrl(ignored: readonly string[] = []) {
  const pathname = usePathname();
  const params = new URLSearchParams(useSearchParams());
  return {
    query: params.toString(),
    /** The values of a parameter. */
    read: (name: string): readonly string[] => (ignored.includes(name) ? [] : params.getAll(name).filter(Boolean)),
    /** The first page of the list with these changes. */
    hrefWith: (changes: ParamChanges) => withParams(pathname, params, { ...firstPage, ...changes }),
  };
}

/** Renders a tab for each post type. The first one has no URL parameter. */
export function PostTypeTabs({ names, current }: { names: readonly string[]; current: string | undefined }) {
  const { hrefWith } = useListUrl();
  return (
    <Tabs
      label="Post type"
      tabs={names.map((name, index) => ({
        label: name,
        current: name === current,
        href: hrefWith({ postType: index === 0 ? null : name }),
      }))}
    />
  );
}

const labels = { all: 'All sites', favourites: 'Favorites', hidden: 'Hidden' };
export type CataloguePart = keyof typeof labels;

type CataloguePartsProps = {
  shown: CataloguePart;
  /** The parts to offer, each with its number of sites; '' for an unknown number. */
  counts: Readonly<Partial<Record<CataloguePart, string | number>>>;
  className?: string;
};

/** Renders tabs for the parts of the catalogue: all sites, favourites, hidden ones. The URL holds the part. */
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
