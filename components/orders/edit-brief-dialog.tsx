'use client';

import { useRef, useState } from 'react';
import { EntityDialog } from '@/components/form/entity-dialog';
import { getFormText } from '@/components/form/fields';
import type { FieldErrors } from '@/components/form/use-api-form';
import { Alert } from '@/components/ui/alert';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import { formatRelConflict, hasRelConflict } from '@/lib/orders/briefs/rel-conflict';
import { type BriefView, relNames, writerNames } from './brief-card';
import { type BriefTexts, emptyBrief, toBriefRequest } from './brief-draft';
import { BriefFields, briefLabels } from './brief-fields';

type EditBriefDialogProps = {
  orderId: number;
  /** Null for an order without a brief. */
  brief: BriefView | null;
  follow: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

type BriefRecord = BriefTexts & { id: number; version: number };

/** Edits the brief of an order. The server refuses it once the order is accepted. */
export function EditBriefDialog({ orderId, brief, follow, open, onOpenChange }: EditBriefDialogProps) {
  const isUploading = useRef(false);
  const path = `/api/orders/${orderId}/brief`;
  return (
    <EntityDialog<BriefRecord>
      record={toRecord(orderId, brief)}
      name={`the brief of order #${orderId}`}
      noun="brief"
      at={{ open, onOpenChange }}
      store={{
        save: async ({ data, version }) => {
          const body = { ...briefOf(data), version };
          await apiFetch(path, { method: 'PUT', body }).catch(redirectIfSignedOut);
          return 'Brief saved.';
        },
      }}
      labels={{ ...briefLabels, articleFileName: 'Article file' }}
      shownAs={(row, field) => namesOf(field)[textOf(row, field)] ?? textOf(row, field)}
      validate={(): FieldErrors => (isUploading.current ? { articleId: 'Wait until the article is uploaded.' } : {})}
      description="You can change the brief until the order is accepted."
      fallback={() => 'The brief could not be saved. Try again.'}
      size="lg"
    >
      {(row, errors) =>
        row ? (
          <EditFields
            row={row}
            errors={errors}
            follow={follow}
            onUploading={(now) => {
              isUploading.current = now;
            }}
          />
        ) : null
      }
    </EntityDialog>
  );
}

type EditFieldsProps = {
  row: BriefRecord;
  errors: FieldErrors;
  follow: boolean;
  onUploading: (isUploading: boolean) => void;
};

/** Renders the fields of the dialog. The form mounts them again for another version of the brief. */
function EditFields({ row, errors, follow, onUploading }: EditFieldsProps) {
  const [texts, setTexts] = useState<BriefTexts>(row);
  return (
    <>
      <BriefFields
        legend="Brief"
        texts={texts}
        onEdit={(changes) => setTexts((before) => ({ ...before, ...changes }))}
        onUploading={onUploading}
        errors={errors}
      />
      {hasRelConflict(texts.rel, { follow }) ? <Alert tone="warning">{formatRelConflict(['This site'])}</Alert> : null}
      <input type="hidden" name="articleId" value={texts.articleId} />
      <input type="hidden" name="articleFileName" value={texts.articleFileName} />
    </>
  );
}

/**
 * Converts a brief to the record of the dialog. The stored article has a name and no id here, because an absent
 * `articleId` keeps it.
 */
function toRecord(orderId: number, brief: BriefView | null): BriefRecord {
  if (!brief) return { id: orderId, version: 0, ...emptyBrief };
  const { words, notBefore, articleFileName, version, ...texts } = brief;
  return {
    ...texts,
    id: orderId,
    version,
    words: words === null ? '' : String(words),
    notBefore: notBefore ?? '',
    articleId: '',
    articleFileName: articleFileName ?? '',
    // The order keeps its options.
    options: '',
  };
}

/** Returns the request of the whole form. */
function briefOf(data: FormData) {
  const names = Object.keys(briefLabels);
  const texts = Object.fromEntries(names.map((name) => [name, getFormText(data, name)]));
  const articleId = getFormText(data, 'articleId');
  const keepsArticle = articleId === '' && getFormText(data, 'articleFileName') !== '';
  return toBriefRequest({ ...texts, ...(!keepsArticle && { articleId }) });
}

const textOf = (row: BriefRecord, field: string) => String(new Map(Object.entries(row)).get(field) ?? '');
const namesOf = (field: string): Readonly<Record<string, string>> =>
  field === 'writer' ? writerNames : field === 'rel' ? relNames : {};
