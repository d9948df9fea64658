import type { Metadata } from 'next';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { parseBranding, toBranding } from '@/lib/settings/branding/get-branding';
import { readSettings } from '@/lib/settings/settings';
import { BrandingForm } from './_components/branding-form';
import { description, title } from './_components/page-texts';
import { ResetBranding } from './_components/reset-branding';

export const metadata: Metadata = { title };

export default async function BrandingPage() {
  await requirePage('admin', 'ManageSettings');
  const { value, version } = parseBranding(await readSettings());
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={version > 0 ? <ResetBranding version={version} /> : null}
      />
      <BrandingForm stored={toBranding(value)} version={version} />
    </>
  );
}
