'use client';

import type { ReactNode } from 'react';
import { EntityDialog, restEntity } from '@/components/form/entity-dialog';
import type { AdminSiteView } from '@/lib/sites/views';
import { fieldNames, siteFieldText } from './site-field-text';
import { type SiteChoices, SiteFields } from './site-fields';
import { tickStore } from './tick-store';

export type { SiteChoices };

type SiteEditorProps = SiteChoices & {
  /** Null for a new one. */
  site: AdminSiteView | null;
  /** The list's address without the site. */
  closeHref: string;
  /** Rendered on the server. */
  history?: ReactNode;
};

/** The add and edit dialog of a site. */
export function SiteEditor({ site, closeHref, history, ...choices }: SiteEditorProps) {
  return (
    <EntityDialog
      record={site}
      name={site?.name}
      noun="site"
      at={{ closeHref }}
      store={restEntity('/api/guest-posts', site)}
      labels={fieldNames}
      textOf={siteFieldText}
      shownAs={(row, field) => (field === 'userId' ? row.userName : siteFieldText(row, field))}
      deletion={{
        consequence: 'It leaves every list, the seller’s too. Orders that were placed on it stay.',
        onDeleted: () => tickStore.write(tickStore.read().filter((id) => id !== site?.id)),
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
