import type { ReactNode } from 'react';
import { Bell } from '@/components/shell/bell';
import { SandboxBanner } from '@/components/shell/sandbox-banner';
import { SellerShell } from '@/components/shell/seller-shell';
import { Support } from '@/components/shell/support';
import { requirePage } from '@/lib/auth/page-guard';
import { shellUser } from '@/lib/auth/shell-user';
import { getBell } from '@/lib/bell/queries';
import { env } from '@/lib/env';
import { getBranding } from '@/lib/settings/get-branding';
import { readBellAction } from './actions';

export default async function SellerLayout({ children }: { children: ReactNode }) {
  const actor = await requirePage('seller', 'seller');
  const [branding, bell] = await Promise.all([getBranding(), getBell(actor.userId)]);
  return (
    <SellerShell
      brand={branding}
      user={shellUser(actor)}
      demoBanner={env().STRIPE_BASE_URL ? <SandboxBanner /> : null}
      bell={<Bell bell={bell} read={readBellAction} href="/seller/my-sites" />}
      support={<Support address={branding.supportEmail} templateHref="/seller/my-sites/template" />}
    >
      {children}
    </SellerShell>
  );
}
