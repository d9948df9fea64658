import '@fontsource/arimo/400.css';
import '@fontsource/roboto/400.css';
import { FeatureDisabled } from '@/components/shell/notices';
import { screenTexts } from '@/components/shell/screen-texts';
import { oneParam, type SearchParams } from '@/components/table/url';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { getCoverage } from '@/lib/serp/font-metrics';
import { encodeCoverage } from '@/lib/serp/runs';
import { flags, isFlagOn } from '@/lib/settings/feature-flags';
import { SerpTool } from './_components/serp-tool';

const texts = screenTexts('/dashboard/features/serp-preview');

export const metadata = { title: texts.title };

export default async function SerpPreviewPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'AdminDashboard');
  if (!(await isFlagOn('serp-preview')))
    return <FeatureDisabled title={texts.title} text={flags['serp-preview'].off} />;
  const isMobile = oneParam(await searchParams, 'device') === 'mobile';
  const coverage = { Arimo: encodeCoverage(getCoverage('Arimo')), Roboto: encodeCoverage(getCoverage('Roboto')) };
  return (
    <>
      <PageHeader {...texts} />
      <SerpTool coverage={coverage} startDevice={isMobile ? 'mobile' : 'desktop'} />
    </>
  );
}
