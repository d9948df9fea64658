import { screenTexts } from '@/components/shell/screen-texts';
import { type Column, TwoLines } from '@/components/table/data-table';
import { RecordNotFound } from '@/components/table/record-dialog';
import { RecordLink, RecordList } from '@/components/table/record-list';
import { oneParam, readFilters, readPageParams, type SearchParams, withParams } from '@/components/table/url';
import { Badge } from '@/components/ui/badge';
import { Icon } from '@/components/ui/icon';
import { requirePage } from '@/lib/auth/page-guard';
import { nullIfNotFound } from '@/lib/errors';
import { describeFeature, type FeatureRoleView, featureRoleView, features } from '@/lib/roles/feature-roles/contract';
import { listFeatureRoles, requireFeatureRole } from '@/lib/roles/feature-roles/feature-roles';
import { defaultUserPageSize, userPageSizes } from '@/lib/users/contract';
import { RoleEditor } from './_components/role-editor';

const choices = features.map((name) => ({ name, opens: describeFeature(name) }));

const pathname = '/dashboard/features/roles';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

export default async function RolesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManageRoles');
  const params = await searchParams;
  const page = readPageParams(params, userPageSizes, defaultUserPageSize);
  const filter = readFilters(params, ['q']);
  const { rows, total } = await listFeatureRoles({ ...filter, limit: page.limit, offset: page.offset });
  const editHref = (id: string) => withParams(pathname, params, { edit: id });
  return (
    <>
      <RecordList
        {...texts}
        {...{ pathname, page, total, filter }}
        searchParams={params}
        add={{ label: 'Add role', href: editHref('new') }}
        filters={[{ placeholder: 'Search role, user or feature…', label: 'Search roles' }]}
        dialog="edit"
        caption="Roles"
        columns={roleColumns(editHref)}
        rows={rows.map(featureRoleView)}
        rowKey={(role) => role.id}
        records="roles"
        empty={{
          icon: <Icon name="user-cog" />,
          title: 'No roles yet',
          children: 'Give a user features without changing their role.',
        }}
      />
      <RoleDialog id={oneParam(params, 'edit').slice(0, 64)} closeHref={withParams(pathname, params, { edit: null })} />
    </>
  );
}

/** Returns the columns. @param editHref returns the URL that opens a record's form */
function roleColumns(editHref: (id: string) => string): Column<FeatureRoleView>[] {
  return [
    {
      header: 'Role',
      phone: 'title',
      className: 'w-[24%] min-w-36 max-w-0',
      cell: (role) => <RoleLink role={role} href={editHref(role.id)} />,
    },
    {
      header: 'User',
      className: 'w-[28%] min-w-40 max-w-0',
      cell: ({ userName, userEmail }) => (
        <TwoLines detail={userName === userEmail ? null : userEmail}>{userName}</TwoLines>
      ),
    },
    { header: 'Features', phone: 'line', cell: ({ features }) => <FeatureBadges features={features} /> },
  ];
}

/** Renders a record's name. Users can have records of the same name, so its accessible name includes the user. */
function RoleLink({ role, href }: { role: FeatureRoleView; href: string }) {
  return <RecordLink name={role.name} fullName={`${role.name} of ${role.userName}`} href={href} />;
}

function FeatureBadges({ features }: { features: readonly string[] }) {
  if (features.length === 0) return <span className="text-subtle">None</span>;
  return (
    <span className="flex flex-wrap gap-1">
      {features.map((feature) => (
        <Badge key={feature}>{feature}</Badge>
      ))}
    </span>
  );
}

/** Renders the form of the record in the URL. `id` is an id, 'new', or '' if absent. */
async function RoleDialog({ id, closeHref }: { id: string; closeHref: string }) {
  if (id === '') return null;
  if (id === 'new') return <RoleEditor key="new" record={null} choices={choices} closeHref={closeHref} />;
  const found = await nullIfNotFound(requireFeatureRole(id));
  if (!found) return <RecordNotFound key={id} noun="role" closeHref={closeHref} />;
  return <RoleEditor key={id} record={featureRoleView(found)} choices={choices} closeHref={closeHref} />;
}
