import type { ReactNode } from 'react';
import { TwoStepNotice } from '@/components/shell/notices';
import { SandboxBanner } from '@/components/shell/sandbox-banner';
import { SellerShell } from '@/components/shell/seller-shell';
import { ViewingBanner } from '@/components/shell/viewing-banner';
import { formatCount } from '@/components/ui/format';
import { requirePage, shellUser } from '@/lib/auth/page-guard';
import { isTwoStepOverdue } from '@/lib/auth/two-step';
import { getSellerFrame, type SellerFrame } from '@/lib/dashboard/seller';
import { env } from '@/lib/env';
import { getBranding } from '@/lib/settings/branding/get-branding';

const noFrame: SellerFrame = { unread: 0, toAnswer: { total: 0, isCapped: false }, hasPayouts: false };

/** Renders the layout of the seller portal. */
export default async function SellerLayout({ children }: { children: ReactNode }) {
  const actor = await requirePage('seller', 'seller', { beforeTwoStep: true });
  const isOverdue = isTwoStepOverdue(actor);
  const [{ siteName, logo, supportEmail }, { unread, toAnswer, hasPayouts }] = await Promise.all([
    getBranding(),
    isOverdue ? noFrame : getSellerFrame(actor),
  ]);
  return (
    <SellerShell
      brand={{ siteName, logo }}
      supportAddress={supportEmail}
      email={actor.email}
      own={actor.viewing ? null : { id: actor.userId, user: shellUser(actor) }}
      closed={hasPayouts ? [] : ['/seller/payouts']}
      badges={
        toAnswer.total > 0 ? { '/seller/orders': { text: formatCount(toAnswer), meaning: 'to answer' } } : undefined
      }
      unread={isOverdue || actor.viewing ? null : unread}
      banner={actor.viewing ? <ViewingBanner actor={actor} /> : env().STRIPE_BASE_URL ? <SandboxBanner /> : null}
      notice={<TwoStepNotice portal="seller" actor={actor} />}
    >
      {children}
    </SellerShell>
  );
}
