import { Download, ScrollText } from 'lucide-react';
import type { Metadata } from 'next';
import { DataTable } from '@/components/table/data-table';
import { FilterDate } from '@/components/table/filter-date';
import { FilterSelect } from '@/components/table/filter-select';
import { NoMatch } from '@/components/table/no-match';
import { readPageParams } from '@/components/table/page-params';
import { SearchInput } from '@/components/table/search-input';
import { Toolbar } from '@/components/table/toolbar';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { buttonClass } from '@/components/ui/button-class';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { hasPermission } from '@/lib/access/authorize';
import { getHeadSetting } from '@/lib/audit/head';
import { listAuditActions, listAuditEntities, listAuditLogs, listAuditUsers, systemUser } from '@/lib/audit/queries';
import { auditLogQuery, auditPageSizes, auditSources, defaultAuditPageSize } from '@/lib/audit/schemas';
import { auditLogView, formatAction } from '@/lib/audit/views';
import { requirePage } from '@/lib/auth/page-guard';
import { AuditCard } from './_components/audit-card';
import { auditColumns } from './_components/audit-columns';
import { AuditDetail } from './_components/audit-detail';
import { HeadForm } from './_components/head-form';

export const metadata: Metadata = { title: 'Audit Logs' };

const pathname = '/dashboard/features/audit-logs';

export default async function AuditLogsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  // Staff without the permission stay here and are told why they see nothing (spec 000, section 8).
  const actor = await requirePage('admin', 'AdminDashboard');
  const header = (
    <PageHeader title="Audit Logs" description="Who did what, and when. Entries cannot be changed or deleted." />
  );
  if (!hasPermission(actor, 'ViewAuditLogs')) {
    return (
      <>
        {header}
        <Alert tone="error">Unable to load audit logs. You might not have permission.</Alert>
      </>
    );
  }

  const params = await searchParams;
  const page = readPageParams(params, auditPageSizes, defaultAuditPageSize);
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
  const [{ rows, total }, actions, users, entities, headSetting] = await Promise.all([
    listAuditLogs(query),
    listAuditActions(),
    listAuditUsers(),
    listAuditEntities(),
    hasPermission(actor, 'ManageSettings') ? getHeadSetting() : null,
  ]);
  const isFiltered = Object.values(filter).some(Boolean);
  const nothing = Object.fromEntries(Object.keys(filter).map((name) => [name, null]));
  const clearHref = withParams(pathname, params, { ...nothing, page: null, entry: null });
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
        <SearchInput placeholder="Search details, people, order 12…" label="Search audit logs" />
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
            ...users.map(({ id, user }) => ({ value: id, label: user })),
            { value: systemUser, label: 'The system itself' },
          ]}
        />
        <FilterSelect
          param="entity"
          label="About"
          allLabel="About anything"
          className="max-sm:w-[calc(50%-0.25rem)] sm:w-40"
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
      <DataTable
        caption="Audit logs"
        columns={auditColumns(detailHref)}
        rows={rows.map(auditLogView)}
        rowKey={(entry) => String(entry.id)}
        card={(entry) => <AuditCard entry={entry} detailHref={detailHref(entry.id)} />}
        isSelected={(entry) => String(entry.id) === oneParam(params, 'entry')}
        pathname={pathname}
        searchParams={params}
        empty={
          isFiltered ? (
            <NoMatch title="No entry matches" clearHref={clearHref}>
              Try another word, action, user or span of days.
            </NoMatch>
          ) : (
            <EmptyState icon={<ScrollText />} title="Nothing has happened yet">
              Sign-ins, payments, orders and settings appear here as they happen.
            </EmptyState>
          )
        }
        paging={{ page, total, sizes: auditPageSizes, defaultRows: defaultAuditPageSize }}
      />
      {headSetting ? <HeadForm key={headSetting.version} {...headSetting} /> : null}
      <AuditDetail
        id={oneParam(params, 'entry')}
        mayOpenOrders={hasPermission(actor, 'ManageOrders')}
        closeHref={withParams(pathname, params, { entry: null })}
      />
    </>
  );
}
