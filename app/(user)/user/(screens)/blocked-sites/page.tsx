import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column } from '@/components/table/data-table';
import { RecordList } from '@/components/table/record-list';
import { oneParam, readFilters, readPageParams, type SearchParams, withParams } from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import { isAdminRole } from '@/lib/access/permissions';
import { requirePage } from '@/lib/auth/page-guard';
import { getShownName } from '@/lib/network/web-address';
import { listBlockedDomains } from '@/lib/projects/block-list';
import { listProjectChoices } from '@/lib/projects/projects';
import { BlockDomains, UnblockAll, UnblockDomain } from './_components/block-list';

const pathname = '/user/blocked-sites';
const texts = screenTexts(pathname);

export const metadata: Metadata = { title: texts.title };

/** Renders the block list of all projects, or that of the project in the URL. */
export default async function BlockedSitesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('user', 'account:orders');
  // Admins use the admin console instead.
  if (isAdminRole(actor.role)) redirect('/dashboard');
  const params = await searchParams;
  const page = readPageParams(params, [50, 100, 200], 50);
  const { q = '' } = readFilters(params, ['q']);
  const projects = await listProjectChoices(actor);
  const project = projects.find(({ id }) => id === oneParam(params, 'projectId')) ?? null;
  const projectId = project?.id ?? null;
  const { rows, total } = await listBlockedDomains(actor, projectId, { q, ...page });
  const name = project?.domain ?? 'all projects';
  // The list of all projects changes what colleagues can order.
  const mayChange = project !== null || actor.projectIds === null;
  const add = mayChange ? <BlockDomains projectId={projectId} name={name} /> : null;
  return (
    <RecordList
      {...texts}
      {...{ pathname, page, total }}
      searchParams={params}
      actions={
        <>
          <ButtonLink href={withParams('/user/marketplace', {}, { blocked: '1', projectId })}>
            Show these sites
          </ButtonLink>
          {add}
        </>
      }
      filters={[
        { placeholder: 'Search domains…', label: 'Search blocked domains' },
        {
          param: 'projectId',
          label: 'List',
          allLabel: 'All projects',
          options: projects.map(({ id, domain }) => ({ value: id, label: domain })),
        },
      ]}
      filter={{ q }}
      listActions={
        mayChange && total > 0 && q === '' ? <UnblockAll projectId={projectId} name={name} total={total} /> : null
      }
      caption={`Domains blocked for ${name}`}
      columns={[
        ...columns,
        ...(mayChange
          ? [
              actionsColumn<BlockedDomain>(({ domain }) => <UnblockDomain {...{ projectId, domain }} />, {
                phone: 'end',
              }),
            ]
          : []),
      ]}
      rows={rows}
      rowKey={({ domain }) => domain}
      records="domains"
      empty={{
        icon: <Icon name="ban" />,
        title: `No domains are blocked for ${name}`,
        action: add,
        children:
          'Sites of blocked domains are left out of the marketplace, of imported carts and of searches by agents.',
      }}
    />
  );
}

type BlockedDomain = { domain: string; createdAt: Date };

const columns: Column<BlockedDomain>[] = [
  {
    key: 'domain',
    header: 'Domain',
    phone: 'title',
    cell: ({ domain }) => (
      <span className="wrap-anywhere font-medium text-ink">{getShownName({ hostname: domain })}</span>
    ),
    className: 'w-full',
  },
  {
    key: 'created',
    header: 'Blocked',
    className: 'whitespace-nowrap text-muted',
    cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
  },
];
