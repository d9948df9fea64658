import { screenTexts } from '@/components/shell/screen-texts';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { readDefaultAnchorPlan } from '@/lib/settings/anchor-plan';
import { readOptionRules } from '@/lib/settings/option-rules';
import { placementRulesInput, readPlacementRules } from '@/lib/settings/placement-rules';
import { AnchorPlanSettings } from './_components/anchor-plan-settings';
import { OptionRulesForm } from './_components/option-rules-form';
import { RulesForm } from './_components/rules-form';

const texts = screenTexts('/dashboard/features/placement-rules');

export const metadata = { title: texts.title };

export default async function PlacementRulesPage() {
  await requirePage('admin', 'ManageSettings');
  const [{ rules, version }, options, anchors] = await Promise.all([
    readPlacementRules(),
    readOptionRules(),
    readDefaultAnchorPlan(),
  ]);
  const { version: _, dayKind: _dayKind, ...fields } = placementRulesInput.shape;
  const bounds = Object.fromEntries(
    Object.entries(fields).map(([name, { minValue, maxValue }]) => [
      name,
      { min: minValue ?? 0, max: maxValue ?? Number.MAX_SAFE_INTEGER },
    ]),
  );
  return (
    <>
      <PageHeader {...texts} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <RulesForm rules={rules} bounds={bounds} version={version} />
        <OptionRulesForm rules={options.rules} version={options.version} />
        <AnchorPlanSettings {...anchors} />
      </div>
    </>
  );
}
