import { Plus, UserCog } from 'lucide-react';
import type { Metadata } from 'next';
import { DataTable } from '@/components/table/data-table';
import { NoMatch } from '@/components/table/no-match';
import { readPageParams } from '@/components/table/page-params';
import { Pagination } from '@/components/table/pagination';
import { SearchInput } from '@/components/table/search-input';
import { Toolbar } from '@/components/table/toolbar';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { listFeatureRoles } from '@/lib/roles/queries';
import { featureRoleView } from '@/lib/roles/views';
import { defaultUserPageSize, userPageSizes } from '@/lib/users/schemas';
import { RoleCard } from './_components/role-card';
import { roleColumns } from './_components/role-columns';
import { RoleDialog } from './_components/role-dialog';
import { description, title } from './_components/words';

export const metadata: Metadata = { title };

const pathname = '/dashboard/features/roles';

export default async function RolesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManageRoles');
  const params = await searchParams;
  const page = readPageParams(params, userPageSizes, defaultUserPageSize);
  const q = oneParam(params, 'q').trim().slice(0, 200);
  const { rows, total } = await listFeatureRoles({ q, limit: page.limit, offset: page.offset });
  const editHref = (id: string) => withParams(pathname, params, { edit: id });
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
            Add role
          </ButtonLink>
        }
      />
      <Toolbar>
        <SearchInput placeholder="Search role, user or feature…" label="Search roles" />
      </Toolbar>
      <DataTable
        caption="Roles"
        columns={roleColumns(editHref)}
        rows={rows.map(featureRoleView)}
        rowKey={(role) => role.id}
        card={(role) => <RoleCard role={role} editHref={editHref(role.id)} />}
        isSelected={(role) => role.id === oneParam(params, 'edit')}
        pathname={pathname}
        searchParams={params}
        empty={
          q === '' ? (
            <EmptyState icon={<UserCog />} title="No roles yet">
              Give somebody features without changing the role they have.
            </EmptyState>
          ) : (
            <NoMatch title="No role matches" clearHref={withParams(pathname, params, { q: null, page: null })}>
              Try a part of the role’s name, the person’s or a feature.
            </NoMatch>
          )
        }
        footer={
          total > 0 ? (
            <Pagination
              pathname={pathname}
              searchParams={params}
              page={page}
              total={total}
              sizes={userPageSizes}
              defaultRows={defaultUserPageSize}
            />
          ) : null
        }
      />
      <RoleDialog id={oneParam(params, 'edit').slice(0, 64)} closeHref={withParams(pathname, params, { edit: null })} />
    </>
  );
}
