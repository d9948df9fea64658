import type { ComponentProps } from 'react';
import { LegalPage } from '@/app/(auth)/_components/legal-page';
import { legalTitles } from '@/lib/settings/legal/legal';

export const metadata = { title: legalTitles.terms };

export default function TermsPage({ searchParams }: Pick<ComponentProps<typeof LegalPage>, 'searchParams'>) {
  return <LegalPage kind="terms" searchParams={searchParams} />;
}
