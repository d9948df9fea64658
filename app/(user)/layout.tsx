import type { ReactNode } from 'react';
import { Bell } from '@/components/shell/bell';
import { SandboxBanner } from '@/components/shell/sandbox-banner';
import { TwoStepNotice } from '@/components/shell/two-step-notice';
import { UserShell } from '@/components/shell/user-shell';
import { requirePage } from '@/lib/auth/page-guard';
import { shellUser } from '@/lib/auth/shell-user';
import { isTwoStepOverdue } from '@/lib/auth/two-step-rule';
import { readBuyerFrame } from '@/lib/dashboard/buyer-frame';
import { partOrEmpty } from '@/lib/dashboard/part-or-empty';
import { env } from '@/lib/env';
import { isFlagOn } from '@/lib/flags/read-flags';
import { getBranding } from '@/lib/settings/get-branding';

const noFrame = { balanceCents: null, unread: 0 };

export default async function UserLayout({ children }: { children: ReactNode }) {
  const actor = await requirePage('user', 'session', { beforeTwoStep: true });
  const isOverdue = isTwoStepOverdue(actor);
  const [branding, { balanceCents, unread }, isMarketplaceOpen] = await Promise.all([
    getBranding(),
    isOverdue ? noFrame : partOrEmpty('wallet balance and bell', readBuyerFrame(actor), noFrame),
    isFlagOn('marketplace'),
  ]);
  return (
    <UserShell
      brand={branding}
      user={shellUser(actor)}
      balanceCents={balanceCents}
      bell={
        isOverdue ? null : (
          <Bell unread={unread} emptyText="Nothing yet. Here you learn what the marketplace announces." />
        )
      }
      closed={isMarketplaceOpen ? [] : ['/user/marketplace']}
      demoBanner={env().STRIPE_BASE_URL ? <SandboxBanner /> : null}
    >
      <TwoStepNotice portal="user" actor={actor} />
      {children}
    </UserShell>
  );
}
