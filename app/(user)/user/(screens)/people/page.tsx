import type { Metadata } from 'next';
import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column, DataTable, UserName } from '@/components/table/data-table';
import { oneParam, readPageParams, type SearchParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
import { countOf } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { Tabs } from '@/components/ui/tabs';
import { TimeAgo } from '@/components/ui/time-ago';
import { db } from '@/db/client';
import { hasAccountRight } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { listManageableRoles } from '@/lib/accounts/member-rules';
import {
  getAccount,
  type ListedAccount,
  type ListedInvitation,
  type ListedMember,
  listInvitations,
  listMembers,
} from '@/lib/accounts/queries';
import { accountRoleNames } from '@/lib/accounts/role-names';
import { requirePage } from '@/lib/auth/page-guard';
import { getPolicy } from '@/lib/orders/requests/save-limits';
import { listSpending } from '@/lib/orders/spending/facts';
import { listProjectChoices, listProjects, listProjectsOf } from '@/lib/projects/projects';
import { getTaxonomy } from '@/lib/taxonomy/queries';
import { AccountName, DeleteAccount, EditBudget, PolicyCard } from './_components/account-settings';
import { InvitationActions, InviteMember, MemberActions } from './_components/member-actions';
import type { Grantable, Membership } from './_components/member-fields';
import { orderingRoles } from './_components/role-texts';

const pathname = '/user/people';
const texts = screenTexts(pathname);

export const metadata: Metadata = { title: texts.title };

/** Renders the members of the account with their invitations, and to owners its policy, budgets and name. */
export default async function PeoplePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('user', 'account:members');
  const params = await searchParams;
  const isOwner = hasAccountRight(actor.accountRole, 'account:manage');
  const tab = isOwner && oneParam(params, 'tab') === 'limits' ? 'limits' : 'members';
  const [account, projects] = await Promise.all([
    getAccount(actor, actor.accountId),
    tab === 'members' ? listProjectChoices(actor) : [],
  ]);
  const grantable = {
    roles: listManageableRoles(actor.accountRole),
    projects: projects.map(({ id, domain }) => ({ id, domain })),
    hasAllProjects: actor.projectIds === null,
  };
  return (
    <>
      <PageHeader
        {...texts}
        actions={tab === 'members' ? <InviteMember accountId={account.id} grantable={grantable} /> : null}
      />
      {isOwner ? (
        <div className="mb-4">
          <Tabs
            label="Account"
            tabs={[
              { href: pathname, label: 'Members', current: tab === 'members' },
              { href: `${pathname}?tab=limits`, label: 'Limits and account', current: tab === 'limits' },
            ]}
          />
        </div>
      ) : null}
      {tab === 'members' ? (
        <MembersTab actor={actor} account={account} grantable={grantable} />
      ) : (
        <LimitsTab actor={actor} account={account} searchParams={params} />
      )}
    </>
  );
}

type MembersTabProps = { actor: Actor; account: ListedAccount; grantable: Grantable };
type ShownMember = ListedMember & {
  isSelf: boolean;
  /** USD cents; null for a role that does not order, and for spending that is no business of the actor. */
  spentCents: number | null;
};

async function MembersTab({ actor, account, grantable: offered }: MembersTabProps) {
  const { id: accountId, name } = account;
  const [rows, invitations, spending] = await Promise.all([
    listMembers(actor, accountId),
    listInvitations(actor, accountId),
    listSpending(db(), { accountId }),
  ]);
  const members = rows.map((member): ShownMember => {
    const isSelf = member.userId === actor.userId;
    const isShown = orderingRoles.includes(member.role) && (isSelf || member.isManageable || actor.projectIds === null);
    const spent = spending.filter(({ memberId }) => memberId === member.userId);
    return {
      ...member,
      isSelf,
      spentCents: isShown ? spent.reduce((sum, { spentCents }) => sum + spentCents, 0) : null,
    };
  });
  // A project of a member may be older than those that are offered: saving the member must keep it.
  const unlisted = new Set([...rows, ...invitations].flatMap(({ projectIds }) => projectIds ?? []));
  for (const { id } of offered.projects) unlisted.delete(id);
  const older = unlisted.size === 0 ? [] : await listProjectsOf(actor, [...unlisted]);
  const grantable = { ...offered, projects: [...offered.projects, ...older] };
  const domains = new Map(grantable.projects.map((project) => [project.id, project.domain]));
  const actions = ({ userId, name: own, email, isSelf, isManageable, version, ...row }: ShownMember) => (
    <MemberActions
      accountId={accountId}
      account={name}
      grantable={grantable}
      member={{ ...toMembership(row), userId, name: own || email, version, isSelf, isManageable }}
      mayLeave={userId !== accountId}
    />
  );
  const invitationActions = ({ id, email, isManageable, ...row }: ListedInvitation) =>
    isManageable ? <InvitationActions accountId={accountId} invitation={{ ...toMembership(row), id, email }} /> : null;
  const membershipColumns: Column<Membership>[] = [
    { key: 'role', header: 'Role', cell: ({ role }) => accountRoleNames[role] },
    {
      key: 'projects',
      header: 'Projects',
      phone: 'labeled',
      cell: ({ projectIds }) => <Projects domains={domains} projectIds={projectIds} />,
    },
    {
      key: 'limit',
      header: 'Monthly limit',
      phone: 'labeled',
      align: 'right',
      cell: (row) => <Limit membership={row} />,
    },
  ];
  const memberColumns: Column<ShownMember>[] = [
    { key: 'person', header: 'Person', phone: 'title', cell: (row) => <Person member={row} /> },
    ...membershipColumns,
    {
      key: 'spent',
      header: 'Spent this month',
      phone: 'labeled',
      align: 'right',
      cell: ({ spentCents }) => <Spent cents={spentCents} />,
    },
    actionsColumn(actions, { phone: 'end' }),
  ];
  const invitationColumns: Column<ListedInvitation>[] = [
    {
      key: 'email',
      header: 'Email',
      phone: 'title',
      cell: ({ email }) => <span className="wrap-anywhere text-ink">{email}</span>,
    },
    ...membershipColumns,
    {
      key: 'ends',
      header: 'Ends',
      phone: 'labeled',
      className: 'whitespace-nowrap text-muted',
      cell: ({ expiresAt }) => <TimeAgo at={expiresAt} />,
    },
    actionsColumn(invitationActions, { phone: 'end' }),
  ];
  return (
    <>
      <DataTable
        caption="Members"
        columns={memberColumns}
        rows={members}
        rowKey={({ userId }) => userId}
        pathname={pathname}
        searchParams={{}}
        empty={<EmptyState icon={<Icon name="users" />} title="No members" />}
      />
      {invitations.length > 0 ? (
        <section aria-labelledby="invitations" className="mt-8">
          <h2 id="invitations" className="mb-3 font-medium text-ink text-sm">
            Open invitations
          </h2>
          <DataTable
            caption="Open invitations"
            columns={invitationColumns}
            rows={invitations}
            rowKey={({ id }) => id}
            pathname={pathname}
            searchParams={{}}
            empty={null}
          />
        </section>
      ) : null}
    </>
  );
}

const toMembership = ({ role, projectIds, monthlyLimitCents }: Membership): Membership => ({
  ...{ role, projectIds, monthlyLimitCents },
});

function Person({ member: { name, email, isSelf } }: { member: ShownMember }) {
  return <UserName name={isSelf ? `${name || email} (you)` : name} email={email} />;
}

/** The number of projects that a list names. */
const namedProjects = 3;

/** Names the projects of a member that the user sees. */
function Projects({
  domains,
  projectIds,
}: {
  domains: ReadonlyMap<string, string>;
  projectIds: readonly string[] | null;
}) {
  if (projectIds === null) return 'All';
  const named = projectIds.flatMap((id) => domains.get(id) ?? []).slice(0, namedProjects);
  const more = projectIds.length - named.length;
  if (projectIds.length === 0) return <span className="text-muted">None</span>;
  return (
    <span className="wrap-anywhere">
      {named.join(', ')}
      {more > 0 ? (named.length > 0 ? ` and ${more} more` : countOf(more, 'project')) : null}
    </span>
  );
}

function Limit({ membership: { role, monthlyLimitCents } }: { membership: Membership }) {
  if (!orderingRoles.includes(role)) return <span className="no-value text-muted">–</span>;
  if (monthlyLimitCents === null) return <span className="text-muted">no limit</span>;
  return <Money amountMinor={monthlyLimitCents} />;
}

const Spent = ({ cents }: { cents: number | null }) =>
  cents === null ? <span className="no-value text-muted">–</span> : <Money amountMinor={cents} />;

type LimitsTabProps = { actor: Actor; account: ListedAccount; searchParams: SearchParams };
type Budget = { id: string; domain: string; budgetCents: number | null; spentCents: number };

async function LimitsTab({ actor, account, searchParams }: LimitsTabProps) {
  const page = readPageParams(searchParams);
  const [policy, { niches }, { rows, total }, spending] = await Promise.all([
    getPolicy(actor, account.id),
    getTaxonomy(),
    listProjects(actor, page),
    listSpending(db(), { accountId: account.id }),
  ]);
  const budgets = rows.map(({ id, domain, monthlyBudgetCents }): Budget => {
    const spent = spending.filter(({ projectId }) => projectId === id);
    return {
      id,
      domain,
      budgetCents: monthlyBudgetCents,
      spentCents: spent.reduce((sum, row) => sum + row.spentCents, 0),
    };
  });
  const shown = { id: account.id, name: account.name, version: account.version };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PolicyCard accountId={account.id} policy={policy} niches={niches} />
      <section aria-labelledby="budgets">
        <h2 id="budgets" className="mb-3 font-medium text-ink text-sm">
          Budgets of projects
        </h2>
        <DataTable
          caption="Budgets of projects"
          columns={budgetColumns}
          rows={budgets}
          rowKey={({ id }) => id}
          pathname={pathname}
          searchParams={searchParams}
          paging={{ page, total }}
          empty={<EmptyState icon={<Icon name="folder-kanban" />} title="No projects yet" />}
        />
      </section>
      {account.kind === 'team' ? (
        <>
          <AccountName account={shown} />
          <DeleteAccount account={shown} userId={actor.userId} />
        </>
      ) : null}
    </div>
  );
}

const BudgetAmount = ({ project: { budgetCents } }: { project: Budget }) =>
  budgetCents === null ? <span className="text-muted">none</span> : <Money amountMinor={budgetCents} />;

const budgetColumns: Column<Budget>[] = [
  {
    key: 'domain',
    header: 'Project',
    phone: 'title',
    cell: ({ domain }) => <span className="wrap-anywhere text-ink">{domain}</span>,
  },
  {
    key: 'budget',
    header: 'Monthly budget',
    phone: 'labeled',
    align: 'right',
    cell: (row) => <BudgetAmount project={row} />,
  },
  {
    key: 'spent',
    header: 'Spent this month',
    phone: 'labeled',
    align: 'right',
    cell: ({ spentCents }) => <Money amountMinor={spentCents} />,
  },
  actionsColumn((row) => <EditBudget project={row} />, { phone: 'end' }),
];
