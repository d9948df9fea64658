import type { ReactNode } from 'react';
import { Bell } from '@/components/shell/bell';
import { SandboxBanner } from '@/components/shell/sandbox-banner';
import { SellerShell } from '@/components/shell/seller-shell';
import { Support } from '@/components/shell/support';
import { TwoStepNotice } from '@/components/shell/two-step-notice';
import { requirePage } from '@/lib/auth/page-guard';
import { shellUser } from '@/lib/auth/shell-user';
import { isTwoStepOverdue } from '@/lib/auth/two-step-rule';
import { countUnread } from '@/lib/bell/queries';
import { env } from '@/lib/env';
import { getBranding } from '@/lib/settings/get-branding';

export default async function SellerLayout({ children }: { children: ReactNode }) {
  const actor = await requirePage('seller', 'seller', { beforeTwoStep: true });
  const isOverdue = isTwoStepOverdue(actor);
  const [branding, unread] = await Promise.all([getBranding(), isOverdue ? 0 : countUnread(actor)]);
  return (
    <SellerShell
      brand={branding}
      user={shellUser(actor)}
      demoBanner={env().STRIPE_BASE_URL ? <SandboxBanner /> : null}
      bell={
        isOverdue ? null : (
          <Bell
            unread={unread}
            sitesHref="/seller/my-sites"
            emptyText="Nothing yet. Here you learn when a site of yours is approved, rejected or removed, and what the marketplace announces."
          />
        )
      }
      support={<Support address={branding.supportEmail} templateHref="/seller/my-sites/template" />}
    >
      <TwoStepNotice portal="seller" actor={actor} />
      {children}
    </SellerShell>
  );
}
