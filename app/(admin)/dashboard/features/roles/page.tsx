import { UserCog } from 'lucide-react';
import type { Metadata } from 'next';
import { readPageParams } from '@/components/table/page-params';
import { RecordList } from '@/components/table/record-list';
import { SearchInput } from '@/components/table/search-input';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
import { requirePage } from '@/lib/auth/page-guard';
import { listFeatureRoles } from '@/lib/roles/feature-roles/queries';
import { featureRoleView } from '@/lib/roles/feature-roles/views';
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
      <RecordList
        {...{ title, description, pathname, page, total }}
        noun="role"
        addHref={editHref('new')}
        clearHref={q === '' ? null : withParams(pathname, params, { q: null, page: null, edit: null })}
        filters={<SearchInput placeholder="Search role, user or feature…" label="Search roles" />}
        caption="Roles"
        columns={roleColumns(editHref)}
        rows={rows.map(featureRoleView)}
        rowKey={(role) => role.id}
        card={(role) => <RoleCard role={role} editHref={editHref(role.id)} />}
        isSelected={(role) => role.id === oneParam(params, 'edit')}
        searchParams={params}
        sizes={userPageSizes}
        defaultRows={defaultUserPageSize}
        empty={
          <EmptyState icon={<UserCog />} title="No roles yet">
            Give somebody features without changing the role they have.
          </EmptyState>
        }
      />
      <RoleDialog id={oneParam(params, 'edit').slice(0, 64)} closeHref={withParams(pathname, params, { edit: null })} />
    </>
  );
}
