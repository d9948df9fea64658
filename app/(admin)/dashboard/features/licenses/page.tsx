import { KeyRound } from 'lucide-react';
import type { Metadata } from 'next';
import { FilterSelect } from '@/components/table/filter-select';
import { readPageParams, readSort } from '@/components/table/page-params';
import { RecordList } from '@/components/table/record-list';
import { SearchInput } from '@/components/table/search-input';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
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
  const open = oneParam(params, 'license');
  const page = readPageParams(params, licensePageSizes, defaultLicensePageSize);
  const sort = readSort(params, licenseSortKeys, { key: 'added', order: 'desc' });
  const filter = licenseFilter.parse({ q: oneParam(params, 'q'), status: oneParam(params, 'status') });
  const { rows, total } = await listLicenses({ ...filter, sort, limit: page.limit, offset: page.offset });
  const clearHref = withParams(pathname, params, { q: null, status: null, page: null, license: null });
  const editHref = (id: number | 'new') => withParams(pathname, params, { license: id });
  return (
    <>
      <RecordList
        {...{ title, description, pathname, sort, page, total }}
        noun="license"
        addHref={editHref('new')}
        clearHref={filter.q || filter.status ? clearHref : null}
        filters={
          <>
            <SearchInput placeholder="Search name, key or person…" label="Search licenses" />
            <FilterSelect param="status" label="Status" allLabel="All statuses" options={statuses} />
          </>
        }
        caption="Licenses"
        columns={licenseColumns(editHref)}
        rows={rows.map(licenseView)}
        rowKey={(license) => String(license.id)}
        card={(license) => <LicenseCard license={license} href={editHref(license.id)} />}
        isSelected={(license) => String(license.id) === open}
        searchParams={params}
        sizes={licensePageSizes}
        defaultRows={defaultLicensePageSize}
        empty={
          <EmptyState icon={<KeyRound />} title="No licenses yet">
            Add one to keep track of a key you give out.
          </EmptyState>
        }
      />
      <LicenseDialog id={open} closeHref={withParams(pathname, params, { license: null })} />
    </>
  );
}
