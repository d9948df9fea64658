import { KeyRound, Plus } from 'lucide-react';
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
import { listLicenses } from '@/lib/licenses/queries';
import { defaultLicensePageSize, licenseFilter, licensePageSizes, licenseSortKeys } from '@/lib/licenses/schemas';
import { licenseView } from '@/lib/licenses/views';
import { LicenseCard } from './_components/license-card';
import { licenseColumns } from './_components/license-columns';
import { LicenseDialog } from './_components/license-dialog';
import { description, title } from './_components/words';

export const metadata: Metadata = { title };

const pathname = '/dashboard/features/licenses';
const statuses = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
];

export default async function LicensesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManageLicenses');
  const params = await searchParams;
  const page = readPageParams(params, licensePageSizes, defaultLicensePageSize);
  const sort = readSort(params, licenseSortKeys, { key: 'added', order: 'desc' });
  const filter = licenseFilter.parse({ q: oneParam(params, 'q'), status: oneParam(params, 'status') });
  const { rows, total } = await listLicenses({ ...filter, sort, limit: page.limit, offset: page.offset });
  const isFiltered = Object.values(filter).some(Boolean);
  const clearHref = withParams(pathname, params, { q: null, status: null, page: null, license: null });
  const editHref = (id: number | 'new') => withParams(pathname, params, { license: id });
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
            Add license
          </ButtonLink>
        }
      />
      <Toolbar clearHref={isFiltered ? clearHref : null}>
        <SearchInput placeholder="Search name, key, package, person…" label="Search licenses" />
        <FilterSelect param="status" label="Status" allLabel="All statuses" options={statuses} />
      </Toolbar>
      <DataTable
        caption="Licenses"
        columns={licenseColumns(editHref)}
        rows={rows.map(licenseView)}
        rowKey={(license) => String(license.id)}
        card={(license) => <LicenseCard license={license} href={editHref(license.id)} />}
        isSelected={(license) => String(license.id) === oneParam(params, 'license')}
        pathname={pathname}
        searchParams={params}
        sort={sort}
        empty={
          isFiltered ? (
            <NoMatch title="No license matches" clearHref={clearHref}>
              Try another word or fewer filters.
            </NoMatch>
          ) : (
            <EmptyState icon={<KeyRound />} title="No licenses yet">
              Add one to keep track of a key you give out.
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
              sizes={licensePageSizes}
              defaultRows={defaultLicensePageSize}
            />
          ) : null
        }
      />
      <LicenseDialog id={oneParam(params, 'license')} closeHref={withParams(pathname, params, { license: null })} />
    </>
  );
}
