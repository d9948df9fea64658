import { screenTexts } from '@/components/shell/screen-texts';
import type { Column } from '@/components/table/data-table';
import { RecordNotFound } from '@/components/table/record-dialog';
import { RecordLink, RecordList } from '@/components/table/record-list';
import { oneParam, readFilters, readPageParams, readSort, type SearchParams, withParams } from '@/components/table/url';
import { Badge } from '@/components/ui/badge';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import { requirePage } from '@/lib/auth/page-guard';
import { nullIfNotFound } from '@/lib/errors';
import {
  adminPackageView,
  type PackageRow,
  packageFilter,
  packageIdParams,
  packageSortKeys,
  parseLinks,
} from '@/lib/packages/contract';
import { getPackage, listPackages } from '@/lib/packages/packages';
import { parseFilters } from '@/lib/platform/http/parse';
import { PackageEditor } from './_components/package-editor';

/** The maximum number of rows in the links preview. */
const shownRows = 20;

const pathname = '/dashboard/features/packages';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

const sales = { on: 'On sale', off: 'Not on sale' };

export default async function PackagesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManagePackages');
  const params = await searchParams;
  const page = readPageParams(params);
  const sort = readSort(params, packageSortKeys, { key: 'added', order: 'desc' });
  const { filter } = parseFilters(packageFilter, readFilters(params, ['q', 'sale']));
  const found = await listPackages({ ...filter, sort, limit: page.limit, offset: page.offset });
  const editHref = (id: number | 'new') => withParams(pathname, params, { package: id });
  return (
    <>
      <RecordList
        {...texts}
        {...found}
        {...{ pathname, sort, page, filter }}
        searchParams={params}
        add={{ label: 'Add package', href: editHref('new') }}
        filters={[
          { placeholder: 'Search name or description…', label: 'Search packages' },
          { param: 'sale', label: 'Sale', allLabel: 'All packages', options: sales },
        ]}
        dialog="package"
        caption="Packages"
        columns={packageColumns(editHref)}
        rowKey={(row) => String(row.id)}
        records="packages"
        empty={{
          icon: <Icon name="package" />,
          title: 'No packages yet',
          children: 'Add a package so that buyers can order it.',
        }}
      />
      <PackageDialog id={oneParam(params, 'package')} closeHref={withParams(pathname, params, { package: null })} />
    </>
  );
}

/** Returns the columns. @param editHref returns the URL that opens a package's dialog */
function packageColumns(editHref: (id: number) => string): Column<PackageRow>[] {
  return [
    {
      header: 'Package',
      phone: 'title',
      sortKey: 'name',
      cell: ({ id, name, description }) => (
        <RecordLink name={name} href={editHref(id)} detail={description || 'No description'} />
      ),
      className: 'w-1/2 min-w-56 max-w-0',
    },
    {
      header: 'Price',
      phone: 'end',
      sortKey: 'price',
      firstOrder: 'desc',
      align: 'right',
      cell: (row) => <Money amountMinor={row.priceCents} currency={row.currency} />,
    },
    { header: 'Sale', cell: (row) => <SaleBadge isOnSale={row.isOnSale} /> },
    {
      header: 'Changed',
      phone: 'hidden',
      cell: (row) => <TimeAgo at={row.updatedAt} className="whitespace-nowrap text-muted" />,
    },
  ];
}

function SaleBadge({ isOnSale }: { isOnSale: boolean }) {
  return <Badge tone={isOnSale ? 'green' : 'grey'}>{isOnSale ? 'On sale' : 'Not on sale'}</Badge>;
}

/** Renders the dialog of the package in the URL. `id` is a number, 'new', or '' if absent. */
async function PackageDialog({ id, closeHref }: { id: string; closeHref: string }) {
  if (id === '') return null;
  if (id === 'new') return <PackageEditor key="new" record={null} closeHref={closeHref} />;
  const params = packageIdParams.safeParse({ id });
  const found = params.success ? await nullIfNotFound(getPackage(params.data.id)) : null;
  if (!found) return <RecordNotFound key={id} noun="package" closeHref={closeHref} />;
  return (
    <PackageEditor
      key={id}
      record={adminPackageView(found)}
      closeHref={closeHref}
      preview={<LinksPreview links={found.links} />}
    />
  );
}

/** Previews the parsed links. CSV and JSON render alike. */
function LinksPreview({ links }: { links: string }) {
  const table = parseLinks(links);
  if (typeof table === 'string' || table.rows.length === 0) return null;
  const { header, rows } = table;
  return (
    <section aria-labelledby="links-preview" className="grid gap-2">
      <h3 id="links-preview" className="font-medium text-ink text-sm">
        Preview of the saved links
      </h3>
      <div className="overflow-x-auto rounded-md border border-line">
        <table className="w-full text-left text-sm">
          {header ? (
            <thead className="bg-sunken text-muted text-xs">
              <tr>
                {[...header.entries()].map(([at, name]) => (
                  <th key={at} scope="col" className="px-3 py-1.5 font-medium">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
          ) : null}
          <tbody className="divide-y divide-line">
            {[...rows.slice(0, shownRows).entries()].map(([line, row]) => (
              <tr key={line}>
                {[...row.entries()].map(([at, cell]) => (
                  <td key={at} className="wrap-anywhere px-3 py-1.5 text-ink">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > shownRows ? <p className="text-muted text-xs">and {rows.length - shownRows} more</p> : null}
    </section>
  );
}
