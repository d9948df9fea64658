import type { Metadata } from 'next';
import { projectParam } from '@/components/sites/basket-address';
import { readPageParams } from '@/components/table/page-params';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button-link';
import { PageHeader } from '@/components/ui/page-header';
import { Tabs } from '@/components/ui/tabs';
import { requirePage } from '@/lib/auth/page-guard';
import { getOrderFigures, getProjectSpend } from '@/lib/orders/project-figures';
import { defaultProjectPageSize, projectPageSizes } from '@/lib/projects/schemas';
import { DeleteProject } from '../_components/delete-project';
import { loadProject } from '../_components/load-project';
import { LiveLinks } from './_components/live-links';
import { ProjectFacts } from './_components/project-facts';
import { ProjectOrders } from './_components/project-orders';
import { ProjectTiles } from './_components/project-tiles';

type ProjectPageProps = { params: Promise<{ id: string }>; searchParams: Promise<SearchParams> };

export const metadata: Metadata = { title: 'Project' };

/** One project: what it is, what it has cost, its orders and the links that are live. */
export default async function ProjectPage({ params, searchParams }: ProjectPageProps) {
  const actor = await requirePage('user', 'session');
  const [{ id }, address] = await Promise.all([params, searchParams]);
  const project = await loadProject(id);
  const [figures, spend] = await Promise.all([getOrderFigures(project.id), getProjectSpend(project.id)]);
  const pathname = `/user/projects/${project.id}`;
  const isLinks = oneParam(address, 'tab') === 'links';
  const list = {
    project,
    pathname,
    searchParams: address,
    page: readPageParams(address, projectPageSizes, defaultProjectPageSize),
  };
  const tabHref = (tab: string | null) => withParams(pathname, {}, { tab });
  return (
    <>
      <PageHeader
        title={<span className="wrap-anywhere">{project.domain}</span>}
        description={<span className="wrap-anywhere">{project.description}</span>}
        actions={
          <>
            <DeleteProject id={project.id} domain={project.domain} leadsTo="/user/projects" />
            <ButtonLink href={withParams('/user/orders', {}, { new: 'package', [projectParam]: project.id })}>
              New Order
            </ButtonLink>
            <ButtonLink href="/user/orders?new=custom" variant="primary">
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
          label="Orders and links of this project"
          tabs={[
            { href: tabHref(null), label: 'Orders', current: !isLinks, count: figures.total },
            { href: tabHref('links'), label: 'Live links', current: isLinks, count: figures.liveLinks },
          ]}
        />
      </div>
      {isLinks ? <LiveLinks {...list} /> : <ProjectOrders {...list} actor={actor} />}
    </>
  );
}
