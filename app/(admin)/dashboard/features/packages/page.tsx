import { Package } from 'lucide-react';
import type { Metadata } from 'next';
import { FilterSelect } from '@/components/table/filter-select';
import { readPageParams, readSort } from '@/components/table/page-params';
import { RecordList } from '@/components/table/record-list';
import { SearchInput } from '@/components/table/search-input';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
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
  const open = oneParam(params, 'package');
  const page = readPageParams(params, packagePageSizes, defaultPackagePageSize);
  const sort = readSort(params, packageSortKeys, { key: 'added', order: 'desc' });
  const filter = packageFilter.parse({ q: oneParam(params, 'q'), sale: oneParam(params, 'sale') });
  const { rows, total } = await listPackages({ ...filter, sort, limit: page.limit, offset: page.offset });
  const isFiltered = Object.values(filter).some(Boolean);
  const editHref = (id: number | 'new') => withParams(pathname, params, { package: id });
  return (
    <>
      <RecordList
        {...{ title, description, pathname, sort, page, rows, total }}
        noun="package"
        addHref={editHref('new')}
        clearHref={isFiltered ? withParams(pathname, params, { q: null, sale: null, page: null, package: null }) : null}
        filters={
          <>
            <SearchInput placeholder="Search name or description…" label="Search packages" />
            <FilterSelect param="sale" label="Sale" allLabel="All packages" options={sales} />
          </>
        }
        caption="Packages"
        columns={packageColumns(editHref)}
        rowKey={(row) => String(row.id)}
        card={(row) => <PackageCard row={row} href={editHref(row.id)} />}
        isSelected={(row) => String(row.id) === open}
        searchParams={params}
        sizes={packagePageSizes}
        defaultRows={defaultPackagePageSize}
        empty={
          <EmptyState icon={<Package />} title="No packages yet">
            Add one, and buyers can order it at once.
          </EmptyState>
        }
      />
      <PackageDialog id={open} closeHref={withParams(pathname, params, { package: null })} />
    </>
  );
}
