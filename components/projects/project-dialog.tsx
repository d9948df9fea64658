'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { DialogForm } from '@/components/form/dialog-form';
import { EntityDialog, fieldText } from '@/components/form/entity-dialog';
import { Fields, TextField } from '@/components/form/fields';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { Dialog } from '@/components/ui/dialog';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import type { ProjectView } from '@/lib/projects/contract';
import { countries } from '@/lib/taxonomy/countries';

type Choices = { niches: readonly string[]; postTypes: readonly string[] };
type Opening = { open: boolean; onOpenChange: (open: boolean) => void };

type ProjectDialogProps = Choices &
  Opening & {
    /** The screen's message where the server sent no text; status 0: no response. */
    failure: (status: number) => string;
    onSaved: (project: ProjectView) => void;
  };

/** Renders the dialog that creates a project, on the projects screens and in the marketplace's order dialog. */
export function ProjectDialog(props: ProjectDialogProps) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Create New Project"
      description="The website your links will point to."
      size="lg"
    >
      <ProjectForm {...props} />
    </Dialog>
  );
}

function ProjectForm({ onOpenChange, failure, onSaved, ...choices }: ProjectDialogProps) {
  const form = useApiForm<ProjectView>({
    validate,
    submit: (data) =>
      apiFetch<ProjectView>('/api/user/projects', { method: 'POST', body: projectOf(data) }).catch(redirectIfSignedOut),
    onSuccess: (saved) => {
      onOpenChange(false);
      onSaved(saved);
    },
    fallback: failure,
  });
  return (
    <DialogForm form={form} submitLabel="Create project">
      <ProjectFields project={null} errors={form.fields} {...choices} />
    </DialogForm>
  );
}

const labels = {
  domain: 'Domain',
  targetUrl: 'Target URL',
  description: 'Description',
  niche: 'Niche',
  customNiche: 'Custom niche',
  postType: 'Post type',
  country: 'Country',
  keywords: 'Keywords',
};

type EditProjectProps = Choices & Opening & { project: ProjectView };

/** Shows the dialog that edits a project. A change in another tab is compared with the edit before one replaces it. */
export function EditProjectDialog({ project, open, onOpenChange, niches, postTypes }: EditProjectProps) {
  const path = `/api/user/projects/${project.id}`;
  return (
    <EntityDialog
      record={project}
      name={project.domain}
      noun="project"
      at={{ open, onOpenChange }}
      description="Applies to new orders. Existing orders won’t change."
      submitLabel="Save project"
      staleTitle="This project was changed elsewhere"
      size="lg"
      labels={labels}
      getFormText={(row, field) => projectText(row, field, niches)}
      validate={validate}
      fallback={() => 'Save failed'}
      store={{
        save: async ({ data, version }) => {
          const body = { ...projectOf(data), version };
          const saved = await apiFetch<ProjectView>(path, { method: 'PUT', body }).catch(redirectIfSignedOut);
          return `Project ${saved.domain} saved.`;
        },
        readLatest: () => apiFetch<ProjectView>(path),
      }}
    >
      {(row, errors) => <ProjectFields project={row} errors={errors} niches={niches} postTypes={postTypes} />}
    </EntityDialog>
  );
}

/** Returns the value of a form field. A niche that is not listed is a custom one. */
function projectText(project: ProjectView, field: string, niches: readonly string[]): string {
  const isListed = niches.includes(project.niche);
  if (field === 'niche') return isListed ? project.niche : '';
  if (field === 'customNiche') return isListed ? '' : project.niche;
  return fieldText(project, field);
}

type ProjectFieldsProps = Choices & { project: ProjectView | null; errors: FieldErrors };

function ProjectFields({ project, errors, niches, postTypes }: ProjectFieldsProps) {
  const textOf = (field: string) => (project ? projectText(project, field, niches) : undefined);
  const [customNiche, setCustomNiche] = useState(textOf('customNiche') ?? '');
  // A post type may have been removed since.
  const types = project && !postTypes.includes(project.postType) ? [...postTypes, project.postType] : postTypes;
  const listed = project && !countries.includes(project.country) ? [...countries, project.country] : countries;
  const required = (name: keyof typeof labels, more = {}) => ({ name, label: labels[name], required: true, ...more });
  return (
    <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
      <Fields
        errors={errors}
        textOf={textOf}
        fields={[
          required('domain', { placeholder: 'example.com', inputMode: 'url' }),
          required('targetUrl', { placeholder: 'https://example.com/page', inputMode: 'url' }),
          {
            ...required('description', { className: 'sm:col-span-2' }),
            rows: 3,
            placeholder: 'What the site offers and who the links should reach',
          },
          {
            ...required('niche'),
            options: niches,
            placeholder: 'Choose a niche',
            // The custom niche would override the selection.
            onChange: () => setCustomNiche(''),
          },
          {
            name: 'customNiche',
            label: labels.customNiche,
            render: ({ name, label }) => (
              <TextField
                name={name}
                label={label}
                value={customNiche}
                onChange={(event) => setCustomNiche(event.target.value)}
                hint="Overrides the niche above."
                autoComplete="off"
                maxLength={100}
              />
            ),
          },
          { ...required('postType'), options: types, placeholder: 'Choose a post type' },
          { ...required('country'), options: listed, placeholder: 'Choose a country' },
          required('keywords', {
            hint: 'Separate with commas. Three to five work best.',
            placeholder: 'gravel bikes, bike fitting',
            className: 'sm:col-span-2',
          }),
        ]}
      />
    </div>
  );
}

/** Shown when a required field is empty. */
const incomplete = '⚠️ Please fill in all required fields before saving.';

function validate(data: FormData): FieldErrors {
  const errors = missingFields(data);
  if (Object.keys(errors).length > 0) toast.error(incomplete);
  return errors;
}

const requiredFields = {
  domain: 'Enter the domain.',
  targetUrl: 'Enter the target URL.',
  description: 'Enter a description.',
  niche: 'Choose a niche or enter a custom one.',
  postType: 'Choose a post type.',
  country: 'Choose a country.',
  keywords: 'Enter at least one keyword.',
};

function missingFields(data: FormData): Record<string, string> {
  const project = projectOf(data);
  return Object.fromEntries(Object.entries(requiredFields).filter(([name]) => !project[name]));
}

/** Returns the request body of a project. A custom niche replaces the selected one. */
function projectOf(data: FormData): Record<string, string> {
  const text = (name: string) => String(data.get(name) ?? '').trim();
  const { niche, ...others } = Object.fromEntries(Object.keys(requiredFields).map((name) => [name, text(name)]));
  return { ...others, niche: text('customNiche') || niche || '' };
}
