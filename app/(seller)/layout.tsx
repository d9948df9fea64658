import type { ReactNode } from 'react';
import { SandboxBanner } from '@/components/shell/sandbox-banner';
import { SellerShell } from '@/components/shell/seller-shell';
import { requirePage } from '@/lib/auth/page-guard';
import { shellUser } from '@/lib/auth/shell-user';
import { env } from '@/lib/env';

export default async function SellerLayout({ children }: { children: ReactNode }) {
  const actor = await requirePage('seller', 'seller');
  return (
    <SellerShell user={shellUser(actor)} demoBanner={env().STRIPE_BASE_URL ? <SandboxBanner /> : null}>
      {children}
    </SellerShell>
  );
}
