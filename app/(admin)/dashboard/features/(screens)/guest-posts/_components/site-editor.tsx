'use client';

import { type ReactNode, useState } from 'react';
import { EntityDialog, fieldText, restEntity } from '@/components/form/entity-dialog';
import { getFormText, SelectField, TextField } from '@/components/form/fields';
import type { FieldErrors } from '@/components/form/use-api-form';
import { DetailFields, includeCurrent, toOptions } from '@/components/sites/site-fields';
import type { AdminSiteView } from '@/lib/sites/views';
import { RejectionFields, siteSelection } from './site-actions';

const fieldNames = {
  name: 'Name',
  url: 'URL',
  status: 'Status',
  rejectionReason: 'Reason',
  rejectionNote: 'Note to the seller',
  userId: 'Owner',
  niche: 'Niche',
  postType: 'Post type',
  country: 'Country',
  language: 'Language',
  followType: 'Follow type',
  dr: 'DR',
  da: 'DA',
  as: 'Authority score',
  spam: 'Spam score',
  traffic: 'Traffic',
  keywords: 'Keywords',
  ref_domains: 'Referring domains',
  words: 'Words',
  tat: 'Turnaround',
  samplePosts: 'Sample posts',
  rules: 'Rules',
  price: 'Seller price',
  adminPrice: 'Admin price',
  publicPrice: 'Public price',
  publicCurrency: 'Currency',
  isFulfilledByStaff: 'Fulfilled by',
} satisfies Partial<Record<keyof AdminSiteView, string>>;

const prices = ['price', 'adminPrice', 'publicPrice'];

type SiteEditorProps = SiteChoices & {
  /** Null for a new site. */
  site: AdminSiteView | null;
  /** The URL of the list with the dialog closed. */
  closeHref: string;
  /** Server-rendered. */
  history?: ReactNode;
};

/** The dialog that creates or edits a site. */
export function SiteEditor({ site, closeHref, history, ...choices }: SiteEditorProps) {
  return (
    <EntityDialog
      record={site}
      name={site?.name}
      noun="site"
      at={{ closeHref }}
      store={restEntity('/api/guest-posts', site)}
      labels={fieldNames}
      getFormText={siteFieldText}
      validate={(data) => missingReason(site, data)}
      shownAs={(row, field) =>
        field === 'userId' ? row.userName : (fulfillers[siteFieldText(row, field)] ?? siteFieldText(row, field))
      }
      deletion={{
        consequence: 'It’s removed from every list, including the seller’s. Existing orders won’t change.',
        onDeleted: () => siteSelection.write(siteSelection.read().filter((id) => id !== site?.id)),
      }}
      size="xl"
      below={history}
    >
      {(row, errors) => (
        <div className="mb-2 grid gap-6">
          <SiteFields site={row} errors={errors} {...choices} />
        </div>
      )}
    </EntityDialog>
  );
}

/** A rejection requires a reason; the form shows the one of a site that was rejected before. */
function missingReason(site: AdminSiteView | null, data: FormData): FieldErrors {
  const isNew = getFormText(data, 'status') === 'Rejected' && site?.status !== 'Rejected';
  return isNew && getFormText(data, 'rejectionReason') === '' ? { rejectionReason: 'Choose a reason.' } : {};
}

/** The options of who fulfills orders, by the value of the field. */
const fulfillers: Readonly<Record<string, string>> = { false: 'The owner', true: 'Staff' };

/** Formats a site's value for its form field. Prices have two decimals. */
function siteFieldText(site: AdminSiteView, name: string): string {
  if (name === 'isFulfilledByStaff') return String(site.isFulfilledByStaff === true);
  if (name === 'samplePosts') return (site.samplePosts ?? []).join('\n');
  const text = fieldText(site, name);
  return text !== '' && prices.includes(name) ? Number(text).toFixed(2) : text;
}

export type SiteChoices = {
  niches: readonly string[];
  postTypes: readonly string[];
  countries: readonly string[];
  statuses: readonly string[];
  currencies: readonly string[];
  owners: readonly { id: string; name: string; email: string }[];
};

type SiteFieldsProps = SiteChoices & { site: AdminSiteView | null; errors: FieldErrors };

/** The form fields of a site. Their names are those of the API. */
function SiteFields({ site, errors, ...choices }: SiteFieldsProps) {
  const [status, setStatus] = useState<string>(site?.status ?? 'Pending');
  const text = (name: string, label: string, value: string | number | null | undefined, more = {}) => (
    <TextField name={name} label={label} defaultValue={value ?? ''} autoComplete="off" error={errors[name]} {...more} />
  );
  const number = (name: string, label: string, value: number | null | undefined, more = {}) =>
    text(name, label, value, { inputMode: 'decimal', ...more });
  const price = (name: string, label: string, value: number | null | undefined, hint: string) =>
    text(name, label, value?.toFixed(2), { inputMode: 'decimal', hint });
  const owners = choices.owners.map(({ id, name, email }) => ({
    value: id,
    label: name ? `${name} (${email})` : email,
  }));
  const isKnownOwner = !site || choices.owners.some(({ id }) => id === site.userId);
  return (
    <>
      <div className="grid content-start gap-4 sm:grid-cols-2">
        {text('name', 'Name', site?.name, { required: true, maxLength: 200 })}
        {text('url', 'URL', site?.url, {
          required: true,
          inputMode: 'url',
          spellCheck: false,
          placeholder: 'https://example.com',
        })}
        <SelectField
          name="status"
          label="Status"
          value={status}
          onChange={(event) => setStatus(event.target.value)}
          options={toOptions(choices.statuses)}
          error={errors.status}
        />
        <SelectField
          name="userId"
          label="Owner"
          defaultValue={site?.userId ?? ''}
          placeholder={site ? undefined : 'You'}
          options={isKnownOwner || !site ? owners : [{ value: site.userId, label: site.userName }, ...owners]}
          error={errors.userId}
        />
        <SelectField
          name="isFulfilledByStaff"
          label="Fulfilled by"
          defaultValue={String(site?.isFulfilledByStaff === true)}
          options={Object.entries(fulfillers).map(([value, label]) => ({ value, label }))}
          hint="Who accepts and publishes new orders. Placements in progress continue."
          error={errors.isFulfilledByStaff}
        />
      </div>
      {status === 'Rejected' ? (
        <RejectionFields
          reason={{ name: 'rejectionReason', value: site?.rejectionReason, error: errors.rejectionReason }}
          note={{ name: 'rejectionNote', value: site?.rejectionNote, error: errors.rejectionNote }}
        />
      ) : null}
      <fieldset className="grid grid-cols-2 content-start gap-4 lg:grid-cols-4">
        <legend className="mb-3 text-ink text-sm">Prices</legend>
        {price('price', 'Seller price', site?.price, 'Set by the seller')}
        {price('adminPrice', 'Admin price', site?.adminPrice, 'Including the margin')}
        {price(
          'publicPrice',
          'Public price',
          site?.publicPrice,
          'Paid by buyers. Leave empty to keep the site off sale.',
        )}
        <SelectField
          name="publicCurrency"
          label="Currency"
          defaultValue={site?.publicCurrency ?? 'USD'}
          options={toOptions(choices.currencies)}
          hint="Applies to all three prices"
          error={errors.publicCurrency}
        />
      </fieldset>
      <fieldset className="grid grid-cols-2 content-start gap-4 lg:grid-cols-4">
        <legend className="mb-3 text-ink text-sm">Placement</legend>
        <SelectField
          name="niche"
          label="Niche"
          defaultValue={site?.niche ?? 'General'}
          options={toOptions(includeCurrent(choices.niches, site?.niche ?? 'General'))}
          error={errors.niche}
        />
        <SelectField
          name="postType"
          label="Post type"
          defaultValue={site?.postType ?? 'Guest posts'}
          options={toOptions(includeCurrent(choices.postTypes, site?.postType ?? 'Guest posts'))}
          error={errors.postType}
        />
        <SelectField
          name="followType"
          label="Follow type"
          defaultValue={site?.followType ?? 'DoFollow'}
          options={toOptions(['DoFollow', 'NoFollow'])}
          error={errors.followType}
        />
        {text('tat', 'Turnaround', site?.tat, { placeholder: '5 Days', maxLength: 100 })}
        {text('country', 'Country', site?.country, { placeholder: 'USA', list: 'site-countries', maxLength: 100 })}
        {text('language', 'Language', site?.language, { placeholder: 'English', maxLength: 100 })}
        {number('words', 'Words', site?.words, { placeholder: '600' })}
        <datalist id="site-countries">
          {choices.countries.map((country) => (
            <option key={country} value={country} />
          ))}
        </datalist>
      </fieldset>
      <fieldset className="grid grid-cols-2 content-start gap-4 lg:grid-cols-4">
        <legend className="mb-3 text-ink text-sm">Metrics</legend>
        {number('dr', 'DR', site?.dr)}
        {number('da', 'DA', site?.da)}
        {number('as', 'Authority score', site?.as)}
        {number('spam', 'Spam score', site?.spam)}
        {number('traffic', 'Monthly traffic', site?.traffic)}
        {number('keywords', 'Keywords', site?.keywords)}
        {number('ref_domains', 'Referring domains', site?.ref_domains)}
      </fieldset>
      <fieldset className="grid content-start gap-4 sm:grid-cols-2">
        <legend className="mb-3 text-ink text-sm">Shown to buyers</legend>
        <DetailFields
          samplePosts={site?.samplePosts?.join('\n') ?? ''}
          rules={site?.rules ?? ''}
          rulesHint="What the site accepts. Without contact data and the seller’s price."
          errors={errors}
        />
      </fieldset>
    </>
  );
}
