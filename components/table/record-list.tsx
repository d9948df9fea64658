import { Plus } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { ButtonLink } from '@/components/ui/button-link';
import { PageHeader } from '@/components/ui/page-header';
import { DataTable } from './data-table';
import { NoMatch } from './empty-list';
import type { PageCursors } from './page-links';
import type { PageParams } from './page-params';
import { Toolbar } from './toolbar';

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
