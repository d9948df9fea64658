import { Package, Plus } from 'lucide-react';
import type { Metadata } from 'next';
import { DataTable } from '@/components/table/data-table';
import { FilterSelect } from '@/components/table/filter-select';
import { NoMatch } from '@/components/table/no-match';
import { readPageParams, readSort } from '@/components/table/page-params';
import { Pagination } from '@/components/table/pagination';
import { SearchInput } from '@/components/table/search-input';
import { Toolbar } from '@/components/table/toolbar';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { listPackages } from '@/lib/packages/queries';
import { defaultPackagePageSize, packageFilter, packagePageSizes, packageSortKeys } from '@/lib/packages/schemas';
import { PackageCard } from './_components/package-card';
import { packageColumns } from './_components/package-columns';
import { PackageDialog } from './_components/package-dialog';
import { description, title } from './_components/words';

export const metadata: Metadata = { title };

const pathname = '/dashboard/features/packages';
const sales = [
  { value: 'on', label: 'On sale' },
  { value: 'off', label: 'Not on sale' },
];

export default async function PackagesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManagePackages');
  const params = await searchParams;
  const page = readPageParams(params, packagePageSizes, defaultPackagePageSize);
  const sort = readSort(params, packageSortKeys, { key: 'added', order: 'desc' });
  const filter = packageFilter.parse({ q: oneParam(params, 'q'), sale: oneParam(params, 'sale') });
  const { rows, total } = await listPackages({ ...filter, sort, limit: page.limit, offset: page.offset });
  const isFiltered = Object.values(filter).some(Boolean);
  const clearHref = withParams(pathname, params, { q: null, sale: null, page: null, package: null });
  const editHref = (id: number | 'new') => withParams(pathname, params, { package: id });
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={
          <ButtonLink
            href={editHref('new')}
            scroll={false}
            prefetch={false}
            variant="primary"
            icon={<Plus aria-hidden="true" className="size-4" />}
          >
            Add package
          </ButtonLink>
        }
      />
      <Toolbar clearHref={isFiltered ? clearHref : null}>
        <SearchInput placeholder="Search name or description…" label="Search packages" />
        <FilterSelect param="sale" label="Sale" allLabel="All packages" options={sales} />
      </Toolbar>
      <DataTable
        caption="Packages"
        columns={packageColumns(editHref)}
        rows={rows}
        rowKey={(row) => String(row.id)}
        card={(row) => <PackageCard row={row} href={editHref(row.id)} />}
        isSelected={(row) => String(row.id) === oneParam(params, 'package')}
        pathname={pathname}
        searchParams={params}
        sort={sort}
        empty={
          isFiltered ? (
            <NoMatch title="No package matches" clearHref={clearHref}>
              Try another word or fewer filters.
            </NoMatch>
          ) : (
            <EmptyState icon={<Package />} title="No packages yet">
              Add one, and buyers can order it at once.
            </EmptyState>
          )
        }
        footer={
          total > 0 ? (
            <Pagination
              pathname={pathname}
              searchParams={params}
              page={page}
              total={total}
              sizes={packagePageSizes}
              defaultRows={defaultPackagePageSize}
            />
          ) : null
        }
      />
      <PackageDialog id={oneParam(params, 'package')} closeHref={withParams(pathname, params, { package: null })} />
    </>
  );
}
