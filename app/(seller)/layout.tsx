import type { ReactNode } from 'react';
import { Bell } from '@/components/shell/bell';
import { SandboxBanner } from '@/components/shell/sandbox-banner';
import { SellerShell } from '@/components/shell/seller-shell';
import { Support } from '@/components/shell/support';
import { requirePage } from '@/lib/auth/page-guard';
import { shellUser } from '@/lib/auth/shell-user';
import { getBell } from '@/lib/bell/queries';
import { env } from '@/lib/env';
import { defaultBranding } from '@/lib/settings/branding';
import { readBellAction } from './actions';

export default async function SellerLayout({ children }: { children: ReactNode }) {
  const actor = await requirePage('seller', 'seller');
  return (
    <SellerShell
      user={shellUser(actor)}
      demoBanner={env().STRIPE_BASE_URL ? <SandboxBanner /> : null}
      bell={<Bell bell={await getBell(actor.userId)} read={readBellAction} href="/seller/my-sites" />}
      support={<Support address={defaultBranding.supportEmail} templateHref="/seller/my-sites/template" />}
    >
      {children}
    </SellerShell>
  );
}
