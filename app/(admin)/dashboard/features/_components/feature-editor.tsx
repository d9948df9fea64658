'use client';

import { ActionEditor } from '@/components/form/action-editor';
import { getFormText } from '@/components/form/fields';
import { createFeatureAction, deleteFeatureAction, updateFeatureAction } from '@/lib/settings/actions';
import type { HighlightView } from '@/lib/settings/signup-highlights';

/** Edits or deletes a highlight. Null: adds one. */
export function FeatureActions({ feature }: { feature: HighlightView | null }) {
  return (
    <ActionEditor
      record={feature}
      noun="feature"
      consequence="It’s removed from the list next to the registration form."
      valuesOf={(data) => ({ name: getFormText(data, 'name').trim(), description: getFormText(data, 'description') })}
      create={createFeatureAction}
      update={updateFeatureAction}
      remove={deleteFeatureAction}
      fields={() => [
        { name: 'name', label: 'Name', required: true, maxLength: 80 },
        { name: 'description', label: 'Description', rows: 3, maxLength: 300 },
      ]}
    />
  );
}
