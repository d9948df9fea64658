import { screenTexts } from '@/components/shell/screen-texts';
import { Card } from '@/components/ui/card';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { flags, getFlags } from '@/lib/settings/feature-flags';
import { FlagRow } from './_components/flag-row';

const texts = screenTexts('/dashboard/features/feature-flags');

export const metadata = { title: texts.title };

export default async function FeatureFlagsPage() {
  await requirePage('admin', 'ManageSettings');
  const states = await getFlags();
  return (
    <>
      <PageHeader {...texts} />
      <Card>
        <ul aria-label="Feature flags" className="divide-y divide-line">
          {states.map((state) => (
            <li key={state.name}>
              <FlagRow state={state} label={flags[state.name].label} description={flags[state.name].description} />
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}
