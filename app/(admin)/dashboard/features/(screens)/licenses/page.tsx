import { screenTexts } from '@/components/shell/screen-texts';
import type { Column } from '@/components/table/data-table';
import { RecordNotFound } from '@/components/table/record-dialog';
import { RecordLink, RecordList } from '@/components/table/record-list';
import { oneParam, readFilters, readPageParams, readSort, type SearchParams, withParams } from '@/components/table/url';
import { userLabel } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import { requirePage } from '@/lib/auth/page-guard';
import { nullIfNotFound } from '@/lib/errors';
import {
  type LicenseView,
  licenseFilter,
  licenseIdParams,
  licenseSortKeys,
  licenseView,
} from '@/lib/licenses/contract';
import { getLicense, listLicenses } from '@/lib/licenses/licenses';
import { listPackageChoices } from '@/lib/packages/packages';
import { parseFilters } from '@/lib/platform/http/parse';
import { listWalletUsers } from '@/lib/users/wallet-users';
import { CopyKey, type LicenseChoices, LicenseEditor, StatusToggle } from './_components/license-editor';

/** The maximum number of users in the form's select. */
const maxPeople = 500;

const pathname = '/dashboard/features/licenses';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

const statuses = { active: 'Active', inactive: 'Inactive' };

export default async function LicensesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManageLicenses');
  const params = await searchParams;
  const page = readPageParams(params);
  const sort = readSort(params, licenseSortKeys, { key: 'added', order: 'desc' });
  const { filter } = parseFilters(licenseFilter, readFilters(params, ['q', 'status']));
  const { rows, total } = await listLicenses({ ...filter, sort, limit: page.limit, offset: page.offset });
  const editHref = (id: number | 'new') => withParams(pathname, params, { license: id });
  return (
    <>
      <RecordList
        {...texts}
        {...{ pathname, sort, page, total, filter }}
        searchParams={params}
        add={{ label: 'Add license', href: editHref('new') }}
        filters={[
          { placeholder: 'Search name, key or user…', label: 'Search licenses' },
          { param: 'status', label: 'Status', allLabel: 'All statuses', options: statuses },
        ]}
        dialog="license"
        caption="Licenses"
        columns={licenseColumns(editHref)}
        rows={rows.map(licenseView)}
        rowKey={(license) => String(license.id)}
        records="licenses"
        empty={{
          icon: <Icon name="key-round" />,
          title: 'No licenses yet',
          children: 'Add a license to track a key you issue.',
        }}
      />
      <LicenseDialog id={oneParam(params, 'license')} closeHref={withParams(pathname, params, { license: null })} />
    </>
  );
}

/** Returns the columns. @param editHref returns the URL that opens a license's dialog */
function licenseColumns(editHref: (id: number) => string): Column<LicenseView>[] {
  return [
    {
      header: 'License',
      phone: 'title',
      sortKey: 'name',
      cell: ({ id, name, packageName }) => (
        <RecordLink name={name} href={editHref(id)} detail={packageName ?? 'No package'} />
      ),
      className: 'w-[28%] min-w-40 max-w-0',
    },
    {
      header: 'Key',
      phone: 'line',
      cell: (license) => <CopyKey licenseKey={license.key} name={license.name} />,
      className: 'w-[32%] min-w-56 max-w-0',
    },
    {
      header: 'User',
      cell: ({ userName }) => (
        <span className={userName ? 'block truncate' : 'no-value text-muted'}>{userName ?? 'None'}</span>
      ),
      className: 'w-[20%] min-w-32 max-w-0',
    },
    {
      header: 'Status',
      phone: 'end',
      sortKey: 'status',
      cell: ({ id, name, status }) => <StatusToggle id={id} name={name} isActive={status === 'active'} />,
    },
    {
      header: 'Changed',
      phone: 'hidden',
      cell: (license) => <TimeAgo at={license.updatedAt} className="whitespace-nowrap text-muted" />,
    },
  ];
}

/** Renders the dialog of the license in the URL. `id` is a number, 'new', or '' if absent. */
async function LicenseDialog({ id, closeHref }: { id: string; closeHref: string }) {
  if (id === '') return null;
  const choices = await readChoices();
  if (id === 'new') return <LicenseEditor key="new" record={null} closeHref={closeHref} {...choices} />;
  const params = licenseIdParams.safeParse({ id });
  const found = params.success ? await nullIfNotFound(getLicense(params.data.id)) : null;
  if (!found) return <RecordNotFound key={id} noun="license" closeHref={closeHref} />;
  return <LicenseEditor key={id} record={licenseView(found)} closeHref={closeHref} {...choices} />;
}

async function readChoices(): Promise<LicenseChoices> {
  const [packages, { rows: people }] = await Promise.all([
    listPackageChoices(),
    listWalletUsers({ kind: 'personal', limit: maxPeople, offset: 0 }),
  ]);
  return {
    packages: packages.map(({ id, name }) => ({ value: String(id), label: name })),
    people: people.map((user) => ({ value: user.id, label: userLabel(user) })),
  };
}
