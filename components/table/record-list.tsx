import Link from 'next/link';
import type { ComponentProps, ReactNode } from 'react';
import { ButtonLink } from '@/components/ui/button';
import { EmptyState, NoMatch } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { PageHeader } from '@/components/ui/page-header';
import { DataTable } from './data-table';
import { FilterDate } from './filter-date';
import { FilterSelect } from './filters';
import type { Counted } from './pagination';
import { SearchInput } from './search-input';
import { firstPage, oneParam, type PageParams, type SearchParams, withParams } from './url';

type ToolbarProps = {
  /** Search and filters. */
  children: ReactNode;
  /** Actions on the whole list, at the right end. */
  actions?: ReactNode;
  /** The URL of the unfiltered list; set only while a filter is active. */
  clearHref?: string | null;
};

/** Renders the row above a table. */
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
  /** A second line. */
  detail?: string;
};

/** Renders a record's name in its list. It links to its editor. */
export function RecordLink({ name, href, fullName = name, detail }: RecordLinkProps) {
  return (
    <>
      <Link
        prefetch={false}
        href={href}
        scroll={false}
        aria-label={`Edit ${fullName}`}
        className="block truncate rounded-sm font-medium text-ink hover:underline"
      >
        {name}
      </Link>
      {detail ? <span className="block truncate text-muted text-xs">{detail}</span> : null}
    </>
  );
}

/** A field of the toolbar: a search, a select, a date or another one. */
type Filter =
  | ComponentProps<typeof SearchInput>
  | ComponentProps<typeof FilterSelect>
  | ComponentProps<typeof FilterDate>
  | { param: string; field: ReactNode };

function FilterField({ filter }: { filter: Filter }) {
  if ('field' in filter) return filter.field;
  if ('placeholder' in filter) return <SearchInput {...filter} />;
  return 'allLabel' in filter ? <FilterSelect {...filter} /> : <FilterDate {...filter} />;
}

type RecordFrameProps = {
  /** The texts of the header, which a list inside a tab does not have. */
  title?: string;
  description?: ReactNode;
  /** Main actions, at the end of the header. */
  actions?: ReactNode;
  /** The button that adds a record, and the URL of its dialog. */
  add?: { label: string; href: string };
  /** Tabs and figures between header and toolbar. */
  children?: ReactNode;
  /** The fields of the toolbar; without any, there is no toolbar. */
  filters?: readonly Filter[];
  /** Actions on the whole list, at the end of the toolbar. */
  listActions?: ReactNode;
  /** Whether the toolbar has the link that clears the filters. */
  hasClearLink?: boolean;
  /** Shown between toolbar and table. */
  note?: ReactNode;
  pathname: string;
  searchParams: SearchParams;
  /** The values of the filters by URL parameter. The list is filtered while one of them is set. */
  filter?: Readonly<Record<string, unknown>>;
  /** The URL parameter of a record's dialog. Its row is marked, and it closes when the filters are cleared. */
  dialog?: string;
  /** The URL of the list without filters, if it differs from the one without their parameters. */
  clearHref?: string;
  /** The plural noun of a record, for "No matching packages". */
  records?: string;
  /** What to try when no record matches, or the whole empty state. */
  noMatch?: ReactNode;
  /** The empty state of the unfiltered list. */
  empty: ComponentProps<typeof EmptyState>;
  /** Renders the rows, the given empty state and the paging. */
  table: (empty: ReactNode) => ReactNode;
};

/** Renders the page of a list around its table: header, toolbar and empty states. */
export function RecordFrame(props: RecordFrameProps) {
  const { title, description, add, filters = [], hasClearLink = true, records, filter = {}, pathname } = props;
  const { noMatch = 'Try another search or remove filters.', dialog } = props;
  const names = dialog ? [...Object.keys(filter), dialog] : Object.keys(filter);
  const cleared = { ...Object.fromEntries(names.map((name) => [name, null])), ...firstPage };
  const isFiltered = Object.values(filter).some(Boolean);
  const clearHref = isFiltered ? (props.clearHref ?? withParams(pathname, props.searchParams, cleared)) : null;
  const noMatchState =
    clearHref && typeof noMatch === 'string' ? (
      <NoMatch title={`No matching ${records}`} clearHref={clearHref}>
        {noMatch}
      </NoMatch>
    ) : (
      noMatch
    );
  const addButton = add ? (
    <ButtonLink href={add.href} scroll={false} variant="primary" icon={<Icon name="plus" />}>
      {add.label}
    </ButtonLink>
  ) : null;
  return (
    <>
      {title ? (
        <PageHeader
          title={title}
          description={description}
          actions={
            props.actions || addButton ? (
              <>
                {props.actions}
                {addButton}
              </>
            ) : null
          }
        />
      ) : null}
      {props.children}
      {filters.length > 0 ? (
        <Toolbar clearHref={hasClearLink ? clearHref : null} actions={props.listActions}>
          {filters.map((field) => (
            <FilterField key={field.param ?? 'q'} filter={field} />
          ))}
        </Toolbar>
      ) : null}
      {props.note}
      {props.table(clearHref ? noMatchState : <EmptyState {...props.empty} />)}
    </>
  );
}

type RecordListProps<Row> = Omit<ComponentProps<typeof DataTable<Row>>, 'empty' | 'paging'> &
  Omit<RecordFrameProps, 'table'> &
  Partial<Counted> & {
    /** Omitted with the total for a list without paging. */
    page?: PageParams;
  };

/** Renders the page of a list: header, toolbar, table, empty states and paging. */
export function RecordList<Row>(props: RecordListProps<Row>) {
  const { caption, columns, rows, rowKey, sort, wide, isFixed, ...rest } = props;
  const { page, total, isCapped, next, previous, ...frame } = rest;
  const { pathname, searchParams, dialog } = frame;
  const isOpen = dialog ? (row: Row) => rowKey(row) === oneParam(searchParams, dialog) : undefined;
  const isSelected = props.isSelected ?? isOpen;
  return (
    <RecordFrame
      {...frame}
      table={(empty) => (
        <DataTable
          {...{ caption, columns, rows, rowKey, sort, isSelected, wide, isFixed, pathname, searchParams, empty }}
          paging={page && total !== undefined ? { page, total, isCapped, next, previous } : undefined}
        />
      )}
    />
  );
}
