'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import { CardForm } from '@/components/form/card-form';
import { TextareaField, TextField } from '@/components/form/fields';
import { changesBetween, TheirChanges, useLeaveWarning } from '@/components/form/unsaved-changes';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { Input } from '@/components/ui/controls';
import { Field, FieldError } from '@/components/ui/field';
import { FileDrop } from '@/components/ui/file-drop';
import { Icon } from '@/components/ui/icon';
import { ApiError, callAction } from '@/lib/browser/api-client';
import { resetBrandingAction, saveBrandingAction } from '@/lib/settings/actions';
import { type Branding, logoTooLarge, maxLogoBytes } from '@/lib/settings/branding/branding';
import { brandTokens, checkPrimaryColor, checkSecondaryColor } from '@/lib/settings/branding/colors';
import { BrandPreview } from './brand-preview';

const isHex = (text: string) => /^#[0-9a-f]{6}$/i.test(text);

type BrandingFormProps = { stored: Branding; version: number };

const labels = {
  siteName: 'Name',
  tagline: 'Tagline',
  primaryColor: 'Primary color',
  secondaryColor: 'Secondary color',
  supportEmail: 'Support email',
  postalAddress: 'Postal address',
  signInClaims: 'Claims on the sign-in page',
  logo: 'Logo',
} as const;
type Values = Record<keyof typeof labels, string>;

const textIn = (values: Values) => (field: string) => new Map(Object.entries(values)).get(field) ?? '';
const valuesOf = (branding: Branding): Values => ({ ...branding, logo: branding.logo?.path ?? '' });

/** Edits the branding with a live preview. Changes apply when saved. */
export function BrandingForm({ stored, version }: BrandingFormProps) {
  const router = useRouter();
  const current = valuesOf(stored);
  const [base, setBase] = useState(current);
  const [values, setValues] = useState(current);
  /** Undefined keeps the stored logo; null removes it. */
  const [logo, setLogo] = useState<File | null | undefined>(undefined);
  const [round, setRound] = useState(0);
  // Checked in the browser because a server action rejects more than 1 MB without a useful error.
  const logoError = logo && logo.size > maxLogoBytes ? logoTooLarge : undefined;
  const chosenUrl = useDataUrl(logo && !logoError ? logo : null);
  const isDirty = logo !== undefined || JSON.stringify(values) !== JSON.stringify(base);
  useLeaveWarning(isDirty);

  // After a save, a reset or another user's change, a form without edits shows the stored values.
  const [seen, setSeen] = useState(version);
  if (!isDirty && version !== seen) {
    setSeen(version);
    setBase(current);
    setValues(current);
  }
  const changes = isDirty ? changesBetween(labels, textIn(base), textIn(current)) : [];

  const form = useApiForm({
    validate: (): FieldErrors => (logoError ? { logo: logoError } : {}),
    submit: async () => {
      const { logo: _path, ...texts } = values;
      try {
        await callAction(() => saveBrandingAction({ ...texts, version, logo }));
      } catch (cause) {
        if (cause instanceof ApiError && cause.status === 409) router.refresh();
        throw cause;
      }
    },
    onSuccess: () => {
      toast.success('Branding saved. It applies everywhere.');
      // Treats the saved values as stored until the refreshed page provides them.
      setSeen(version);
      setBase(values);
      setLogo(undefined);
      setRound(round + 1);
      router.refresh();
    },
    fallback: (status) => `Save failed (HTTP ${status})`,
  });

  const field = (name: keyof Values) => ({
    name,
    label: labels[name],
    value: values[name],
    error: form.fields[name],
    onChange: (event: { target: { value: string } }) => setValues({ ...values, [name]: event.target.value }),
  });
  const colorField = (name: 'primaryColor' | 'secondaryColor', complaintOf: (hex: string) => string | undefined) => {
    const value = values[name].toLowerCase();
    return {
      name,
      label: labels[name],
      value: values[name],
      // Validates on every change, because the colour picker does not trigger blur validation.
      error: isHex(value) ? complaintOf(value) : form.fields[name],
      onChange: (next: string) => setValues({ ...values, [name]: next }),
    };
  };
  const shownUrl = logo === null ? null : (chosenUrl ?? (logo ? null : current.logo || null));
  const { primaryColor, secondaryColor } = values;
  const tokens =
    isHex(primaryColor) && isHex(secondaryColor) ? brandTokens({ primaryColor, secondaryColor }) : undefined;

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card>
        <CardForm
          form={form}
          className="grid-cols-[minmax(0,1fr)] gap-5"
          submitLabel="Save branding"
          variant="primary"
          disabled={!isDirty}
        >
          <TheirChanges changes={changes} />
          <TextField {...field('siteName')} required maxLength={40} autoComplete="off" />
          <TextField
            {...field('tagline')}
            maxLength={80}
            hint="One line about the marketplace. Shown in search results, email footers and next to the registration form."
          />
          <LogoField
            shownUrl={shownUrl}
            error={logoError ?? form.fields.logo}
            disabled={form.pending}
            round={round}
            onChoose={(file) => setLogo(file ?? undefined)}
            onRemove={() => {
              setLogo(current.logo ? null : undefined);
              setRound(round + 1);
            }}
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <ColorField {...colorField('primaryColor', checkPrimaryColor)} hint="Buttons, links and selected items." />
            <ColorField
              {...colorField('secondaryColor', checkSecondaryColor)}
              hint="Avatars, counts and the edge of emails."
            />
          </div>
          <TextField
            {...field('supportEmail')}
            type="email"
            autoComplete="off"
            hint="Where users can ask for help. Shown in emails, on invoices and in the seller help. Leave empty to hide."
          />
          <TextareaField
            {...field('postalAddress')}
            rows={4}
            maxLength={400}
            hint="The selling company’s address, shown on invoices."
          />
          <TextareaField
            {...field('signInClaims')}
            rows={3}
            maxLength={240}
            hint="Up to 4 lines beside the customers’ sign-in form. State only what you can prove. Leave empty to hide."
          />
        </CardForm>
      </Card>
      <Card className="lg:sticky lg:top-[calc(var(--banner)+var(--top-bar)+1.5rem)]">
        <CardHeader title="Preview" description="How your changes will look once saved." />
        <CardBody>
          <BrandPreview siteName={values.siteName} tagline={values.tagline} logoUrl={shownUrl} tokens={tokens} />
        </CardBody>
      </Card>
    </div>
  );
}

/** Returns a data URL to preview the selected image; null until the file is read, or if it cannot be read. */
function useDataUrl(file: File | null | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return;
    const reader = new FileReader();
    reader.onload = () => setUrl(typeof reader.result === 'string' ? reader.result : null);
    reader.readAsDataURL(file);
    return () => {
      reader.onload = null;
      reader.abort();
      setUrl(null);
    };
  }, [file]);
  return url;
}

type ColorFieldProps = {
  name: string;
  label: string;
  hint: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
};

/** Renders a colour field with a text input and the browser's colour picker, which share one value. */
function ColorField({ name, label, hint, value, error, onChange }: ColorFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} required>
      {(control) => (
        <span className="flex items-center gap-2">
          <input
            type="color"
            aria-label={`Pick the ${label.toLowerCase()}`}
            value={isHex(value) ? value.toLowerCase() : '#000000'}
            onChange={(event) => onChange(event.target.value)}
            className="h-9 w-11 shrink-0 cursor-pointer rounded-md border border-control bg-surface p-1"
          />
          <Input
            {...control}
            name={name}
            value={value}
            autoComplete="off"
            spellCheck={false}
            maxLength={7}
            placeholder="#5547e0"
            onChange={(event) => onChange(event.target.value)}
          />
        </span>
      )}
    </Field>
  );
}

type LogoFieldProps = {
  /** The URL of the stored or selected logo; null for the default mark. */
  shownUrl: string | null;
  error: string | undefined;
  disabled: boolean;
  /** Changes to reset the file input. */
  round: number;
  onChoose: (file: File | null) => void;
  onRemove: () => void;
};

function LogoField({ shownUrl, error, disabled, round, onChoose, onRemove }: LogoFieldProps) {
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <legend className="mb-1.5 font-medium text-ink text-sm">Logo</legend>
      {shownUrl ? (
        <div className="flex items-center justify-between gap-4 rounded-lg border border-line px-4 py-3">
          <picture className="min-w-0">
            <img src={shownUrl} alt="Logo preview" className="h-10 max-w-full object-contain" />
          </picture>
          <Button size="sm" disabled={disabled} onClick={onRemove}>
            Remove logo
          </Button>
        </div>
      ) : null}
      <FileDrop
        key={round}
        name="logo"
        prompt={shownUrl ? 'Choose another image, or drop it here' : 'Choose an image or drop it here'}
        limits="PNG, JPEG or WebP, up to 256 kB. Use a transparent background to suit light and dark themes."
        accept="image/png,image/jpeg,image/webp"
        aria-label="Logo file"
        aria-invalid={error ? true : undefined}
        disabled={disabled}
        onFile={onChoose}
      />
      {error ? <FieldError>{error}</FieldError> : null}
    </fieldset>
  );
}

export function ResetBranding({ version }: { version: number }) {
  return (
    <ConfirmAction
      trigger={<Button icon={<Icon name="rotate-ccw" />}>Reset to default</Button>}
      title="Reset branding to default?"
      description="Name, tagline, logo, colors and addresses are reset to their defaults in all portals, emails and invoices."
      confirmLabel="Reset branding"
      action={() => callAction(() => resetBrandingAction({ version }))}
      done="Branding reset to default."
    />
  );
}
