import { Plus } from 'lucide-react';
import Link from 'next/link';
import type { ComponentProps, ReactNode } from 'react';
import { ButtonLink } from '@/components/ui/button';
import { NoMatch } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { DataTable } from './data-table';
import type { PageCursors } from './pagination';
import type { PageParams } from './url';

type ToolbarProps = {
  /** Search and filters. */
  children: ReactNode;
  /** Actions on the whole list, at the right end. */
  actions?: ReactNode;
  /** The URL of the unfiltered list; set only while a filter is active. */
  clearHref?: string | null;
};

/** The row above a table. */
export function Toolbar({ children, actions, clearHref }: ToolbarProps) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      {children}
      {clearHref ? (
        <Link
          prefetch={false}
          href={clearHref}
          scroll={false}
          className="rounded-sm px-2 py-1 text-accent-ink text-sm hover:underline"
        >
          Clear filters
        </Link>
      ) : null}
      {actions ? <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div> : null}
    </div>
  );
}

type RecordLinkProps = {
  name: string;
  /** The URL of its dialog. */
  href: string;
  /** The accessible name, where `name` alone is ambiguous. */
  fullName?: string;
};

/** A record's name in its list. It links to its editor. */
export function RecordLink({ name, href, fullName = name }: RecordLinkProps) {
  return (
    <Link
      prefetch={false}
      href={href}
      scroll={false}
      aria-label={`Edit ${fullName}`}
      className="block truncate rounded-sm font-medium text-ink hover:underline"
    >
      {name}
    </Link>
  );
}

type RecordListProps<Row> = Omit<ComponentProps<typeof DataTable<Row>>, 'paging'> & {
  title: string;
  description: string;
  /** The singular noun of a record, e.g. "package". */
  noun: string;
  /** The URL that opens the dialog of a new record. */
  addHref: string;
  filters: ReactNode;
  /** The URL of the list without filters; null while no filter is active. */
  clearHref: string | null;
  page: PageParams;
  total: number;
  capped?: boolean;
  cursors?: PageCursors;
  sizes: readonly number[];
  defaultRows: number;
};

/** The page of a list that staff manage: heading, Add button, filters, table and paging. */
export function RecordList<Row>(props: RecordListProps<Row>) {
  const { title, description, noun, addHref, filters, clearHref, empty, ...list } = props;
  const { page, total, capped, cursors, sizes, defaultRows, ...table } = list;
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={
          <ButtonLink href={addHref} scroll={false} variant="primary" icon={<Plus className="size-4" />}>
            {`Add ${noun}`}
          </ButtonLink>
        }
      />
      <Toolbar clearHref={clearHref}>{filters}</Toolbar>
      <DataTable
        {...table}
        empty={
          clearHref ? (
            <NoMatch title={`No matching ${noun}s`} clearHref={clearHref}>
              Try another search or remove filters.
            </NoMatch>
          ) : (
            empty
          )
        }
        paging={{ page, total, capped, cursors, sizes, defaultRows }}
      />
    </>
  );
}
