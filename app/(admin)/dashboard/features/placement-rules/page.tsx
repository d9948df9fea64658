import type { Metadata } from 'next';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { placementRulesInput, readPlacementRules } from '@/lib/settings/placement-rules';
import { description, title } from './_components/page-texts';
import { RulesForm } from './_components/rules-form';

export const metadata: Metadata = { title };

export default async function PlacementRulesPage() {
  await requirePage('admin', 'ManageSettings');
  const { rules, version } = await readPlacementRules();
  const { version: _, ...fields } = placementRulesInput.shape;
  const bounds = Object.fromEntries(
    Object.entries(fields).map(([name, { minValue, maxValue }]) => [name, `${minValue} to ${maxValue}`]),
  );
  return (
    <>
      <PageHeader title={title} description={description} />
      <RulesForm key={version} rules={rules} bounds={bounds} version={version} />
    </>
  );
}
