import { PageHeader } from '@/components/ui/page-header';
import { TableSkeleton } from '@/components/ui/skeleton';

export default function NichesTypesLoading() {
  return (
    <>
      <PageHeader
        title="Niche and Type Manager"
        description="Options for sites and projects. Each post type is a tab in the marketplace."
      />
      <TableSkeleton rows={10} label="Loading niches and post types" />
    </>
  );
}
