import Link from 'next/link';
import { listTagFilter, TagList } from '@/components/notes/tag-list';
import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column, TwoLines } from '@/components/table/data-table';
import { ExportLink } from '@/components/table/export-link';
import { RecordNotFound } from '@/components/table/record-dialog';
import { RecordList } from '@/components/table/record-list';
import {
  oneParam,
  readFilters,
  readIdPageParams,
  readSort,
  type SearchParams,
  withParams,
} from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import { builtInRoles } from '@/components/users/cached-roles';
import { buildViewQuery, SavedViewLinks } from '@/components/users/saved-views';
import { SavedViewsButton } from '@/components/users/saved-views-button';
import { UserStatusBadge } from '@/components/users/user-status-badge';
import { userStatuses } from '@/db/schema/users';
import { covers, getRolePermissions, isPermission } from '@/lib/access/permissions';
import { listRoles } from '@/lib/access/roles';
import { requirePage } from '@/lib/auth/page-guard';
import { loadOrEmpty } from '@/lib/dashboard/load-or-empty';
import { listKnownTags, listTagsOfUsers } from '@/lib/notes/tags';
import { parseFilters } from '@/lib/platform/http/parse';
import { defaultUserPageSize, type PersonView, personView, userFilter, userPageSizes } from '@/lib/users/contract';
import { findPerson, listPeople, personSortKeys } from '@/lib/users/queries';
import { listSavedFilters } from '@/lib/users/saved-filters';
import { PersonEditor, RoleChoicesProvider, RoleSelect } from './_components/person-editor';

const pathname = '/dashboard/features/users';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

const filterNames = ['q', 'role', 'status', 'tag'] as const;

export default async function UsersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'ManageUsers');
  const params = await searchParams;
  const page = readIdPageParams(params, userPageSizes, defaultUserPageSize);
  const sort = readSort(params, personSortKeys, { key: 'joined', order: 'desc' });
  const { filter } = parseFilters(userFilter, readFilters(params, filterNames));
  const [{ rows, ...counted }, roles, knownTags, saved] = await Promise.all([
    listPeople({ ...filter, ...page.request }, sort),
    loadOrEmpty('list of roles', listRoles(), null),
    listKnownTags('user'),
    listSavedFilters(actor.userId, pathname),
  ]);
  const tags = await listTagsOfUsers(rows.map(({ id }) => id));
  const people = rows.map((row) => ({
    ...personView(row),
    tags: tags.get(row.id) ?? [],
    mayAssign: row.id !== actor.userId && covers(actor, { ...row, permissions: row.permissions.filter(isPermission) }),
  }));
  const assignable = roles?.filter((role) => covers(actor, { role: role.name, permissions: getRolePermissions(role) }));
  const views = { pathname, saved, query: buildViewQuery(params, filterNames) };
  const editHref = (id: string) => withParams(pathname, params, { user: id });

  return (
    <RoleChoicesProvider
      roles={roles?.map(({ name }) => name) ?? null}
      assignable={assignable?.map(({ name }) => name) ?? null}
    >
      <RecordList
        {...texts}
        {...counted}
        {...{ pathname, sort, page, filter }}
        searchParams={params}
        add={{ label: 'Add user', href: editHref('new') }}
        filters={[
          { placeholder: 'Search name, email or role…', label: 'Search users' },
          {
            param: 'role',
            label: 'Role',
            allLabel: 'All roles',
            options: roles?.map(({ name }) => name) ?? builtInRoles,
          },
          { param: 'status', label: 'Status', allLabel: 'All statuses', options: userStatuses },
          ...listTagFilter(knownTags, filter.tag),
        ]}
        listActions={
          <>
            <SavedViewsButton {...views} />
            <ExportLink pathname={pathname} filter={filter} />
          </>
        }
        note={<SavedViewLinks {...views} />}
        dialog="user"
        caption="Users"
        columns={personColumns(editHref)}
        rows={people}
        rowKey={(person) => person.id}
        records="users"
        empty={{
          icon: <Icon name="users-round" />,
          title: 'No users yet',
          children: 'Users appear here once they register.',
        }}
      />
      <PersonDialog
        id={oneParam(params, 'user').slice(0, 64)}
        closeHref={withParams(pathname, params, { user: null })}
      />
    </RoleChoicesProvider>
  );
}

/** Returns the columns. @param editHref returns the URL that opens a user's form */
function personColumns(editHref: (id: string) => string): Column<PersonRow>[] {
  return [
    {
      header: 'User',
      phone: 'title',
      sortKey: 'name',
      className: 'w-full max-w-0 min-w-48',
      cell: (person) => <PersonName {...person} />,
    },
    { header: 'Role', sortKey: 'role', cell: (person) => <PersonRole person={person} /> },
    { header: 'Status', sortKey: 'status', phone: 'end', cell: ({ status }) => <UserStatusBadge status={status} /> },
    {
      header: 'Joined',
      phone: 'hidden',
      sortKey: 'joined',
      firstOrder: 'desc',
      className: 'whitespace-nowrap',
      cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
    },
    {
      header: 'Last seen',
      phone: 'hidden',
      sortKey: 'seen',
      firstOrder: 'desc',
      className: 'whitespace-nowrap',
      cell: ({ lastSeenAt }) => (lastSeenAt ? <TimeAgo at={lastSeenAt} /> : <span className="text-subtle">Never</span>),
    },
    actionsColumn(({ id, name, email }) => <EditPersonLink name={name || email} href={editHref(id)} />),
  ];
}

function EditPersonLink({ name, href }: { name: string; href: string }) {
  return (
    <ButtonLink href={href} scroll={false} size="sm" aria-label={`Edit ${name}`}>
      Edit
    </ButtonLink>
  );
}

/** Renders a user's name, which links to the user's page, and email address. */
function PersonName({ id, name, email, tags }: PersonRow) {
  return (
    <span className="block min-w-0">
      <TwoLines detail={name ? email : null}>
        <Link
          prefetch={false}
          href={`/dashboard/features/users/${id}`}
          className="block truncate rounded-sm font-medium text-ink hover:underline"
        >
          {name || email}
        </Link>
      </TwoLines>
      <TagList tags={tags} />
    </span>
  );
}

type PersonRow = PersonView & {
  /** The internal tags. */
  tags: string[];
  /**
   * Whether the current user can change this user's role. False for the current user and for users with more
   * permissions.
   */
  mayAssign: boolean;
};

function PersonRole({ person }: { person: PersonRow }) {
  if (!person.mayAssign) return <span className="inline-block px-3 text-muted text-sm">{person.role}</span>;
  return <RoleSelect id={person.id} name={person.name || person.email} role={person.role} />;
}

/** Renders the form of the user in the URL. `id` is an id, 'new', or '' if absent. */
async function PersonDialog({ id, closeHref }: { id: string; closeHref: string }) {
  if (id === '') return null;
  if (id === 'new') return <PersonEditor key="new" person={null} statuses={userStatuses} closeHref={closeHref} />;
  const person = await findPerson(id);
  if (!person) return <RecordNotFound key={id} noun="user" closeHref={closeHref} />;
  return <PersonEditor key={id} person={personView(person)} statuses={userStatuses} closeHref={closeHref} />;
}
