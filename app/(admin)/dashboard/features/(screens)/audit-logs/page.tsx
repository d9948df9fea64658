import Link from 'next/link';
import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column, TwoLines } from '@/components/table/data-table';
import { ExportLink } from '@/components/table/export-link';
import { RecordList } from '@/components/table/record-list';
import { oneParam, readFilters, readIdPageParams, type SearchParams, withParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { TimeAgo } from '@/components/ui/time-ago';
import { buildViewQuery, SavedViewLinks } from '@/components/users/saved-views';
import { SavedViewsButton } from '@/components/users/saved-views-button';
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
import { auditLogFilter, auditPageSizes, auditSources, defaultAuditPageSize } from '@/lib/audit/schemas';
import { type AuditLogView, auditLogView, formatAction } from '@/lib/audit/views';
import { requirePage } from '@/lib/auth/page-guard';
import { parseFilters } from '@/lib/platform/http/parse';
import { listSavedFilters } from '@/lib/users/saved-filters';
import { AuditDetail, ChainProofCard } from './_components/audit-panels';
import { HeadForm } from './_components/chain-controls';

const pathname = '/dashboard/features/audit-logs';
const filterNames = ['q', 'action', 'user', 'entity', 'source', 'from', 'to'] as const;
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

export default async function AuditLogsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  // Staff without the permission stay on this page and see the reason.
  const actor = await requirePage('admin', 'AdminDashboard');
  if (!hasPermission(actor, 'ViewAuditLogs')) {
    return (
      <>
        <PageHeader {...texts} />
        <Alert tone="error">Unable to load audit logs. You might not have permission.</Alert>
      </>
    );
  }
  const params = await searchParams;
  const page = readIdPageParams(params, auditPageSizes, defaultAuditPageSize);
  const { filter } = parseFilters(auditLogFilter, readFilters(params, filterNames));
  const [{ rows, ...counted }, kinds, users, chosenUser, headSetting, proof, proofProgress, saved] = await Promise.all([
    listAuditLogs({ ...filter, ...page.request }),
    listAuditKinds(),
    listAuditUsers(),
    filter.user ? findAuditUser(filter.user) : null,
    hasPermission(actor, 'ManageSettings') ? getHeadSetting() : null,
    getLastChainProof(),
    getProofProgress('audit-log'),
    listSavedFilters(actor.userId, pathname),
  ]);
  const views = { pathname, saved, query: buildViewQuery(params, filterNames) };
  const actions = [...new Set(kinds.map(({ action }) => action))];
  const entities = [...new Set(kinds.map(({ entityType }) => entityType))].sort();
  const isListed = !chosenUser || users.some(({ id }) => id === chosenUser.id);
  const detailHref = (id: number) => withParams(pathname, params, { entry: id });
  const selectWidth = 'max-sm:w-[calc(50%-0.25rem)] sm:w-52';

  return (
    <>
      <RecordList
        {...texts}
        {...counted}
        {...{ pathname, page, filter }}
        searchParams={params}
        filters={[
          { placeholder: 'Search details, users, order 12…', label: 'Search audit logs' },
          {
            param: 'action',
            label: 'Action',
            allLabel: 'All actions',
            className: selectWidth,
            options: actions.map((action) => ({ value: action, label: formatAction(action) })),
          },
          {
            param: 'user',
            label: 'User',
            allLabel: 'All users',
            className: selectWidth,
            options: [
              ...(isListed ? users : [chosenUser, ...users]).map(({ id, user }) => ({ value: id, label: user })),
              { value: systemUser, label: 'Jobs, webhooks and the system' },
            ],
          },
          {
            param: 'entity',
            label: 'Record type',
            allLabel: 'All record types',
            options: entities.map((entity) => ({ value: entity, label: formatAction(entity) })),
          },
          {
            param: 'source',
            label: 'Source',
            allLabel: 'All sources',
            className: 'max-sm:w-[calc(50%-0.25rem)] sm:w-36',
            options: auditSources.map((source) => ({ value: source, label: formatAction(source) })),
          },
          { param: 'from', label: 'From' },
          { param: 'to', label: 'To' },
        ]}
        listActions={
          <>
            <SavedViewsButton {...views} />
            <ExportLink pathname={pathname} filter={filter} />
          </>
        }
        note={
          <>
            <SavedViewLinks {...views} />
            {filter.q && isShortSearch(filter.q) ? (
              <p className="mb-3 text-muted text-sm">
                A search this short covers the newest {recentEntries.toLocaleString('en-US')} entries.
              </p>
            ) : null}
          </>
        }
        dialog="entry"
        caption="Audit logs"
        columns={auditColumns(detailHref)}
        rows={rows.map(auditLogView)}
        rowKey={(entry) => String(entry.id)}
        wide
        isFixed
        records="entries"
        noMatch="Try another search, action, user or date range."
        empty={{
          icon: <Icon name="scroll-text" />,
          title: 'No entries yet',
          children: 'Sign-ins, payments, orders and settings appear here.',
        }}
      />
      <ChainProofCard last={proof} progress={proofProgress} />
      {headSetting ? <HeadForm {...headSetting} /> : null}
      <AuditDetail
        id={oneParam(params, 'entry')}
        mayOpenOrders={hasPermission(actor, 'ManageOrders')}
        closeHref={withParams(pathname, params, { entry: null })}
      />
    </>
  );
}

/** Returns the columns. @param detailHref returns the URL that opens an entry's details */
function auditColumns(detailHref: (id: number) => string): Column<AuditLogView>[] {
  return [
    {
      header: 'Time',
      cell: (entry) => <TimeAgo at={entry.timestamp} className="whitespace-nowrap text-muted" />,
      className: 'w-32',
    },
    { header: 'User', cell: (entry) => <TwoLines detail={entry.role}>{entry.user}</TwoLines>, className: 'w-44' },
    {
      header: 'Action',
      phone: 'title',
      cell: (entry) => <span className="wrap-anywhere text-ink">{formatAction(entry.action)}</span>,
      className: 'w-36',
    },
    {
      header: 'Details',
      phone: 'line',
      cell: (entry) => <span className="wrap-anywhere md:line-clamp-2">{entry.details}</span>,
    },
    {
      header: 'Amount',
      align: 'right',
      phone: 'end',
      cell: ({ amount }) => <Amount amount={amount} />,
      className: 'w-32',
    },
    { header: 'Source', cell: (entry) => entry.source, className: 'hidden w-20 xl:table-cell' },
    actionsColumn((entry) => <DetailLink id={entry.id} href={detailHref(entry.id)} />, { className: 'w-24' }),
  ];
}

/** Shows an amount in USD; a dash for none. */
function Amount({ amount }: { amount: number | null }) {
  if (amount !== null) return <Money amountMinor={Math.round(amount * 100)} className="text-ink" />;
  return (
    <span className="no-value text-subtle">
      <span aria-hidden="true">–</span>
      <span className="sr-only">none</span>
    </span>
  );
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
