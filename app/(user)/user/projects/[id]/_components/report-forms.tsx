'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { SettingsCard } from '@/components/form/card-form';
import { getFormText, TextField } from '@/components/form/fields';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { ClientPrices, readClientPrices } from '@/components/orders/client-prices';
import { FormError } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { Checkbox } from '@/components/ui/controls';
import { Field } from '@/components/ui/field';
import { ApiError, apiFetch, callAction } from '@/lib/browser/api-client';
import { pageAccount } from '@/lib/browser/page-account';
import { saveReportMailAction, saveReportNoteAction, stopReportMailAction } from '@/lib/orders/actions';

type Brand = { name: string; color: string; hasLogo: boolean };
type Options = { prices: 'none' | 'markup' | 'fixed'; markupPercent: number | null; fixedCents: number | null };

const noPrices: Options = { prices: 'none', markupPercent: null, fixedCents: null };
const priceNames = { none: 'No prices', markup: 'What you paid, and a percentage', fixed: 'A fixed price a link' };

/** Reads the fields of OptionFields. */
async function readOptions(data: FormData) {
  return {
    prices: 'none' as const,
    ...readClientPrices(data),
    brand: { name: getFormText(data, 'name'), color: getFormText(data, 'color'), ...(await readLogo(data)) },
  };
}

/** Reads the chosen logo; null to remove the one before, nothing to keep it. */
async function readLogo(data: FormData): Promise<{ logo?: string | null }> {
  const file = data.get('logo');
  if (!(file instanceof File) || file.size === 0) return data.get('noLogo') ? { logo: null } : {};
  if (file.size > 256_000)
    throw new ApiError(400, 'The logo is larger than 256 kB.', { logo: 'The logo is larger than 256 kB.' });
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { logo: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) };
}

const fieldOf = (errors: FieldErrors, name: string) => errors[name] ?? errors[`brand.${name}`];

function OptionFields({ errors, brand, options }: { errors: FieldErrors; brand: Brand; options: Options }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      <TextField
        name="name"
        label="Name on the report"
        required
        maxLength={80}
        defaultValue={brand.name}
        error={fieldOf(errors, 'name')}
      />
      <TextField name="color" type="color" label="Color" defaultValue={brand.color} error={fieldOf(errors, 'color')} />
      <Field
        label="Logo"
        hint={
          brand.hasLogo
            ? 'Your logo stays unless you choose another. PNG or JPEG, at most 256 kB.'
            : 'PNG or JPEG, at most 256 kB.'
        }
        error={fieldOf(errors, 'logo')}
      >
        {(control) => (
          <input {...control} type="file" name="logo" accept="image/png,image/jpeg" className="control h-auto py-2" />
        )}
      </Field>
      <ClientPrices names={priceNames} hint="The report shows the sum only." errors={errors} chosen={options} />
      {brand.hasLogo ? <Checkbox name="noLogo" label="Without the logo" className="self-end" /> : null}
    </div>
  );
}

type ReportFormProps = { projectId: string; from: string; to: string; brand: Brand };

/** Creates a report and shows it in the list. */
export function ReportForm({ projectId, from, to, brand }: ReportFormProps) {
  return (
    <SettingsCard
      title="New client report"
      description="A page for your client with your name, without prices of this marketplace."
      submitLabel="Create report"
      failure="The report could not be created. Try again."
      submit={async (data) => {
        const [password, expires] = [getFormText(data, 'password'), getFormText(data, 'expires')];
        return apiFetch<{ url: string }>(`/api/user/projects/${projectId}/reports`, {
          method: 'POST',
          body: {
            from: getFormText(data, 'from'),
            to: getFormText(data, 'to'),
            ...(await readOptions(data)),
            ...(password && { password }),
            ...(expires && { expiresAt: expires }),
          },
        });
      }}
      onSuccess={() => toast.success('Report created. Copy its link below.')}
    >
      {(errors) => (
        <>
          <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
            <TextField name="from" type="date" label="From" required defaultValue={from} error={errors.from} />
            <TextField name="to" type="date" label="To" required defaultValue={to} error={errors.to} />
            <TextField
              name="password"
              type="password"
              label="Password"
              hint="Optional."
              autoComplete="new-password"
              error={errors.password}
            />
            <TextField name="expires" type="date" label="Ends on" hint="Optional." error={errors.expiresAt} />
          </div>
          <OptionFields errors={errors} brand={brand} options={noPrices} />
        </>
      )}
    </SettingsCard>
  );
}

export function RevokeReport({ projectId, reportId, period }: { projectId: string; reportId: string; period: string }) {
  return (
    <ConfirmAction
      title={`Revoke the report ${period}?`}
      description="Its link stops working. This cannot be undone."
      confirmLabel="Revoke"
      trigger={
        <Button size="sm" aria-label={`Revoke the report ${period}`}>
          Revoke
        </Button>
      }
      action={() => apiFetch(`/api/user/projects/${projectId}/reports/${reportId}`, { method: 'DELETE' })}
      done="Report revoked."
    />
  );
}

type NoteFormProps = { orderId: number; link: string; status: string; reference: string; note: string };

/** Edits the reference and the note of a link. */
export function NoteForm({ orderId, link, status, reference, note }: NoteFormProps) {
  const router = useRouter();
  const form = useApiForm({
    submit: (data) =>
      callAction(() =>
        saveReportNoteAction(
          { orderId, reference: getFormText(data, 'reference'), note: getFormText(data, 'note') },
          pageAccount(),
        ),
      ),
    onSuccess: () => {
      toast.success('Saved');
      router.refresh();
    },
  });
  return (
    <form
      {...form.formProps}
      aria-label={link}
      className="grid items-end gap-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,2fr)_auto]"
    >
      <p className="wrap-anywhere self-center text-sm">
        <span className="text-ink">{link}</span> <span className="text-muted">{status}</span>
      </p>
      <TextField
        name="reference"
        label="Reference"
        maxLength={100}
        defaultValue={reference}
        error={form.fields.reference}
      />
      <TextField name="note" label="Note" maxLength={500} defaultValue={note} error={form.fields.note} />
      <Button type="submit" pending={form.pending}>
        Save
      </Button>
      <FormError error={form.error} />
    </form>
  );
}

type MonthlyMail = Options & { recipients: readonly string[]; hasPassword: boolean; nextDay: string | null };

/** Turns the monthly mail on and off. */
export function MonthlyMailForm({
  projectId,
  brand,
  mail,
}: {
  projectId: string;
  brand: Brand;
  mail: MonthlyMail | null;
}) {
  const isOn = Boolean(mail?.nextDay);
  return (
    <SettingsCard
      title="Monthly mail"
      description={
        isOn
          ? `On: the next report is mailed on ${mail?.nextDay}.`
          : 'Off. On the first of each month, a report of the month before is mailed to your client.'
      }
      submitLabel={isOn ? 'Save' : 'Turn on'}
      failure="The monthly mail could not be saved. Try again."
      submit={async (data) => {
        const password = getFormText(data, 'password');
        const options = await readOptions(data);
        const recipients = getFormText(data, 'recipients')
          .split(/[\s,;]+/)
          .filter(Boolean);
        return callAction(() =>
          saveReportMailAction(
            {
              projectId,
              recipients,
              ...options,
              ...(password ? { password } : data.get('noPassword') ? { password: null } : {}),
            },
            pageAccount(),
          ),
        );
      }}
    >
      {(errors) => (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              name="recipients"
              label="Recipients"
              required
              hint="Email addresses, separated by commas. Each can turn the mail off."
              defaultValue={mail?.recipients.join(', ')}
              error={errors.recipients ?? Object.entries(errors).find(([name]) => name.startsWith('recipients.'))?.[1]}
            />
            <TextField
              name="password"
              type="password"
              label="Password of the reports"
              hint={mail?.hasPassword ? 'The last one stays unless you enter another.' : 'Optional.'}
              autoComplete="new-password"
              error={errors.password}
            />
          </div>
          <OptionFields errors={errors} brand={brand} options={mail ?? noPrices} />
          <div className="flex flex-wrap items-center gap-4">
            {mail?.hasPassword ? <Checkbox name="noPassword" label="Without a password" /> : null}
            {isOn ? (
              <ConfirmAction
                title="Turn the monthly mail off?"
                confirmLabel="Turn off"
                trigger={<Button>Turn off</Button>}
                action={() => callAction(() => stopReportMailAction({ projectId }, pageAccount()))}
                done="The monthly mail is off."
              />
            ) : null}
          </div>
        </>
      )}
    </SettingsCard>
  );
}
