import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column } from '@/components/table/data-table';
import { RecordList } from '@/components/table/record-list';
import { oneParam, readPageParams, type SearchParams } from '@/components/table/url';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import { isAdminRole } from '@/lib/access/permissions';
import { requirePage } from '@/lib/auth/page-guard';
import { type ProjectView, projectView } from '@/lib/projects/contract';
import { listProjects } from '@/lib/projects/projects';
import { getTaxonomy } from '@/lib/taxonomy/queries';
import { CreateProject, ProjectActions } from './_components/project-actions';
import { KeywordBadges, TargetLink } from './_components/project-summary';

const pathname = '/user/projects';
const texts = screenTexts(pathname);

export const metadata: Metadata = { title: texts.title };

export default async function ProjectsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('user', 'account:orders');
  // Admins use the admin console instead.
  if (isAdminRole(actor.role)) redirect('/dashboard');
  const params = await searchParams;
  const page = readPageParams(params);
  const [{ rows, total }, choices] = await Promise.all([listProjects(actor, page), getTaxonomy()]);
  const projects = rows.map(projectView);
  const create =
    actor.projectIds === null ? <CreateProject {...choices} isInitiallyOpen={oneParam(params, 'new') !== ''} /> : null;
  return (
    <RecordList
      {...texts}
      {...{ pathname, page, total }}
      searchParams={params}
      actions={total > 0 ? create : null}
      caption="Projects"
      columns={projectColumns(choices)}
      rows={projects}
      rowKey={(project) => project.id}
      wide
      empty={{
        icon: <Icon name="folder-kanban" />,
        title: 'No projects yet',
        action: create,
        children: create
          ? 'Create your first project, then order links for it in the marketplace.'
          : 'Ask an owner or a manager of the account to choose projects for you.',
      }}
    />
  );
}

type Choices = { niches: readonly string[]; postTypes: readonly string[] };

const projectColumns = (choices: Choices): Column<ProjectView>[] => [
  {
    key: 'domain',
    header: 'Website',
    phone: 'title',
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
    cell: (project) => <div className="wrap-anywhere line-clamp-2 min-w-24 max-w-44">{project.niche}</div>,
  },
  {
    key: 'postType',
    header: 'Post type, country',
    cell: (project) => (
      <div className="wrap-anywhere min-w-32 max-w-44">
        <div className="line-clamp-2">{project.postType}</div>
        <div className="line-clamp-2 text-muted text-xs">{project.country}</div>
      </div>
    ),
  },
  {
    key: 'targetUrl',
    header: 'Target URL',
    phone: 'line',
    cell: (project) => <TargetLink url={project.targetUrl} className="md:w-44" />,
  },
  {
    key: 'keywords',
    header: 'Keywords',
    phone: 'line',
    className: 'md:max-xl:hidden',
    cell: (project) => <KeywordBadges text={project.keywords} isShort className="min-w-40 max-w-72" />,
  },
  {
    key: 'created',
    header: 'Created',
    className: 'whitespace-nowrap text-muted md:max-[1360px]:hidden',
    cell: (project) => <TimeAgo at={project.createdAt} />,
  },
  actionsColumn((project) => <ProjectActions project={project} {...choices} />, { phone: 'end' }),
];

/** Renders a project's name, which links to its page. */
function ProjectLink({ project }: { project: Pick<ProjectView, 'id' | 'domain'> }) {
  return (
    <Link
      prefetch={false}
      href={`/user/projects/${project.id}`}
      className="wrap-anywhere line-clamp-2 rounded-sm font-medium text-ink hover:text-accent-ink hover:underline"
    >
      {project.domain}
    </Link>
  );
}
