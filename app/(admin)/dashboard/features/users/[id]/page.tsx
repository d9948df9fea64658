import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { withParams } from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button-link';
import { PageHeader } from '@/components/ui/page-header';
import { hasPermission } from '@/lib/access/authorize';
import { covers, isAdminRole, isPermission } from '@/lib/access/permissions';
import { requirePage } from '@/lib/auth/page-guard';
import { listSessions } from '@/lib/auth/security-overview';
import { getTwoStep, listPasskeys } from '@/lib/auth/two-step';
import { getWalletBalance } from '@/lib/ledger/balance';
import { listAllOrders } from '@/lib/orders/queries';
import { listUserFeatureRoles } from '@/lib/roles/feature-roles/queries';
import { findPerson } from '@/lib/users/directory-queries';
import { isTwoStepResetPending } from '@/lib/users/reset-two-step';
import { PersonFacts } from './_components/person-facts';
import { PersonOrders } from './_components/person-orders';
import { PersonSessions } from './_components/person-sessions';
import { PersonTwoStep } from './_components/person-two-step';
import { PersonWallet } from './_components/person-wallet';

export const metadata: Metadata = { title: 'User' };

const list = '/dashboard/features/users';
const shownOrders = 8;

/** One person: the account, where it is signed in, its money and orders as far as the reader may see them. */
export default async function PersonPage({ params }: { params: Promise<{ id: string }> }) {
  const actor = await requirePage('admin', 'ManageUsers');
  const person = await findPerson((await params).id);
  if (!person) notFound();
  const [sessions, twoStep, passkeys, isResetPending, features, balanceCents, orders] = await Promise.all([
    listSessions(person.id),
    getTwoStep(person.id),
    listPasskeys(person.id),
    isTwoStepResetPending(person.id),
    listUserFeatureRoles(person.id),
    hasPermission(actor, 'ManageWallets') ? getWalletBalance(person.id) : null,
    hasPermission(actor, 'ManageOrders') ? listAllOrders({ userId: person.id, limit: shownOrders, offset: 0 }) : null,
  ]);
  const mayEnd = covers(actor, { role: person.role, permissions: person.permissions.filter(isPermission) });
  return (
    <>
      <PageHeader
        title={<span className="wrap-anywhere">{person.name || person.email}</span>}
        description="Account, sessions, wallet and orders."
        actions={
          <>
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
          <PersonFacts person={person} features={features} />
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
          {balanceCents === null ? null : <PersonWallet email={person.email} balanceCents={balanceCents} />}
          {orders ? <PersonOrders userId={person.id} orders={orders.rows} total={orders.total} /> : null}
        </div>
      </div>
    </>
  );
}
