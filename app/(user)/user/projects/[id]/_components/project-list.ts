import type { PageParams } from '@/components/table/page-params';
import type { SearchParams } from '@/components/table/url';
import type { ProjectView } from '@/lib/projects/views';

/** What both lists of a project's page are asked for. */
export type ProjectListProps = {
  project: ProjectView;
  pathname: string;
  searchParams: SearchParams;
  page: PageParams;
};
