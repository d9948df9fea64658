import type { ComponentProps } from 'react';
import { legalTitles } from '@/lib/settings/legal/legal';
import { LegalPage } from '../_components/legal-page';

export const metadata = { title: legalTitles.terms };

export default function TermsPage({ searchParams }: Pick<ComponentProps<typeof LegalPage>, 'searchParams'>) {
  return <LegalPage kind="terms" searchParams={searchParams} />;
}
