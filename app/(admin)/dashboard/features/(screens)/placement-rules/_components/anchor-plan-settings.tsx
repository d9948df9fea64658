'use client';

import { SettingsCard } from '@/components/form/card-form';
import { AnchorPlanFields, readAnchorPlan } from '@/components/projects/anchor-plan-fields';
import type { AnchorPlan } from '@/db/schema/anchor-plans';
import { callAction } from '@/lib/browser/api-client';
import { saveDefaultAnchorPlanAction } from '@/lib/settings/actions';

/** Edits the anchor plan of projects that have none of their own. */
export function AnchorPlanSettings({ plan, version }: { plan: AnchorPlan; version: number }) {
  return (
    <SettingsCard
      className="max-w-3xl"
      title="Anchor plan"
      description="Which anchors are proposed for the links of a project, until its owner saves another plan."
      isUnmarked
      submitLabel="Save plan"
      failure="The anchor plan couldn’t be saved. Please try again."
      version={version}
      submit={(data, base) =>
        callAction(() => saveDefaultAnchorPlanAction({ plan: readAnchorPlan(data), version: base }))
      }
    >
      {(errors) => <AnchorPlanFields plan={plan} errors={errors} />}
    </SettingsCard>
  );
}
