import Link from 'next/link';
import type { ReactNode } from 'react';
import { Alert } from '@/components/ui/alert';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { PageHeader } from '@/components/ui/page-header';
import type { Actor } from '@/lib/access/actor';
import { type Portal, portals } from '@/lib/auth/portals';
import { isTwoStepOverdue } from '@/lib/auth/two-step';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** Shows a notice on all pages of a portal to a user whose role requires two-step sign-in and who has not set it up. */
export function TwoStepNotice({ portal, actor }: { portal: Portal; actor: Pick<Actor, 'twoStepDueAt'> }) {
  const { twoStepDueAt } = actor;
  if (twoStepDueAt === null) return null;
  const date = `${day.format(twoStepDueAt)} UTC`;
  if (isTwoStepOverdue(actor)) {
    return (
      <Alert tone="warning" title="Set up two-step sign-in to continue" className="mb-6">
        Your role has required it since {date}. Add a passkey or an authenticator app on this page to open all other
        pages.
      </Alert>
    );
  }
  return (
    <Alert
      tone="warning"
      className="mb-6"
      action={
        <Link prefetch={false} href={portals[portal].security} className="font-medium underline">
          Set it up
        </Link>
      }
    >
      Your role requires two-step sign-in. Set it up by {date}. After that, only the Security page opens until you do.
    </Alert>
  );
}

/** Renders the page of a feature that an admin has disabled. */
export function FeatureDisabled({ title, text, action }: { title: string; text: string; action?: ReactNode }) {
  return (
    <>
      <PageHeader title={title} />
      <Card>
        <EmptyState icon={<Icon name="power-off" />} title={text} action={action} />
      </Card>
    </>
  );
}
