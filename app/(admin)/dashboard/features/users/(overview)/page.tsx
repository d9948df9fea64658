import { UsersRound } from 'lucide-react';
import type { Metadata } from 'next';
import { FilterSelect } from '@/components/table/filter-select';
import { readPageParams, readSort } from '@/components/table/page-params';
import { RecordList } from '@/components/table/record-list';
import { SearchInput } from '@/components/table/search-input';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
import { builtInRoles } from '@/components/users/cached-roles';
import { userStatuses } from '@/db/schema/users';
import { covers, getRolePermissions, isPermission } from '@/lib/access/permissions';
import { listRoles } from '@/lib/access/roles';
import { requirePage } from '@/lib/auth/page-guard';
import { partOrEmpty } from '@/lib/dashboard/part-or-empty';
import { listPeople, personSortKeys } from '@/lib/users/directory-queries';
import { defaultUserPageSize, userFilter, userPageSizes } from '@/lib/users/schemas';
import { personView } from '@/lib/users/views';
import { PersonCard } from '../_components/person-card';
import { personColumns } from '../_components/person-columns';
import { PersonDialog } from '../_components/person-dialog';
import { RoleChoicesProvider } from '../_components/role-choices';
import { description, title } from '../_components/words';

export const metadata: Metadata = { title };

const pathname = '/dashboard/features/users';

export default async function UsersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'ManageUsers');
  const params = await searchParams;
  const page = readPageParams(params, userPageSizes, defaultUserPageSize);
  const sort = readSort(params, personSortKeys, { key: 'joined', order: 'desc' });
  const filter = userFilter.parse({
    q: oneParam(params, 'q').slice(0, 200),
    role: oneParam(params, 'role').slice(0, 200),
    status: oneParam(params, 'status'),
  });
  const [{ rows, total }, roles] = await Promise.all([
    listPeople({ ...filter, limit: page.limit, offset: page.offset }, sort),
    partOrEmpty('list of roles', listRoles(), null),
  ]);
  const people = rows.map((row) => ({
    ...personView(row),
    mayAssign: row.id !== actor.userId && covers(actor, { ...row, permissions: row.permissions.filter(isPermission) }),
  }));
  const givable = roles?.filter((role) => covers(actor, { role: role.name, permissions: getRolePermissions(role) }));
  const isFiltered = Object.values(filter).some(Boolean);
  const clearHref = withParams(pathname, params, { q: null, role: null, status: null, page: null, user: null });
  const editHref = (id: string) => withParams(pathname, params, { user: id });

  return (
    <RoleChoicesProvider
      roles={roles?.map(({ name }) => name) ?? null}
      givable={givable?.map(({ name }) => name) ?? null}
    >
      <RecordList
        {...{ title, description, pathname, sort, page, total }}
        noun="user"
        addHref={editHref('new')}
        clearHref={isFiltered ? clearHref : null}
        filters={
          <>
            <SearchInput placeholder="Search name, email or role…" label="Search users" />
            <FilterSelect
              param="role"
              label="Role"
              allLabel="All roles"
              options={roles?.map(({ name }) => name) ?? builtInRoles}
            />
            <FilterSelect param="status" label="Status" allLabel="All statuses" options={userStatuses} />
          </>
        }
        caption="Users"
        columns={personColumns(editHref)}
        rows={people}
        rowKey={(person) => person.id}
        card={(person) => <PersonCard person={person} editHref={editHref(person.id)} />}
        isSelected={(person) => person.id === oneParam(params, 'user')}
        searchParams={params}
        sizes={userPageSizes}
        defaultRows={defaultUserPageSize}
        empty={
          <EmptyState icon={<UsersRound />} title="No users yet">
            Whoever registers appears here.
          </EmptyState>
        }
      />
      <PersonDialog
        id={oneParam(params, 'user').slice(0, 64)}
        closeHref={withParams(pathname, params, { user: null })}
      />
    </RoleChoicesProvider>
  );
}
