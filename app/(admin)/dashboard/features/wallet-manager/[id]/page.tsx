import Link from 'next/link';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { withParams } from '@/components/table/url';
import { Badge } from '@/components/ui/badge';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardBody, CardHeader, FactList } from '@/components/ui/card';
import { countOf } from '@/components/ui/format';
import { PageHeader } from '@/components/ui/page-header';
import { TimeAgo } from '@/components/ui/time-ago';
import { UserStatusBadge } from '@/components/users/user-status-badge';
import { WalletCard } from '@/components/wallet/wallet-card';
import { hasPermission } from '@/lib/access/authorize';
import { accountRoleNames } from '@/lib/accounts/role-names';
import { requirePage } from '@/lib/auth/page-guard';
import { getWalletBalance } from '@/lib/ledger/balance';
import { formatUsd } from '@/lib/money';
import { type AccountDetails, findAccountDetails } from '@/lib/users/accounts';

export const metadata = { title: 'Account' };

const features = '/dashboard/features';

/** Renders an account that buys, with its members. */
export default async function AccountPage({ params }: { params: Promise<{ id: string }> }) {
  const actor = await requirePage('admin', 'ManageWallets');
  const account = await findAccountDetails((await params).id);
  if (!account) notFound();
  const balanceCents = await getWalletBalance(account.id);
  return (
    <>
      <PageHeader
        title={<span className="wrap-anywhere">{account.name || account.email}</span>}
        description="Members, wallet and orders of an account that buys."
        actions={
          <>
            {account.deletedAt ? null : (
              <ButtonLink href={withParams(`${features}/wallet-manager`, {}, { topup: account.id })}>Top-Up</ButtonLink>
            )}
            {hasPermission(actor, 'ManageOrders') ? (
              <ButtonLink href={withParams(`${features}/orders`, {}, { userId: account.id })}>Orders</ButtonLink>
            ) : null}
          </>
        }
      />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <AccountFacts account={account} />
        <WalletCard
          transactionsHref={`${withParams(`${features}/wallet-manager`, {}, { account: account.id })}#transactions`}
          balanceCents={balanceCents}
        />
        <AccountMembers members={account.members} hasLinks={hasPermission(actor, 'ManageUsers')} />
      </div>
    </>
  );
}

function AccountFacts({ account: { id, kind, email, createdAt, deletedAt } }: { account: AccountDetails }) {
  return (
    <Card aria-labelledby="facts-heading">
      <CardHeader title={<span id="facts-heading">Account</span>} />
      <CardBody>
        <FactList
          facts={[
            ['Kind', kind === 'team' ? 'Team' : 'Personal'],
            [kind === 'team' ? 'Address of an owner' : 'Email', email],
            [
              'Account ID',
              <span key="id" className="wrap-anywhere font-mono text-xs">
                {id}
              </span>,
            ],
            ['Created', <TimeAgo key="created" at={createdAt} />],
            ...(deletedAt ? [['Deleted', <TimeAgo key="deleted" at={deletedAt} />] satisfies [string, ReactNode]] : []),
          ]}
        />
      </CardBody>
    </Card>
  );
}

function AccountMembers({ members, hasLinks }: { members: AccountDetails['members']; hasLinks: boolean }) {
  return (
    <Card aria-labelledby="members-heading">
      <CardHeader title={<span id="members-heading">{`Members (${members.length})`}</span>} />
      {members.length === 0 ? (
        <CardBody className="text-muted text-sm">A deleted account has no members.</CardBody>
      ) : (
        <ul className="divide-y divide-line">
          {members.map(({ userId, name, email, status, role, projectIds, monthlyLimitCents }) => (
            <li key={userId} className="flex flex-wrap items-center gap-3 px-4 py-3 text-sm sm:px-5">
              <div className="min-w-0 flex-1">
                {hasLinks ? (
                  <Link
                    prefetch={false}
                    href={`${features}/users/${userId}`}
                    className="block truncate rounded-sm font-medium text-ink hover:underline"
                  >
                    {name || email}
                  </Link>
                ) : (
                  <span className="block truncate font-medium text-ink">{name || email}</span>
                )}
                <span className="block truncate text-muted text-xs">
                  {[
                    name ? email : '',
                    projectIds === null ? 'All projects' : countOf(projectIds.length, 'project'),
                    monthlyLimitCents === null ? 'No limit' : `${formatUsd(monthlyLimitCents)} a month`,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </div>
              {status === 'Active' ? null : <UserStatusBadge status={status} />}
              <Badge>{accountRoleNames[role]}</Badge>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
