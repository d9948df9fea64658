import { PageHeader } from '@/components/ui/page-header';
import { TableSkeleton } from '@/components/ui/skeleton';

export default function NichesTypesLoading() {
  return (
    <>
      <PageHeader
        title="Niche and Type Manager"
        description="The names that sites and projects choose from. A post type is a tab of the marketplace."
      />
      <TableSkeleton rows={10} label="Loading niches and post types" />
    </>
  );
}
