'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { EntityDialog, type EntityEdit } from '@/components/form/entity-dialog';
import { getFormText, TextareaField, TextField } from '@/components/form/fields';
import { EditDeleteMenu } from '@/components/table/record-actions';
import { Button } from '@/components/ui/button';
import { callAction } from '@/lib/browser/api-client';
import { createFeatureAction, deleteFeatureAction, updateFeatureAction } from '@/lib/settings/actions';
import type { HighlightView } from '@/lib/settings/signup-highlights';

export function AddFeature() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" icon={<Plus className="size-4" />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Add feature
      </Button>
      <FeatureDialog open={open} onOpenChange={setOpen} />
    </>
  );
}

export function FeatureActions({ feature }: { feature: HighlightView }) {
  const [open, setOpen] = useState(false);
  const { id, version, name } = feature;
  return (
    <>
      <EditDeleteMenu
        name={name}
        onEdit={() => setOpen(true)}
        question={`Delete the feature “${name}”?`}
        consequence="It’s removed from the list next to the registration form."
        confirmLabel="Delete feature"
        deleted={`${name} deleted.`}
        remove={() => callAction(() => deleteFeatureAction({ id, version }))}
      />
      <FeatureDialog feature={feature} open={open} onOpenChange={setOpen} />
    </>
  );
}

type FeatureDialogProps = {
  /** The highlight to edit. If omitted, the dialog creates one. */
  feature?: HighlightView;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

const labels = { name: 'Name', description: 'Description' };

function FeatureDialog({ feature, open, onOpenChange }: FeatureDialogProps) {
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
