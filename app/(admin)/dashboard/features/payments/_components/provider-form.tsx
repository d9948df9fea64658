'use client';

import { usePathname, useRouter } from 'next/navigation';
import { SelectField } from '@/components/form/select-field';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardFooter, CardHeader } from '@/components/ui/card';
import { Checkbox } from '@/components/ui/checkbox';
import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import { ConfigField } from './config-field';
import type { ModeForm } from './config-values';
import { modeNames, providerScreens } from './provider-fields';
import { TestConnection } from './test-connection';
import { useProviderForm } from './use-provider-form';

type ProviderFormProps = {
  provider: PaymentProviderName;
  modeInForce: ProviderMode | null;
  modes: readonly ProviderMode[];
  /** The mode that the address shows, and what is stored for it. */
  stored: ModeForm;
};

/** A provider's settings. Choosing a mode shows its own values; saving puts it in force. Give it the mode as key. */
export function ProviderForm({ provider, modeInForce, modes, stored }: ProviderFormProps) {
  const router = useRouter();
  const pathname = usePathname();
  const { mode } = stored;
  const form = useProviderForm({ provider, modeInForce, mode, stored });
  const { tab, fields, source } = providerScreens[provider];
  const name = modeNames[mode];
  const show = (next: string) => router.push(`${pathname}?tab=${provider}&mode=${next}`, { scroll: false });

  return (
    <Card>
      <CardHeader title={`${tab} settings`} description={source} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (form.canSave && !form.pending) void form.save();
        }}
      >
        <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-5">
          {form.error === null ? null : (
            <Alert tone="error" title="Save failed.">
              {form.error}
            </Alert>
          )}
          <SelectField
            label="Mode"
            name="mode"
            value={mode}
            options={modes.map((value) => ({ value, label: modeNames[value] }))}
            disabled={form.pending || form.isDirty}
            onChange={(event) => show(event.target.value)}
            hint={
              form.isDirty
                ? 'Save your changes before you look at the other mode.'
                : mode === modeInForce
                  ? `In force: new top-ups are made in ${name} mode.`
                  : 'Each mode keeps values of its own.'
            }
          />
          {form.isOtherMode ? (
            <Checkbox
              label={`Use ${name} mode for new top-ups as soon as this is saved`}
              checked={form.putInForce}
              onChange={(event) => form.setPutInForce(event.target.checked)}
            />
          ) : null}
          {fields.map((field) => (
            <ConfigField
              key={field.name}
              field={field}
              value={form.values[field.name] ?? ''}
              warning={form.warnings[field.name]}
              error={form.fields[field.name]}
              onChange={(value) => form.change(field.name, value)}
            />
          ))}
        </CardBody>
        <CardFooter className="justify-between">
          <TestConnection key={mode} provider={provider} mode={mode} isDirty={form.isDirty} />
          <Button type="submit" variant="primary" pending={form.pending} disabled={!form.canSave}>
            Save
          </Button>
        </CardFooter>
      </form>
    </Card>
  );
}
