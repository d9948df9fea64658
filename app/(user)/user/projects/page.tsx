import { FolderKanban } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { type Column, DataTable } from '@/components/table/data-table';
import { readPageParams } from '@/components/table/page-params';
import { oneParam, type SearchParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { TimeAgo } from '@/components/ui/time-ago';
import { isAdminRole } from '@/lib/access/permissions';
import { requirePage } from '@/lib/auth/page-guard';
import { listProjects } from '@/lib/projects/queries';
import { defaultProjectPageSize, projectPageSizes } from '@/lib/projects/schemas';
import { type ProjectView, projectView } from '@/lib/projects/views';
import { readTaxonomy } from '@/lib/taxonomy/queries';
import { CreateProject } from './_components/create-project';
import { DeleteProject } from './_components/delete-project';
import { KeywordBadges } from './_components/keyword-badges';
import { TargetLink } from './_components/target-link';

export const metadata: Metadata = { title: 'Projects' };

const pathname = '/user/projects';

export default async function ProjectsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('user', 'session');
  // Admins use the admin console instead.
  if (isAdminRole(actor.role)) redirect('/dashboard');
  const params = await searchParams;
  const page = readPageParams(params, projectPageSizes, defaultProjectPageSize);
  const [{ rows, total }, { niches, postTypes }] = await Promise.all([listProjects(actor, page), readTaxonomy()]);
  const projects = rows.map(projectView);
  const create = (
    <CreateProject niches={niches} postTypes={postTypes} isInitiallyOpen={oneParam(params, 'new') !== ''} />
  );
  return (
    <>
      <PageHeader
        title="Projects"
        description="The website, target URL and keywords your orders are for."
        actions={total > 0 ? create : null}
      />
      <DataTable
        caption="Projects"
        columns={columns}
        rows={projects}
        rowKey={(project) => project.id}
        card={(project) => <ProjectCard project={project} />}
        wide
        pathname={pathname}
        searchParams={params}
        empty={
          <EmptyState icon={<FolderKanban />} title="No projects yet" action={create}>
            Create your first project, then order links for it in the marketplace.
          </EmptyState>
        }
        paging={{ page, total, sizes: projectPageSizes, defaultRows: defaultProjectPageSize }}
      />
    </>
  );
}

const columns: Column<ProjectView>[] = [
  {
    key: 'domain',
    header: 'Website',
    cell: (project) => (
      <div className="min-w-48 max-w-80 py-0.5">
        <ProjectLink project={project} />
        <p className="wrap-anywhere mt-0.5 line-clamp-2 text-muted text-xs">{project.description}</p>
      </div>
    ),
  },
  {
    key: 'niche',
    header: 'Niche',
    cell: (project) => <div className="wrap-anywhere min-w-24 max-w-44">{project.niche}</div>,
  },
  {
    key: 'postType',
    header: 'Post type, country',
    cell: (project) => (
      <div className="wrap-anywhere min-w-32 max-w-44">
        {project.postType}
        <div className="text-muted text-xs">{project.country}</div>
      </div>
    ),
  },
  {
    key: 'targetUrl',
    header: 'Target URL',
    cell: (project) => <TargetLink url={project.targetUrl} className="md:w-44" />,
  },
  {
    key: 'keywords',
    header: 'Keywords',
    className: 'hidden xl:table-cell',
    cell: (project) => <KeywordBadges text={project.keywords} className="min-w-40 max-w-72" />,
  },
  {
    key: 'created',
    header: 'Created',
    className: 'hidden whitespace-nowrap text-muted min-[1360px]:table-cell',
    cell: (project) => <TimeAgo at={project.createdAt} />,
  },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    align: 'right',
    cell: (project) => <DeleteProject id={project.id} domain={project.domain} />,
  },
];

function ProjectCard({ project }: { project: ProjectView }) {
  return (
    <div className="wrap-anywhere grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <ProjectLink project={project} />
          <p className="mt-0.5 line-clamp-4 text-muted text-sm">{project.description}</p>
        </div>
        <DeleteProject id={project.id} domain={project.domain} />
      </div>
      <p className="text-muted text-xs">
        {project.niche} · {project.postType} · {project.country} · <TimeAgo at={project.createdAt} />
      </p>
      <TargetLink url={project.targetUrl} />
      <KeywordBadges text={project.keywords} className="max-w-72" />
    </div>
  );
}

/** A project's name, which links to its page. */
function ProjectLink({ project }: { project: Pick<ProjectView, 'id' | 'domain'> }) {
  return (
    <Link
      prefetch={false}
      href={`/user/projects/${project.id}`}
      className="wrap-anywhere rounded-sm font-medium text-ink hover:text-accent-ink hover:underline"
    >
      {project.domain}
    </Link>
  );
}
