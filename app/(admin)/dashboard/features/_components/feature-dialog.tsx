'use client';

import { createFeatureAction, updateFeatureAction } from '@/app/(admin)/dashboard/features/actions';
import { EntityDialog, type EntityEdit } from '@/components/form/entity-dialog';
import { getFormText, TextareaField, TextField } from '@/components/form/fields';
import { callAction } from '@/lib/browser/call-action';
import type { HighlightView } from '@/lib/settings/signup-highlights/queries';

type FeatureDialogProps = {
  /** The highlight to edit. If omitted, the dialog creates one. */
  feature?: HighlightView;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

const labels = { name: 'Name', description: 'Description' };

export function FeatureDialog({ feature, open, onOpenChange }: FeatureDialogProps) {
  const save = async ({ data, version }: EntityEdit) => {
    const values = { name: getFormText(data, 'name').trim(), description: getFormText(data, 'description') };
    if (feature && version !== undefined)
      await callAction(() => updateFeatureAction({ ...values, id: feature.id, version }));
    else await callAction(() => createFeatureAction(values));
    return feature ? `${values.name} saved.` : `${values.name} added.`;
  };
  return (
    <EntityDialog
      record={feature ?? null}
      name={feature?.name}
      noun="feature"
      at={{ open, onOpenChange }}
      store={{ save }}
      labels={labels}
      title={feature ? undefined : 'Add feature'}
      submitLabel={feature ? 'Save feature' : 'Add feature'}
    >
      {(row, errors) => (
        <>
          <TextField
            name="name"
            label={labels.name}
            required
            maxLength={80}
            autoComplete="off"
            defaultValue={row?.name}
            error={errors.name}
          />
          <TextareaField
            name="description"
            label={labels.description}
            rows={3}
            maxLength={300}
            defaultValue={row?.description}
            error={errors.description}
          />
        </>
      )}
    </EntityDialog>
  );
}
