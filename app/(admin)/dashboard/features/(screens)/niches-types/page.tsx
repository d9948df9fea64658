import { screenTexts } from '@/components/shell/screen-texts';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { countNicheProposals, getTaxonomy, listNicheProposals } from '@/lib/taxonomy/queries';
import { NameList } from './_components/name-editor';
import { NicheProposals } from './_components/niche-proposals';

const texts = screenTexts('/dashboard/features/niches-types');

export const metadata = { title: texts.title };

export default async function NichesTypesPage() {
  await requirePage('admin', 'ManageSites');
  const [{ niches, postTypes }, proposals, waiting] = await Promise.all([
    getTaxonomy(),
    listNicheProposals(),
    countNicheProposals(),
  ]);
  return (
    <>
      <PageHeader {...texts} />
      <NicheProposals proposals={proposals} total={waiting} niches={niches} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <NameList type="niche" title="Niches" noun="niche" names={niches} />
        <NameList type="type" title="Post types" noun="post type" names={postTypes} />
      </div>
    </>
  );
}
