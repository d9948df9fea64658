import type { Metadata } from 'next';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { countNicheProposals, listNicheProposals, readTaxonomy } from '@/lib/taxonomy/queries';
import { NameList } from './_components/name-editor';
import { NicheProposals } from './_components/niche-proposals';

export const metadata: Metadata = { title: 'Niche and Type Manager' };

export default async function NichesTypesPage() {
  await requirePage('admin', 'ManageSites');
  const [{ niches, postTypes }, proposals, waiting] = await Promise.all([
    readTaxonomy(),
    listNicheProposals(),
    countNicheProposals(),
  ]);
  return (
    <>
      <PageHeader
        title="Niche and Type Manager"
        description="Options for sites and projects. Each post type is a tab in the marketplace."
      />
      <NicheProposals proposals={proposals} total={waiting} niches={niches} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <NameList type="niche" title="Niches" noun="niche" names={niches} />
        <NameList type="type" title="Post types" noun="post type" names={postTypes} />
      </div>
    </>
  );
}
