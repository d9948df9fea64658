'use client';

import { type ReactNode, useState } from 'react';
import { EntityDialog, fieldText, restEntity } from '@/components/form/entity-dialog';
import { type FieldSpec, Fields, getFormText } from '@/components/form/fields';
import type { FieldErrors } from '@/components/form/use-api-form';
import { describePause } from '@/components/sites/pause-words';
import { detailFields, figureField, includeCurrent, turnaroundField, wordsField } from '@/components/sites/site-fields';
import { Alert } from '@/components/ui/alert';
import { userLabel } from '@/components/ui/format';
import type { DayKind } from '@/lib/settings/placement-rules';
import type { ShownFigures } from '@/lib/sites/domain-figures/describe-figure';
import { formatRejectionReason } from '@/lib/sites/rejection-reasons';
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

const quarters = 'grid-cols-2 lg:grid-cols-4';

const prices = ['price', 'adminPrice', 'publicPrice'];

type SiteEditorProps = SiteChoices & {
  /** Null for a new site. */
  site: AdminSiteView | null;
  /** The URL of the list with the dialog closed. */
  closeHref: string;
  /** What an approval does to the public price; undefined where the rules do nothing. */
  priceHint?: string | undefined;
  /** The figures that buyers see and staff did not enter. */
  shown?: ShownFigures | undefined;
  /** Who claims the domain, and the history; server-rendered. */
  history?: ReactNode;
};

/** Renders the dialog that creates or edits a site. */
export function SiteEditor({ site, closeHref, history, priceHint, shown, ...choices }: SiteEditorProps) {
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
          <SiteFields site={row} errors={errors} {...{ priceHint, shown }} {...choices} />
        </div>
      )}
    </EntityDialog>
  );
}

/** Checks that a rejection has a reason; the form shows the one of a site that was rejected before. */
function missingReason(site: AdminSiteView | null, data: FormData): FieldErrors {
  const isNew = getFormText(data, 'status') === 'Rejected' && site?.status !== 'Rejected';
  return isNew && getFormText(data, 'rejectionReason') === '' ? { rejectionReason: 'Choose a reason.' } : {};
}

const defaultPriceHint = 'Paid by buyers. If it’s empty, an approval sets it by the commission rules, if one applies.';

/** The options of who fulfills orders, by the value of the field. */
const fulfillers: Readonly<Record<string, string>> = { false: 'The owner', true: 'Staff' };

/** Formats a site's value for its form field. Prices have two decimals. */
function siteFieldText(site: AdminSiteView, name: string): string {
  if (name === 'isFulfilledByStaff') return String(site.isFulfilledByStaff === true);
  if (name === 'samplePosts') return (site.samplePosts ?? []).join('\n');
  const text = fieldText(site, name);
  if (name === 'tat') return text.toLowerCase();
  return text !== '' && prices.includes(name) ? Number(text).toFixed(2) : text;
}

export type SiteChoices = {
  niches: readonly string[];
  postTypes: readonly string[];
  countries: readonly string[];
  statuses: readonly string[];
  currencies: readonly string[];
  owners: readonly { id: string; name: string; email: string }[];
  /** The days that a turnaround counts. */
  dayKind: DayKind;
};

type SiteFieldsProps = SiteChoices & Pick<SiteEditorProps, 'site' | 'priceHint' | 'shown'> & { errors: FieldErrors };

/** Renders the form fields of a site. Their names are those of the API. */
function SiteFields({ site, errors, priceHint, shown, ...choices }: SiteFieldsProps) {
  const [status, setStatus] = useState<string>(site?.status ?? 'Pending');
  const text = (name: keyof typeof fieldNames, more = {}) => ({ name, label: fieldNames[name], ...more });
  const amount = (name: keyof typeof fieldNames, hint: string) =>
    text(name, { type: 'number', min: 0, step: '0.01', currencyField: 'publicCurrency', hint });
  const owners = choices.owners.map((owner) => ({ value: owner.id, label: userLabel(owner) }));
  const isKnownOwner = !site || choices.owners.some(({ id }) => id === site.userId);
  const textOf = (name: string) => (site ? siteFieldText(site, name) : undefined);
  const render = (fields: readonly FieldSpec[]) => <Fields fields={fields} textOf={textOf} errors={errors} />;
  return (
    <>
      {render([
        {
          columns: 'sm:grid-cols-2',
          fields: [
            text('name', { required: true, maxLength: 200 }),
            text('url', { required: true, inputMode: 'url', spellCheck: false, placeholder: 'https://example.com' }),
            {
              name: 'status',
              label: 'Status',
              defaultValue: 'Pending',
              onChange: (event: { target: { value: string } }) => setStatus(event.target.value),
              options: choices.statuses,
            },
            {
              name: 'userId',
              label: 'Owner',
              placeholder: site ? undefined : 'You',
              options: isKnownOwner || !site ? owners : [{ value: site.userId, label: site.userName }, ...owners],
            },
            {
              name: 'isFulfilledByStaff',
              label: 'Fulfilled by',
              options: fulfillers,
              hint: 'Who accepts and publishes new orders. Placements in progress continue.',
            },
          ],
        },
      ])}
      {status === 'Rejected' ? (
        <RejectionFields
          reason={{ name: 'rejectionReason', value: site?.rejectionReason, error: errors.rejectionReason }}
          note={{ name: 'rejectionNote', value: site?.rejectionNote, error: errors.rejectionNote }}
        />
      ) : null}
      {site?.isPaused ? (
        <Alert tone="warning" title={describePause('The seller paused this site', { until: site.pausedUntil ?? null })}>
          Buyers do not find it. Your changes do not end the pause.
        </Alert>
      ) : null}
      {site?.ownership === 'contributor' && status !== 'Approved' ? (
        <Alert tone="warning" title="Another seller proved this domain.">
          {`This owner has not. If they can’t publish on the site, reject it for “${formatRejectionReason('ownership')}”.`}
        </Alert>
      ) : null}
      {render([
        {
          columns: quarters,
          legend: 'Prices',
          fields: [
            amount('price', 'Set by the seller'),
            amount('adminPrice', 'Seller price plus your margin. For staff only.'),
            amount('publicPrice', priceHint ?? defaultPriceHint),
            {
              name: 'publicCurrency',
              label: 'Currency',
              defaultValue: 'USD',
              options: choices.currencies,
              hint: 'Applies to all three prices',
            },
          ],
        },
        {
          columns: quarters,
          legend: 'Placement',
          fields: [
            {
              name: 'niche',
              label: 'Niche',
              defaultValue: 'General',
              options: includeCurrent(choices.niches, site?.niche ?? 'General'),
            },
            {
              name: 'postType',
              label: 'Post type',
              defaultValue: 'Guest posts',
              options: includeCurrent(choices.postTypes, site?.postType ?? 'Guest posts'),
            },
            { name: 'followType', label: 'Follow type', options: ['DoFollow', 'NoFollow'] },
            turnaroundField(choices.dayKind),
            text('country', { placeholder: 'USA', suggestions: choices.countries, maxLength: 100 }),
            text('language', { placeholder: 'English', maxLength: 100 }),
            wordsField,
          ],
        },
        {
          columns: quarters,
          legend: 'Metrics',
          fields: [
            figureField('dr', shown),
            figureField('da', shown),
            figureField('authorityScore', shown),
            figureField('spam', shown),
            figureField('traffic', shown),
            figureField('keywordsCount', shown),
            figureField('refDomains', shown),
          ],
        },
        {
          columns: 'sm:grid-cols-2',
          legend: 'Shown to buyers',
          fields: detailFields('What the site accepts. Without contact data and the seller’s price.'),
        },
      ])}
    </>
  );
}
