'use client';

import { toast } from 'sonner';
import { TextField } from '@/components/form/text-field';
import { Dialog } from '@/components/ui/dialog';
import { apiFetch } from '@/lib/browser/api-client';
import { redirectIfSignedOut } from '@/lib/browser/redirect-if-signed-out';
import type { ProjectView } from '@/lib/projects/views';
import { DialogForm } from '../form/dialog-form';
import { SelectField } from '../form/select-field';
import { TextareaField } from '../form/textarea-field';
import { useApiForm } from '../form/use-api-form';
import { countries } from '@/lib/taxonomy/countries';

type CreateProjectDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  niches: readonly string[];
  postTypes: readonly string[];
  /** The screen's message where the server sent no text; status 0: no response. */
  failure: (status: number) => string;
  onCreated: (project: ProjectView) => void;
};

/** Shown when a required field is empty. */
const incomplete = '⚠️ Please fill in all required fields before saving.';

/** The Create New Project dialog of the projects screen and of the marketplace's order dialog. */
export function CreateProjectDialog(props: CreateProjectDialogProps) {
  const { open, onOpenChange } = props;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Create New Project"
      description="The website your links will point to."
      size="lg"
    >
      <ProjectForm {...props} />
    </Dialog>
  );
}

function ProjectForm({ onOpenChange, niches, postTypes, failure, onCreated }: CreateProjectDialogProps) {
  const form = useApiForm<ProjectView>({
    validate: (data) => {
      const errors = missingFields(data);
      if (Object.keys(errors).length > 0) toast.error(incomplete);
      return errors;
    },
    submit: (data) =>
      apiFetch<ProjectView>('/api/user/projects', { method: 'POST', body: projectOf(data) }).catch(redirectIfSignedOut),
    onSuccess: (project) => {
      onOpenChange(false);
      onCreated(project);
    },
    fallback: failure,
  });
  const options = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }));
  return (
    <DialogForm form={form} submitLabel="Create project" className="gap-x-4 gap-y-5 sm:grid-cols-2">
      <TextField
        name="domain"
        label="Domain"
        required
        placeholder="example.com"
        autoComplete="off"
        inputMode="url"
        error={form.fields.domain}
      />
      <TextField
        name="targetUrl"
        label="Target URL"
        required
        placeholder="https://example.com/page"
        autoComplete="off"
        inputMode="url"
        error={form.fields.targetUrl}
      />
      <TextareaField
        name="description"
        label="Description"
        required
        rows={3}
        placeholder="What the site offers and who the links should reach"
        error={form.fields.description}
        className="sm:col-span-2"
      />
      <SelectField
        name="niche"
        label="Niche"
        required
        options={options(niches)}
        placeholder="Choose a niche"
        error={form.fields.niche}
      />
      <TextField
        name="customNiche"
        label="Custom niche"
        hint="Overrides the niche above."
        autoComplete="off"
        maxLength={100}
      />
      <SelectField
        name="postType"
        label="Post type"
        required
        options={options(postTypes)}
        placeholder="Choose a post type"
        error={form.fields.postType}
      />
      <TextField
        name="country"
        label="Country"
        required
        list="project-countries"
        placeholder="USA"
        autoComplete="off"
        error={form.fields.country}
      />
      <datalist id="project-countries">
        {countries.map((country) => (
          <option key={country} value={country} />
        ))}
      </datalist>
      <TextField
        name="keywords"
        label="Keywords"
        required
        hint="Separate with commas. Three to five work best."
        placeholder="gravel bikes, bike fitting"
        autoComplete="off"
        error={form.fields.keywords}
        className="sm:col-span-2"
      />
    </DialogForm>
  );
}

const requiredFields = {
  domain: 'Enter the domain.',
  targetUrl: 'Enter the target URL.',
  description: 'Enter a description.',
  niche: 'Choose a niche or enter a custom one.',
  postType: 'Choose a post type.',
  country: 'Enter a country.',
  keywords: 'Enter at least one keyword.',
};

function missingFields(data: FormData): Record<string, string> {
  const project = projectOf(data);
  return Object.fromEntries(Object.entries(requiredFields).filter(([name]) => !project[name]));
}

/** The request body of POST /api/user/projects. A custom niche replaces the selected one. */
function projectOf(data: FormData): Record<string, string> {
  const text = (name: string) => String(data.get(name) ?? '').trim();
  const { niche, ...others } = Object.fromEntries(Object.keys(requiredFields).map((name) => [name, text(name)]));
  return { ...others, niche: text('customNiche') || niche || '' };
}
