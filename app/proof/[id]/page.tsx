import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ProofView } from '@/components/links/proof-view';
import { Brand } from '@/components/shell/brand';
import { ThemeToggle } from '@/components/shell/theme-toggle';
import { listPublishedKeys } from '@/lib/links/passport/keys';
import { findProof } from '@/lib/links/passport/proofs';
import { getBranding } from '@/lib/settings/branding/get-branding';

// Passports are shown to those who received the address.
export const metadata: Metadata = {
  title: 'Link passport',
  robots: { index: false, follow: false },
  referrer: 'no-referrer',
};

type ProofPageProps = { params: Promise<{ id: string }> };

/** Renders a link passport, for anyone who has its address. */
export default async function ProofPage({ params }: ProofPageProps) {
  const { id } = await params;
  const [proof, keys, brand] = await Promise.all([findProof(id), listPublishedKeys(), getBranding()]);
  if (!proof) notFound();
  return (
    <div className="min-h-dvh bg-canvas px-4 py-5 sm:px-10">
      <header className="mx-auto flex max-w-3xl items-center justify-between">
        <Brand brand={brand} />
        <ThemeToggle />
      </header>
      <main className="mx-auto max-w-3xl py-8 sm:py-12">
        <h1 className="text-2xl text-ink">Link passport</h1>
        <p className="mt-1.5 mb-6 text-muted">A signed statement of what a check of a published link found.</p>
        <ProofView id={id} proof={proof} keys={keys} replacedBy={proof.replacedBy} />
      </main>
    </div>
  );
}
