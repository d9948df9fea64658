import { Download, ScrollText } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { screenTexts } from '@/components/shell/screen-texts';
import { type Column, DataTable } from '@/components/table/data-table';
import { FilterDate, FilterSelect } from '@/components/table/filters';
import { Toolbar } from '@/components/table/record-list';
import { SearchInput } from '@/components/table/search-input';
import { firstPage, oneParam, readIdPageParams, type SearchParams, withParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { buttonClass } from '@/components/ui/button';
import { EmptyState, NoMatch } from '@/components/ui/empty-state';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { TimeAgo } from '@/components/ui/time-ago';
import { hasPermission } from '@/lib/access/authorize';
import { getHeadSetting } from '@/lib/audit/head';
import { getProofProgress } from '@/lib/audit/proof-requests';
import { getLastChainProof } from '@/lib/audit/prove-chain';
import {
  findAuditUser,
  isShortSearch,
  listAuditKinds,
  listAuditLogs,
  listAuditUsers,
  recentEntries,
  systemUser,
} from '@/lib/audit/queries';
import { auditLogQuery, auditPageSizes, auditSources, defaultAuditPageSize } from '@/lib/audit/schemas';
import { type AuditLogView, auditLogView, formatAction } from '@/lib/audit/views';
import { requirePage } from '@/lib/auth/page-guard';
import { AuditDetail, ChainProofCard } from './_components/audit-panels';
import { HeadForm } from './_components/chain-controls';

const texts = screenTexts('/dashboard/features/audit-logs');

export const metadata: Metadata = { title: texts.title };

const pathname = '/dashboard/features/audit-logs';

export default async function AuditLogsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  // Staff without the permission stay on this page and see the reason.
  const actor = await requirePage('admin', 'AdminDashboard');
  const header = <PageHeader {...texts} />;
  if (!hasPermission(actor, 'ViewAuditLogs')) {
    return (
      <>
        {header}
        <Alert tone="error">Unable to load audit logs. You might not have permission.</Alert>
      </>
    );
  }

  const params = await searchParams;
  const page = readIdPageParams(params, auditPageSizes, defaultAuditPageSize);
  const filter = {
    q: oneParam(params, 'q').slice(0, 200),
    action: oneParam(params, 'action').slice(0, 100),
    user: oneParam(params, 'user').slice(0, 64),
    entity: oneParam(params, 'entity').slice(0, 64),
    source: oneParam(params, 'source'),
    from: oneParam(params, 'from'),
    to: oneParam(params, 'to'),
  };
  const query = auditLogQuery.parse({ ...filter, limit: page.limit, offset: page.offset });
  const [{ rows, total, isCapped, next, previous }, kinds, users, chosenUser, headSetting, proof, proofProgress] =
    await Promise.all([
      listAuditLogs({ ...query, cursor: page.cursor }),
      listAuditKinds(),
      listAuditUsers(),
      filter.user ? findAuditUser(filter.user) : null,
      hasPermission(actor, 'ManageSettings') ? getHeadSetting() : null,
      getLastChainProof(),
      getProofProgress('audit-log'),
    ]);
  const actions = [...new Set(kinds.map(({ action }) => action))];
  const entities = [...new Set(kinds.map(({ entityType }) => entityType))].sort();
  const isListed = !chosenUser || users.some(({ id }) => id === chosenUser.id);
  const isFiltered = Object.values(filter).some(Boolean);
  const nothing = Object.fromEntries(Object.keys(filter).map((name) => [name, null]));
  const clearHref = withParams(pathname, params, { ...nothing, ...firstPage, entry: null });
  const detailHref = (id: number) => withParams(pathname, params, { entry: id });

  return (
    <>
      {header}
      <Toolbar
        clearHref={isFiltered ? clearHref : null}
        actions={
          <a href={withParams(`${pathname}/export`, {}, filter)} download className={buttonClass({ size: 'sm' })}>
            <Download className="size-4" />
            Export CSV
          </a>
        }
      >
        <SearchInput placeholder="Search details, users, order 12…" label="Search audit logs" />
        <FilterSelect
          param="action"
          label="Action"
          allLabel="All actions"
          className="max-sm:w-[calc(50%-0.25rem)] sm:w-52"
          options={actions.map((action) => ({ value: action, label: formatAction(action) }))}
        />
        <FilterSelect
          param="user"
          label="User"
          allLabel="All users"
          className="max-sm:w-[calc(50%-0.25rem)] sm:w-52"
          options={[
            ...(isListed ? users : [chosenUser, ...users]).map(({ id, user }) => ({ value: id, label: user })),
            { value: systemUser, label: 'System' },
          ]}
        />
        <FilterSelect
          param="entity"
          label="Record type"
          allLabel="All record types"
          options={entities.map((entity) => ({ value: entity, label: formatAction(entity) }))}
        />
        <FilterSelect
          param="source"
          label="Source"
          allLabel="All sources"
          className="max-sm:w-[calc(50%-0.25rem)] sm:w-36"
          options={auditSources.map((source) => ({ value: source, label: formatAction(source) }))}
        />
        <FilterDate param="from" label="From" />
        <FilterDate param="to" label="To" />
      </Toolbar>
      {query.q && isShortSearch(query.q) ? (
        <p className="mb-3 text-muted text-sm">
          A search this short covers the newest {recentEntries.toLocaleString('en-US')} entries.
        </p>
      ) : null}
      <DataTable
        caption="Audit logs"
        columns={auditColumns(detailHref)}
        rows={rows.map(auditLogView)}
        rowKey={(entry) => String(entry.id)}
        card={(entry) => <AuditCard entry={entry} detailHref={detailHref(entry.id)} />}
        isSelected={(entry) => String(entry.id) === oneParam(params, 'entry')}
        wide
        isFixed
        pathname={pathname}
        searchParams={params}
        empty={
          isFiltered ? (
            <NoMatch title="No matching entries" clearHref={clearHref}>
              Try another search, action, user or date range.
            </NoMatch>
          ) : (
            <EmptyState icon={<ScrollText />} title="No entries yet">
              Sign-ins, payments, orders and settings appear here.
            </EmptyState>
          )
        }
        paging={{
          page,
          total,
          capped: isCapped,
          cursors: { next, previous },
          sizes: auditPageSizes,
          defaultRows: defaultAuditPageSize,
        }}
      />
      <ChainProofCard last={proof} progress={proofProgress} />
      {headSetting ? <HeadForm key={headSetting.version} {...headSetting} /> : null}
      <AuditDetail
        id={oneParam(params, 'entry')}
        mayOpenOrders={hasPermission(actor, 'ManageOrders')}
        closeHref={withParams(pathname, params, { entry: null })}
      />
    </>
  );
}

/** An audit entry in the mobile layout. */
function AuditCard({ entry, detailHref }: { entry: AuditLogView; detailHref: string }) {
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <p className="flex items-baseline justify-between gap-3">
        <span className="font-medium text-ink">{formatAction(entry.action)}</span>
        {entry.amount === null ? null : <Money amountMinor={Math.round(entry.amount * 100)} className="text-ink" />}
      </p>
      <p className="wrap-anywhere">{entry.details}</p>
      <div className="flex items-center justify-between gap-3">
        <p className="min-w-0 truncate text-muted text-xs">
          {entry.user} · <TimeAgo at={entry.timestamp} />
        </p>
        <DetailLink id={entry.id} href={detailHref} />
      </div>
    </div>
  );
}

/** @param detailHref returns the URL that opens an entry's details */
function auditColumns(detailHref: (id: number) => string): Column<AuditLogView>[] {
  return [
    {
      key: 'time',
      header: 'Time',
      cell: (entry) => <TimeAgo at={entry.timestamp} className="whitespace-nowrap text-muted" />,
      className: 'w-32',
    },
    {
      key: 'user',
      header: 'User',
      cell: (entry) => (
        <span className="block min-w-0">
          <span className="block truncate text-ink">{entry.user}</span>
          <span className="block truncate text-muted text-xs">{entry.role}</span>
        </span>
      ),
      className: 'w-44',
    },
    {
      key: 'action',
      header: 'Action',
      cell: (entry) => <span className="wrap-anywhere text-ink">{formatAction(entry.action)}</span>,
      className: 'w-36',
    },
    {
      key: 'details',
      header: 'Details',
      cell: (entry) => <span className="line-clamp-2 wrap-anywhere">{entry.details}</span>,
    },
    {
      key: 'amount',
      header: 'Amount',
      align: 'right',
      cell: (entry) =>
        entry.amount === null ? (
          <span className="text-subtle">
            <span aria-hidden="true">–</span>
            <span className="sr-only">none</span>
          </span>
        ) : (
          <Money amountMinor={Math.round(entry.amount * 100)} className="text-ink" />
        ),
      className: 'w-32',
    },
    { key: 'source', header: 'Source', cell: (entry) => entry.source, className: 'hidden w-20 xl:table-cell' },
    {
      key: 'actions',
      header: 'Actions',
      headerHidden: true,
      align: 'right',
      cell: (entry) => <DetailLink id={entry.id} href={detailHref(entry.id)} />,
      className: 'w-24',
    },
  ];
}

function DetailLink({ id, href }: { id: number; href: string }) {
  return (
    <Link
      prefetch={false}
      href={href}
      scroll={false}
      aria-label={`Details of entry ${id}`}
      className={buttonClass({ size: 'sm' })}
    >
      Details
    </Link>
  );
}
