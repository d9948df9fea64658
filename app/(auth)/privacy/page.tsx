import type { ComponentProps } from 'react';
import { legalTitles } from '@/lib/settings/legal/legal';
import { LegalPage } from '../_components/legal-page';

export const metadata = { title: legalTitles.privacy };

export default function PrivacyPage({ searchParams }: Pick<ComponentProps<typeof LegalPage>, 'searchParams'>) {
  return <LegalPage kind="privacy" searchParams={searchParams} />;
}
