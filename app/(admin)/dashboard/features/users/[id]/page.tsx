import Link from 'next/link';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { StaffNotes } from '@/components/notes/staff-notes';
import { DueNote } from '@/components/orders/due-note';
import { OrderStatusBadge } from '@/components/orders/state-badges';
import { SessionList } from '@/components/security/session-list';
import { withParams } from '@/components/table/url';
import { Badge } from '@/components/ui/badge';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardBody, CardHeader, FactList } from '@/components/ui/card';
import { formatCount, formatUrl } from '@/components/ui/format';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { TimeAgo } from '@/components/ui/time-ago';
import { UserStatusBadge } from '@/components/users/user-status-badge';
import { WalletCard } from '@/components/wallet/wallet-card';
import type { CappedCount } from '@/db/count-up-to';
import { hasPermission } from '@/lib/access/authorize';
import { covers, isAdminRole, isPermission, isSellerRole } from '@/lib/access/permissions';
import { accountRoleNames } from '@/lib/accounts/role-names';
import { describeUserAgent } from '@/lib/auth/describe-user-agent';
import { requirePage } from '@/lib/auth/page-guard';
import { type ActiveSession, listSessions } from '@/lib/auth/security-overview';
import { getTwoStep, listPasskeys } from '@/lib/auth/two-step';
import { mayView, viewMinutes } from '@/lib/auth/viewing';
import { getWalletBalance } from '@/lib/ledger/balance';
import { type AdminOrderRow, adminOrderView } from '@/lib/orders/contract';
import { listLinkStandings } from '@/lib/orders/link-checks/queries';
import { listAllOrders } from '@/lib/orders/order/desk-queries';
import type { FeatureRoleRow } from '@/lib/roles/feature-roles/contract';
import { listUserFeatureRoles } from '@/lib/roles/feature-roles/feature-roles';
import { type LegalConsent, listConsents } from '@/lib/settings/legal/documents';
import { legalPaths, legalTitles } from '@/lib/settings/legal/legal';
import { countManagedSites } from '@/lib/sites/managed-queries';
import { listMemberships, type Membership } from '@/lib/users/accounts';
import type { PersonRow } from '@/lib/users/contract';
import { findPerson } from '@/lib/users/queries';
import { isTwoStepResetPending } from '@/lib/users/reset-two-step';
import {
  EndPersonSessions,
  InvitationActions,
  RequestTwoStepReset,
  ViewAs,
} from './_components/person-security-actions';
import { SellerMoney, SellerPerformance, SellerSites } from './_components/seller-cards';

const ordersPath = '/dashboard/features/orders';

const manager = '/dashboard/features/wallet-manager';

export const metadata = { title: 'User' };

const list = '/dashboard/features/users';
const shownOrders = 8;

/** Renders a user's account, sessions, wallet and orders, as far as the current user's permissions allow. */
export default async function PersonPage({ params }: { params: Promise<{ id: string }> }) {
  const actor = await requirePage('admin', 'ManageUsers');
  const person = await findPerson((await params).id);
  if (!person) notFound();
  const seesOrders = hasPermission(actor, 'ManageOrders');
  const [sessions, consents, twoStep, passkeys, isResetPending, features, memberships, balanceCents, ...lists] =
    await Promise.all([
      listSessions(person.id),
      listConsents(person.id),
      getTwoStep(person.id),
      listPasskeys(person.id),
      isTwoStepResetPending(person.id),
      listUserFeatureRoles(person.id),
      listMemberships(person.id),
      hasPermission(actor, 'ManageWallets') ? getWalletBalance(person.id) : null,
      seesOrders ? listAllOrders({ userId: person.id, limit: shownOrders, offset: 0 }) : null,
      seesOrders ? listAllOrders({ fulfilledBy: person.id, limit: shownOrders, offset: 0 }) : null,
      hasPermission(actor, 'ManageSites') ? countManagedSites({ userId: person.id }) : null,
    ]);
  const [orders, fulfilled, sites] = lists;
  // A former seller keeps sites and orders.
  const isSeller = isSellerRole(person.role) || (fulfilled?.total ?? 0) > 0;
  const seesPayouts = hasPermission(actor, 'ManagePayouts');
  const rights = { role: person.role, permissions: person.permissions.filter(isPermission) };
  const mayEnd = covers(actor, rights);
  return (
    <>
      <PageHeader
        title={<span className="wrap-anywhere">{person.name || person.email}</span>}
        description={
          isSeller ? 'Account, sessions, sites, orders and earnings.' : 'Account, sessions, wallet and orders.'
        }
        actions={
          <>
            {person.status === 'Active' && mayView(actor, { ...rights, userId: person.id }) ? (
              <ViewAs userId={person.id} email={person.email} minutes={viewMinutes} />
            ) : null}
            {hasPermission(actor, 'ViewAuditLogs') ? (
              <ButtonLink href={withParams('/dashboard/features/audit-logs', {}, { user: person.id })}>
                Audit log
              </ButtonLink>
            ) : null}
            <ButtonLink variant="primary" href={withParams(list, {}, { q: person.email, user: person.id })}>
              Edit user
            </ButtonLink>
          </>
        }
      />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className="grid min-w-0 grid-cols-1 gap-4">
          <PersonFacts person={person} features={features} consents={consents} />
          {person.invitedAt && person.status !== 'Suspended' ? (
            <PersonInvitation person={person} invitedAt={person.invitedAt} mayChange={mayEnd} />
          ) : null}
          {isSeller && seesOrders ? <SellerPerformance sellerId={person.id} /> : null}
          {sites && (isSeller || sites.total > 0) ? <SellerSites sellerId={person.id} /> : null}
          <PersonSessions email={person.email} sessions={sessions} mayEnd={mayEnd} />
          <PersonTwoStep
            userId={person.id}
            email={person.email}
            hasApp={twoStep.enabledAt !== null}
            passkeys={passkeys.length}
            isPending={isResetPending}
            mayReset={isAdminRole(actor.role) && person.id !== actor.userId}
          />
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-4">
          <StaffNotes actor={actor} subject={{ kind: 'user', id: person.id }} />
          {memberships.length > 0 ? (
            <PersonAccounts memberships={memberships} hasLinks={balanceCents !== null} />
          ) : null}
          {balanceCents === null ? null : (
            <WalletCard
              transactionsHref={`${withParams(manager, {}, { q: person.email })}#transactions`}
              balanceCents={balanceCents}
            />
          )}
          {isSeller && (seesPayouts || hasPermission(actor, 'ManageWallets')) ? (
            <SellerMoney
              sellerId={person.id}
              payoutsHref={seesPayouts ? withParams('/dashboard/features/payouts', {}, { q: person.email }) : null}
            />
          ) : null}
          {isSeller && fulfilled ? (
            <PersonOrders title="Orders as seller" filter={{ fulfilledBy: person.id }} {...fulfilled} />
          ) : null}
          {orders && !(isSeller && orders.total === 0) ? (
            <PersonOrders title="Orders" filter={{ userId: person.id }} {...orders} />
          ) : null}
        </div>
      </div>
    </>
  );
}

/** Lists the accounts of others in which a user works, with the role. */
function PersonAccounts({ memberships, hasLinks }: { memberships: Membership[]; hasLinks: boolean }) {
  return (
    <Card aria-labelledby="accounts-heading">
      <CardHeader title={<span id="accounts-heading">Accounts</span>} />
      <ul className="divide-y divide-line">
        {memberships.map(({ id, name, email, role }) => (
          <li key={id} className="flex items-center gap-3 px-4 py-3 text-sm sm:px-5">
            {hasLinks ? (
              <Link
                prefetch={false}
                href={`/dashboard/features/wallet-manager/${id}`}
                className="min-w-0 flex-1 truncate rounded-sm font-medium text-ink hover:underline"
              >
                {name || email}
              </Link>
            ) : (
              <span className="min-w-0 flex-1 truncate font-medium text-ink">{name || email}</span>
            )}
            <Badge>{accountRoleNames[role]}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  );
}

type PersonFactsProps = {
  person: PersonRow;
  /** The user's records of the older role manager. */
  features: FeatureRoleRow[];
  consents: LegalConsent[];
};

/** Displays a user's account details, permissions and consents. */
function PersonFacts({ person, features, consents }: PersonFactsProps) {
  return (
    <Card aria-labelledby="facts-heading">
      <CardHeader title={<span id="facts-heading">Account</span>} />
      <CardBody>
        <FactList
          facts={[
            ['Email', person.email],
            ['Status', <UserStatusBadge key="status" status={person.status} />],
            ['Role', person.role],
            ...features.map(({ name, features: input }): [string, string] => [name, input.join(', ') || 'No features']),
            ['Joined', <TimeAgo key="joined" at={person.createdAt} />],
            ...consents.map(({ kind, version, agreedAt }): [string, ReactNode] => [
              legalTitles[kind],
              <>
                Agreed to{' '}
                <Link href={`${legalPaths[kind]}?version=${version}`} className="text-accent-ink underline">
                  version {version}
                </Link>{' '}
                <TimeAgo at={agreedAt} />
              </>,
            ]),
            ['Last seen', person.lastSeenAt ? <TimeAgo key="seen" at={person.lastSeenAt} /> : 'Never'],
          ]}
        />
      </CardBody>
    </Card>
  );
}

type PersonInvitationProps = { person: PersonRow; invitedAt: Date; mayChange: boolean };

/** Displays the invitation of a user who has not set a password yet. */
function PersonInvitation({ person: { id, email, status }, invitedAt, mayChange }: PersonInvitationProps) {
  const isOpen = status === 'Pending';
  return (
    <Card aria-labelledby="invitation-heading">
      <CardHeader
        title={<span id="invitation-heading">Invitation</span>}
        actions={mayChange ? <InvitationActions userId={id} email={email} isOpen={isOpen} /> : null}
      />
      <CardBody className="text-muted text-sm">
        {isOpen ? (
          <>
            Sent <TimeAgo at={invitedAt} />. The person has not set a password yet.
          </>
        ) : (
          'Revoked. The person has never set a password.'
        )}
      </CardBody>
    </Card>
  );
}

type PersonSessionsProps = { email: string; sessions: ActiveSession[]; mayEnd: boolean };

/** Lists a user's sessions, with a button to end them. */
function PersonSessions({ email, sessions, mayEnd }: PersonSessionsProps) {
  const lines = sessions.map(({ userAgent, ...session }) => ({ ...session, ...describeUserAgent(userAgent) }));
  return (
    <Card aria-labelledby="sessions-heading">
      <CardHeader
        title={<span id="sessions-heading">Sessions</span>}
        actions={mayEnd && sessions.length > 0 ? <EndPersonSessions email={email} /> : null}
      />
      {sessions.length === 0 ? (
        <CardBody className="text-muted text-sm">Not signed in anywhere.</CardBody>
      ) : (
        <SessionList sessions={lines} />
      )}
    </Card>
  );
}

type PersonTwoStepProps = {
  userId: string;
  email: string;
  hasApp: boolean;
  passkeys: number;
  isPending: boolean;
  /** Whether the current user can request a reset. True for an Admin, except for the Admin's own account. */
  mayReset: boolean;
};

/** Displays a user's second factors, with a button to request their reset. */
function PersonTwoStep({ userId, email, hasApp, passkeys, isPending, mayReset }: PersonTwoStepProps) {
  const isOn = hasApp || passkeys > 0;
  return (
    <Card aria-labelledby="person-two-step-heading">
      <CardHeader
        title={<span id="person-two-step-heading">Two-step sign-in</span>}
        actions={isOn ? <Badge tone="green">On</Badge> : <Badge>Off</Badge>}
      />
      <CardBody className="grid gap-3 text-sm">
        <p className="text-muted">{isOn ? factors(hasApp, passkeys) : 'Signing in requires only the password.'}</p>
        {isPending ? (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-ink">A reset is waiting for approval by a second admin.</p>
            <ButtonLink size="sm" href="/dashboard/features/approvals">
              Approvals
            </ButtonLink>
          </div>
        ) : isOn && mayReset ? (
          <div>
            <RequestTwoStepReset userId={userId} email={email} />
          </div>
        ) : null}
      </CardBody>
    </Card>
  );
}

function factors(hasApp: boolean, passkeys: number): string {
  const keys = passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`;
  if (!hasApp) return `${keys}.`;
  return passkeys > 0 ? `An authenticator app and ${keys}.` : 'An authenticator app.';
}

type PersonOrdersProps = CappedCount & { title: string; filter: Record<string, string>; rows: AdminOrderRow[] };

/** Lists a user's newest orders with links to the Orders screen, which has the given filter. */
async function PersonOrders({ title, filter, rows: orders, ...counted }: PersonOrdersProps) {
  const verdicts = await listLinkStandings(orders.map(({ id }) => id));
  const { total } = counted;
  const headingId = `${title.toLowerCase().replaceAll(' ', '-')}-heading`;
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        title={<span id={headingId}>{`${title} (${formatCount(counted)})`}</span>}
        actions={
          total > 0 ? (
            <ButtonLink size="sm" href={withParams(ordersPath, {}, filter)}>
              All orders
            </ButtonLink>
          ) : null
        }
      />
      {orders.length === 0 ? (
        <CardBody className="text-muted text-sm">No orders yet.</CardBody>
      ) : (
        <ul className="divide-y divide-line">
          {orders.map((order) => (
            <li key={order.id} className="flex items-center gap-3 px-4 py-3 text-sm sm:px-5">
              <div className="min-w-0 flex-1">
                <Link
                  prefetch={false}
                  href={withParams(ordersPath, {}, { ...filter, order: order.id })}
                  className="block truncate rounded-sm font-medium text-ink hover:underline"
                >
                  {`#${order.id} ${formatUrl(order.website) || order.packageName}`}
                </Link>
                <TimeAgo at={order.createdAt} className="text-muted text-xs" />
                <DueNote placement={adminOrderView(order).placement} reader="staff" />
              </div>
              <Money amountMinor={order.chargedCents} className="text-ink" />
              <OrderStatusBadge
                order={{ ...adminOrderView(order), verdict: verdicts.get(order.id) ?? null }}
                side="staff"
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
