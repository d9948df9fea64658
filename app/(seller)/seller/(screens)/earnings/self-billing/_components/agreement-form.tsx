'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { CardForm } from '@/components/form/card-form';
import { getFormText, SelectField, TextareaField, TextField } from '@/components/form/fields';
import { type FieldErrors, useApiForm } from '@/components/form/use-api-form';
import { Card, CardHeader } from '@/components/ui/card';
import { Checkbox } from '@/components/ui/controls';
import { callAction } from '@/lib/browser/api-client';
import { saveBillingProfileAction } from '@/lib/earnings/actions';

type AgreementFormProps = {
  /** The name of the marketplace's operator. */
  operator: string;
  countries: { value: string; label: string }[];
  /** The saved details; null before the agreement. */
  profile: {
    legalName: string;
    address: string;
    taxId: string;
    country: string;
    version: number;
    /** "Nov 24, 2026" */
    agreedOn: string;
  } | null;
};

/** Renders the agreement to self-billing with the details of the statements; after it, the details alone. */
export function AgreementForm({ operator, countries, profile }: AgreementFormProps) {
  const router = useRouter();
  const form = useApiForm({
    version: profile?.version ?? 0,
    submit: (data, version) =>
      callAction(() =>
        saveBillingProfileAction({
          legalName: getFormText(data, 'legalName'),
          address: getFormText(data, 'address'),
          taxId: getFormText(data, 'taxId'),
          country: getFormText(data, 'country'),
          // Checked by `validate`.
          agreed: true,
          version,
        }),
      ),
    validate: (data): FieldErrors =>
      profile !== null || data.has('agreed') ? {} : { agreed: 'Agree to self-billing to continue.' },
    onSuccess: () => {
      toast.success(profile ? 'Details saved.' : 'You agreed to self-billing.');
      router.refresh();
    },
    fallback: () => 'Your details were not saved. Try again.',
  });
  return (
    <Card>
      <CardHeader
        title={profile ? 'Your details' : 'Agree to self-billing'}
        description={
          profile
            ? `You agreed on ${profile.agreedOn}. New details apply to statements that are issued from now on.`
            : `${operator} buys your placements and resells them. With self-billing, ${operator} issues the bill for what it buys from you each month, so you need not send one.`
        }
      />
      <CardForm
        form={form}
        className="gap-4 sm:grid-cols-2"
        submitLabel={profile ? 'Save details' : 'Agree'}
        variant="primary"
      >
        <TextField
          name="legalName"
          label="Legal name"
          required
          maxLength={200}
          defaultValue={profile?.legalName}
          error={form.fields.legalName ?? ''}
        />
        <TextField
          name="taxId"
          label="VAT id or tax number"
          hint="A VAT id begins with the letters of its country. Leave it empty if you have none."
          maxLength={50}
          defaultValue={profile?.taxId}
          error={form.fields.taxId ?? ''}
        />
        <TextareaField
          name="address"
          label="Address"
          required
          rows={3}
          maxLength={500}
          defaultValue={profile?.address}
          error={form.fields.address ?? ''}
        />
        <SelectField
          name="country"
          label="Country"
          required
          placeholder="Choose a country"
          options={countries}
          defaultValue={profile?.country}
          error={form.fields.country ?? ''}
        />
        {profile ? null : (
          <div className="col-span-full">
            <Checkbox
              name="agreed"
              aria-invalid={form.fields.agreed ? true : undefined}
              aria-describedby={form.fields.agreed ? 'agreed-error' : undefined}
              label={`I agree that ${operator} issues statements in my name for the placements it buys from me, and I will not bill them myself.`}
            />
            {form.fields.agreed ? (
              <p id="agreed-error" role="alert" className="mt-1 text-red-ink text-sm">
                {form.fields.agreed}
              </p>
            ) : null}
          </div>
        )}
      </CardForm>
    </Card>
  );
}
