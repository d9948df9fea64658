'use client';

import type { ReactNode } from 'react';
import { AddRecord } from '@/components/form/action-editor';
import { EntityDialog, type EntityDialogProps, type EntityEdit, fieldText } from '@/components/form/entity-dialog';
import { getFormText } from '@/components/form/fields';
import type { FieldErrors } from '@/components/form/use-api-form';
import { PauseBadge } from '@/components/sites/pause-badge';
import { SiteStatusBadge } from '@/components/sites/site-text';
import { UploadCsv } from '@/components/sites/upload-csv';
import { Alert } from '@/components/ui/alert';
import { ApiError, apiFetch, callAction, redirectIfSignedOut } from '@/lib/browser/api-client';
import { editOwnSiteAction, withdrawSiteAction } from '@/lib/sites/actions';
import { explainRejection } from '@/lib/sites/rejection-reasons';
import type { SellerSiteRow } from '@/lib/sites/seller-view';
import { type OwnSiteChoices, ownSiteFields } from './own-site-fields';

const required = {
  name: 'Enter a name.',
  url: 'Enter the site URL.',
  country: 'Enter a country.',
  niche: 'Choose a niche.',
  price: 'Enter your price.',
};

const reviewed = 'It stays Pending until we review it.';

/** The effect of an edit, by the site's status. */
const notices = {
  Approved:
    'This site is on sale. Editing it takes it off sale until we review it again. A new price alone can apply at once.',
  Pending: 'We haven’t reviewed this site yet.',
} as const;

const awaitingPriceNotice =
  'We approved this site and are setting its price. Buyers see it once it has one. Editing it sends it back to review.';

const pausedNotice = 'You paused this site. Editing it sends it to review, and it stays paused until you resume it.';

type OwnSiteDialogProps = OwnSiteChoices &
  (
    | { site?: undefined; at: EntityDialogProps<SellerSiteRow>['at'] }
    | {
        site: SellerSiteRow;
        /** The state of the proof of its domain. */
        proof: ReactNode;
        /** The URL of the list with the dialog closed. */
        closeHref: string;
      }
  );

/** Creates or edits a seller's site. */
export function OwnSiteDialog(props: OwnSiteDialogProps) {
  const shared = {
    noun: 'site',
    fields: (site: SellerSiteRow | null) => ownSiteFields(site, props),
    validate: missingFields,
    size: 'lg',
    className: 'gap-5',
  } as const;
  if (!props.site) {
    return (
      <EntityDialog<SellerSiteRow>
        record={null}
        name={undefined}
        {...shared}
        at={props.at}
        store={{ save: create }}
        fallback={(status) => `Create failed (HTTP ${status})`}
        description="We review it before buyers see it."
      />
    );
  }
  const { site, proof, closeHref } = props;
  return (
    <EntityDialog
      record={site}
      name={site.name}
      {...shared}
      at={{ closeHref }}
      store={{
        save: (edit) => update(site, edit),
        remove: () => callAction(() => withdrawSiteAction({ id: String(site.id) })).catch(redirectIfSignedOut),
      }}
      labels={{ status: 'Status' }}
      getFormText={ownText}
      deletion={{
        words: { verb: 'Withdraw', done: 'withdrawn' },
        consequence: 'Buyers can no longer order it, and it’s removed from your list. Existing orders won’t change.',
      }}
      title={
        <span className="flex flex-wrap items-center gap-2.5">
          Edit {site.name} <SiteStatusBadge status={site.status} isAwaitingPrice={site.isAwaitingPrice} />
          <PauseBadge pause={site.pausedAt && { until: site.pausedUntil }} />
        </span>
      }
      notice={
        <div className="grid gap-3">
          <SiteNotice site={site} />
          {proof}
        </div>
      }
    />
  );
}

/** Renders the state of the site, the effect of an edit, and why the site was rejected. */
function SiteNotice({ site }: { site: SellerSiteRow }) {
  if (site.status !== 'Rejected') {
    const isPaused = site.pausedAt !== null && site.status === 'Approved';
    return <Alert>{site.isAwaitingPrice ? awaitingPriceNotice : isPaused ? pausedNotice : notices[site.status]}</Alert>;
  }
  const { reason, advice, note } = explainRejection({ reason: site.rejectionReason, note: site.rejectionNote });
  return (
    <Alert tone="warning" title={reason ? `Rejected: ${reason}` : 'This site was rejected.'}>
      {note ? <p className="whitespace-pre-wrap">{note}</p> : null}
      {advice ? <p>{advice}</p> : null}
      <p className="mt-1">Edit the site and save it to send it back to review.</p>
    </Alert>
  );
}

async function create({ data }: EntityEdit): Promise<string> {
  const body = ownSiteOf(data);
  const { name } = await apiFetch<{ name: string }>('/api/seller/sites', { method: 'POST', body }).catch(
    redirectIfSignedOut,
  );
  return `${name} added. ${reviewed}`;
}

async function update(site: SellerSiteRow, { data, version = site.version }: EntityEdit): Promise<string> {
  const { name, status } = await callAction(() =>
    editOwnSiteAction({ id: String(site.id), version, body: ownSiteOf(data) }),
  )
    .catch(redirectIfSignedOut)
    .catch(withoutPrefix);
  return status === 'Pending' ? `${name} saved. ${reviewed}` : `${name} saved.`;
}

/** Renames an error's fields to the form's names. The action's input has them under `body`. */
function withoutPrefix(cause: unknown): never {
  if (!(cause instanceof ApiError)) throw cause;
  const fields = Object.entries(cause.fields).map(([name, text]) => [name.replace(/^body\./, ''), text]);
  throw new ApiError(cause.status, cause.message, Object.fromEntries(fields));
}

function ownText(site: SellerSiteRow, field: string): string {
  if (field === 'tat') return site.tat.toLowerCase();
  if (field !== 'price') return fieldText(site, field);
  return site.sellerPriceCents === null ? '' : (site.sellerPriceCents / 100).toFixed(2);
}

/** Builds the body of POST /api/seller/sites. The server parses the numbers. */
function ownSiteOf(data: FormData) {
  const text = (name: string) => getFormText(data, name).trim();
  return {
    url: text('url'),
    name: text('name'),
    country: text('country'),
    niche: text('niche'),
    language: text('language'),
    postType: text('postType'),
    followType: text('followType'),
    tat: text('tat'),
    dr: text('dr'),
    da: text('da'),
    traffic: text('traffic'),
    spam: text('spam'),
    price: text('price'),
    samplePosts: text('samplePosts'),
    rules: text('rules'),
  };
}

function missingFields(data: FormData): FieldErrors {
  return Object.fromEntries(Object.entries(required).filter(([name]) => getFormText(data, name).trim() === ''));
}

/** Renders the button that opens the dialog for a new site. */
export function AddSite(choices: OwnSiteChoices) {
  return <AddRecord label="Add site">{(at) => <OwnSiteDialog at={at} {...choices} />}</AddRecord>;
}

/** The maximum length of a displayed error message. */
const longest = 400;

/** @param closeHref the URL of the list, where the URL opened the dialog */
export function UploadSites({ closeHref }: { closeHref?: string }) {
  return (
    <UploadCsv
      path="/api/seller/sites/upload"
      templateHref="/seller/my-sites/template"
      closeHref={closeHref}
      onRefused={redirectIfSignedOut}
      newNiches="Buyers can filter by new niches after our review."
      success="✅ CSV uploaded."
      failure={(_, message) => `❌ Upload failed: ${message.slice(0, longest) || 'Unexpected error'}`}
    />
  );
}
