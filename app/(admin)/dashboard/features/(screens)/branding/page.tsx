import { screenTexts } from '@/components/shell/screen-texts';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { parseBranding, toBranding } from '@/lib/settings/branding/get-branding';
import { findNewestDocument } from '@/lib/settings/legal/documents';
import { getSettings } from '@/lib/settings/settings';
import { BrandingForm, ResetBranding } from './_components/branding-form';
import { LegalForm } from './_components/legal-form';

const texts = screenTexts('/dashboard/features/branding');

export const metadata = { title: texts.title };

export default async function BrandingPage() {
  await requirePage('admin', 'ManageSettings');
  const [settings, terms, privacy] = await Promise.all([
    getSettings(),
    findNewestDocument('terms'),
    findNewestDocument('privacy'),
  ]);
  const { version } = parseBranding(settings);
  return (
    <>
      <PageHeader {...texts} actions={version > 0 ? <ResetBranding version={version} /> : null} />
      <BrandingForm stored={toBranding(settings)} version={version} />
      <section aria-labelledby="legal-heading" className="mt-8">
        <h2 id="legal-heading" className="text-ink text-lg">
          Terms and privacy
        </h2>
        <p className="mt-1 mb-4 max-w-2xl text-muted">
          Pages that the sign-in, registrations and emails link to. While one is published, registrations ask for
          consent and record the version and the time.
        </p>
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-2">
          <LegalForm kind="terms" newest={terms} />
          <LegalForm kind="privacy" newest={privacy} />
        </div>
      </section>
    </>
  );
}
