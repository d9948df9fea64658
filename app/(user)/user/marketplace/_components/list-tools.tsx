'use client';

import { Columns3, LayoutGrid, Rows3 } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { type CataloguePart, CatalogueParts } from '@/components/sites/filters/catalogue-parts';
import { useAddress } from '@/components/sites/filters/use-address';
import { IconButton } from '@/components/ui/icon-button';
import type { SiteColumn } from '@/lib/sites/columns';
import { ColumnsDialog } from './columns-dialog';
import { SortSelect } from './sort-select';

type ListToolsProps = {
  show: CataloguePart;
  /** How many sites the list has, and how many of the post type the person marked. */
  total: string;
  favourites: number;
  hidden: number;
  view: 'table' | 'cards';
  sortValue: string;
  columns: readonly SiteColumn[];
};

/** Above the rows: whose part of the catalogue is shown, in which order and how. */
export function ListTools({ show, total, favourites, hidden, view, sortValue, columns }: ListToolsProps) {
  const { hrefWith } = useAddress();
  const [isColumnsOpen, setColumnsOpen] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 border-line border-b px-3 py-1.5">
      <CatalogueParts
        shown={show}
        counts={{ all: show === 'all' ? total : '', favourites: favourites || '', hidden: hidden || '' }}
        className="mr-auto"
      />
      <div
        className={view === 'cards' ? 'max-sm:order-last max-sm:w-full' : 'max-sm:order-last max-sm:w-full lg:hidden'}
      >
        <SortSelect value={sortValue} />
      </div>
      <IconButton label="Columns" aria-haspopup="dialog" onClick={() => setColumnsOpen(true)}>
        <Columns3 className="size-4" />
      </IconButton>
      <Link
        prefetch={false}
        href={hrefWith({ view: view === 'cards' ? null : 'cards' })}
        scroll={false}
        title={view === 'cards' ? 'Show as a table' : 'Show as cards'}
        className="btn btn-ghost btn-sm btn-square max-lg:hidden"
      >
        {view === 'cards' ? <Rows3 className="size-4" /> : <LayoutGrid className="size-4" />}
        <span className="sr-only">{view === 'cards' ? 'Show as a table' : 'Show as cards'}</span>
      </Link>
      <ColumnsDialog open={isColumnsOpen} onOpenChange={setColumnsOpen} columns={columns} />
    </div>
  );
}
