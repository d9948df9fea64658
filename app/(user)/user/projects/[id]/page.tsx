import type { Metadata } from 'next';
import Link from 'next/link';
import { projectParam } from '@/app/(user)/user/orders/_components/orders-url';
import { loadProject } from '@/app/(user)/user/projects/_components/load-project';
import { ProjectActions } from '@/app/(user)/user/projects/_components/project-actions';
import {
  KeywordBadges,
  LinkSummary,
  ProjectTiles,
  TargetLink,
} from '@/app/(user)/user/projects/_components/project-summary';
import { VerdictBadge } from '@/components/links/check-result';
import { LiveLink } from '@/components/orders/order-links';
import { type CheckedOrder, dueStatusColumn, orderColumns } from '@/components/orders/order-list';
import { actionsColumn, type Column, DataTable } from '@/components/table/data-table';
import { oneParam, readIdPageParams, type SearchParams, withParams } from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardBody, type Fact, FactList } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { formatCount, formatUrl } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { PageHeader } from '@/components/ui/page-header';
import { Tabs } from '@/components/ui/tabs';
import { TimeAgo } from '@/components/ui/time-ago';
import type { Actor } from '@/lib/access/actor';
import { requirePage } from '@/lib/auth/page-guard';
import { buyerOrderView } from '@/lib/orders/contract';
import { listLinkStandings } from '@/lib/orders/link-checks/queries';
import {
  countLinksByVerdict,
  getProjectOrderStats,
  getProjectSpend,
  type LiveLinkRow,
  listLiveLinks,
} from '@/lib/orders/order/project-figures';
import { listOrders } from '@/lib/orders/order/queries';
import type { ProjectView } from '@/lib/projects/contract';
import { getTaxonomy } from '@/lib/taxonomy/queries';
import { AnchorsTab } from './_components/anchors-tab';
import { LinkedTab } from './_components/linked-tab';
import { ReportsTab } from './_components/reports-tab';

const placedOn = ({ website, packageName }: LiveLinkRow) => (website ? formatUrl(website) : packageName);

const liveLinksColumns: Column<LiveLinkRow>[] = [
  {
    key: 'link',
    header: 'Link',
    phone: 'title',
    cell: (row) => <LiveLink url={row.linkUrl} />,
    className: 'w-[50%] min-w-48 max-w-0',
  },
  {
    key: 'website',
    header: 'Website or package',
    cell: (row) => <span className="block truncate">{placedOn(row)}</span>,
    className: 'w-[30%] min-w-36 max-w-0',
  },
  {
    key: 'check',
    header: 'Link check',
    phone: 'end',
    cell: ({ verdict }) =>
      verdict ? <VerdictBadge verdict={verdict} /> : <span className="no-value text-subtle">Not yet</span>,
  },
  { key: 'order', header: 'Order', cell: (row) => <OrderLink id={row.orderId} /> },
  {
    key: 'updated',
    header: 'Updated',
    phone: 'hidden',
    className: 'whitespace-nowrap text-muted',
    cell: (row) => <TimeAgo at={row.updatedAt} />,
  },
];

const columns: Column<CheckedOrder>[] = [
  orderColumns.id,
  { ...orderColumns.item, className: 'w-[40%] min-w-40 max-w-0' },
  orderColumns.charged,
  dueStatusColumn,
  {
    key: 'link',
    // Not “Live link”: the status beside it may say that it was lost.
    header: 'Link',
    cell: (order) =>
      order.linkUrl ? <LiveLink url={order.linkUrl} /> : <span className="no-value text-subtle">Not yet</span>,
    className: 'w-[40%] min-w-40 max-w-0',
    phone: 'line',
  },
  actionsColumn((order) => <DetailsLink id={order.id} />),
];

type ProjectPageProps = { params: Promise<{ id: string }>; searchParams: Promise<SearchParams> };

export const metadata: Metadata = { title: 'Project' };

/** Renders a project with its details, costs, orders and live links. */
export default async function ProjectPage({ params, searchParams }: ProjectPageProps) {
  const actor = await requirePage('user', 'account:orders');
  const [{ id }, address] = await Promise.all([params, searchParams]);
  const project = await loadProject(id);
  const [figures, spend, { niches, postTypes }] = await Promise.all([
    getProjectOrderStats(project.id),
    actor.viewing ? null : getProjectSpend(project.id),
    getTaxonomy(),
  ]);
  const pathname = `/user/projects/${project.id}`;
  const list = { project, pathname, searchParams: address, page: readIdPageParams(address) };
  const tabHref = (key: string) => withParams(pathname, {}, { tab: key === 'orders' ? null : key });
  const orders = {
    key: 'orders',
    label: 'Orders',
    count: formatCount(figures.total),
    content: () => <ProjectOrders {...list} actor={actor} />,
  };
  const tabs = [
    orders,
    { key: 'links', label: 'Links', count: formatCount(figures.links), content: () => <LiveLinks {...list} /> },
    {
      key: 'linked',
      label: 'Already linking',
      count: undefined,
      content: () => <LinkedTab {...list} isReadOnly={Boolean(actor.viewing)} />,
    },
    {
      key: 'anchors',
      label: 'Anchors',
      count: undefined,
      content: () => <AnchorsTab actor={actor} project={project} />,
    },
    {
      key: 'reports',
      label: 'Reports',
      count: undefined,
      content: () => <ReportsTab actor={actor} project={project} searchParams={address} />,
    },
  ];
  const tab = tabs.find(({ key }) => key === oneParam(address, 'tab')) ?? orders;
  return (
    <>
      <PageHeader
        title={<span className="wrap-anywhere">{project.domain}</span>}
        description={<span className="wrap-anywhere">{project.description}</span>}
        actions={
          <>
            <ProjectActions project={project} niches={niches} postTypes={postTypes} leadsTo="/user/projects" />
            <ButtonLink href={withParams('/user/orders', {}, { new: 'package', [projectParam]: project.id })}>
              New Order
            </ButtonLink>
            <ButtonLink
              href={withParams('/user/orders', {}, { new: 'custom', [projectParam]: project.id })}
              variant="primary"
            >
              Build Custom
            </ButtonLink>
          </>
        }
      />
      <ProjectTiles figures={figures} spend={spend} />
      <div className="mt-4">
        <ProjectFacts project={project} />
      </div>
      <div className="mt-6 mb-4">
        <Tabs
          label="Project orders and links"
          tabs={tabs.map(({ key, label, count }) => ({ href: tabHref(key), label, count, current: key === tab.key }))}
        />
      </div>
      {tab.content()}
    </>
  );
}

/** Renders the project's details, which each of its orders copies. */
function ProjectFacts({ project }: { project: ProjectView }) {
  const target: Fact[] = [
    ['Target URL', <TargetLink key="target" url={project.targetUrl} />],
    ['Keywords', <KeywordBadges key="keywords" text={project.keywords} />],
  ];
  const kind: Fact[] = [
    ['Niche', project.niche],
    ['Post type', project.postType],
    ['Country', project.country],
    ['Created', <TimeAgo key="created" at={project.createdAt} />],
  ];
  return (
    <Card aria-label="Project details">
      <CardBody className="grid items-start gap-x-10 gap-y-2 lg:grid-cols-2">
        <FactList facts={target} />
        <FactList facts={kind} />
      </CardBody>
    </Card>
  );
}

/** Renders the project's orders, newest first. Each links to its details on My Orders. */
async function ProjectOrders({ actor, ...list }: ProjectListProps & { actor: Actor }) {
  const { project, pathname, searchParams, page } = list;
  const { rows, ...counted } = await listOrders(actor, { projectId: project.id, ...page.request });
  const verdicts = await listLinkStandings(rows.map(({ id }) => id));
  return (
    <DataTable
      caption={`Orders for ${project.domain}`}
      {...{ columns, pathname, searchParams }}
      rows={rows.map((row) => ({ ...buyerOrderView(row), verdict: verdicts.get(row.id) ?? null }))}
      rowKey={(order) => String(order.id)}
      empty={
        <EmptyState
          icon={<Icon name="receipt-text" />}
          title="No orders for this project yet"
          action={<ButtonLink href="/user/marketplace">Browse the marketplace</ButtonLink>}
        >
          Choose sites in the marketplace and select {project.domain} when you order.
        </EmptyState>
      }
      paging={{ ...counted, page }}
    />
  );
}

function DetailsLink({ id }: { id: number }) {
  return (
    <ButtonLink
      href={`/user/orders?order=${id}`}
      size="sm"
      aria-label={`Details of order #${id}`}
      className="whitespace-nowrap"
    >
      Details
    </ButtonLink>
  );
}

/** Renders the links of the project's orders with the newest check of each, also of those that were lost. */
async function LiveLinks({ project, pathname, searchParams, page }: ProjectListProps) {
  const [{ rows, ...counted }, counts] = await Promise.all([
    listLiveLinks(project.id, page.request),
    countLinksByVerdict(project.id),
  ]);
  return (
    <>
      {rows.length > 0 ? <LinkSummary project={project} counts={counts} /> : null}
      <DataTable
        caption={`Links for ${project.domain}`}
        columns={liveLinksColumns}
        {...{ rows, pathname, searchParams }}
        rowKey={(row) => String(row.orderId)}
        empty={
          <EmptyState icon={<Icon name="link-2" />} title="No links yet">
            Links appear here once they’re live.
          </EmptyState>
        }
        paging={{ ...counted, page }}
      />
    </>
  );
}

function OrderLink({ id }: { id: number }) {
  return (
    <Link
      prefetch={false}
      href={`/user/orders?order=${id}`}
      aria-label={`Details of order #${id}`}
      className="inline-flex min-h-6 items-center rounded-sm text-accent-ink tabular-nums hover:underline"
    >
      #{id}
    </Link>
  );
}

/** The parameters of both lists on a project's page. */
type ProjectListProps = {
  project: ProjectView;
  pathname: string;
  searchParams: SearchParams;
  page: ReturnType<typeof readIdPageParams>;
};
