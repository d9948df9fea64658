import type { Metadata } from 'next';
import '@fontsource/arimo/400.css';
import '@fontsource/roboto/400.css';
import { FeatureDisabled } from '@/components/shell/notices';
import { oneParam, type SearchParams } from '@/components/table/url';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { getCoverage } from '@/lib/serp/font-metrics';
import { encodeCoverage } from '@/lib/serp/runs';
import { flags, isFlagOn } from '@/lib/settings/feature-flags';
import { SerpTool } from './_components/serp-tool';

export const metadata: Metadata = { title: 'SERP Preview' };

export default async function SerpPreviewPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'AdminDashboard');
  if (!(await isFlagOn('serp-preview')))
    return <FeatureDisabled title="SERP Preview" text={flags['serp-preview'].off} />;
  const isMobile = oneParam(await searchParams, 'device') === 'mobile';
  const coverage = { Arimo: encodeCoverage(getCoverage('Arimo')), Roboto: encodeCoverage(getCoverage('Roboto')) };
  return (
    <>
      <PageHeader
        title="SERP Preview"
        description="Preview how a page’s title and description look in search results on desktop and mobile, with their width in pixels."
      />
      <SerpTool coverage={coverage} startDevice={isMobile ? 'mobile' : 'desktop'} />
    </>
  );
}
