'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { CardForm } from '@/components/form/card-form';
import { TextareaField } from '@/components/form/fields';
import { useLeaveWarning } from '@/components/form/unsaved-changes';
import { useApiForm } from '@/components/form/use-api-form';
import { LegalText } from '@/components/legal/legal-text';
import { Button, ButtonLink } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { TimeAgo } from '@/components/ui/time-ago';
import type { LegalKind } from '@/db/enums';
import { callAction, saveFailure } from '@/lib/browser/api-client';
import { publishLegalDocumentAction } from '@/lib/settings/actions';
import type { LegalDocument } from '@/lib/settings/legal/documents';
import { legalPaths, legalTitles, maxLegalLength } from '@/lib/settings/legal/legal';

type LegalFormProps = {
  kind: LegalKind;
  /** The newest version; null before the first, with an empty text after the end of the publication. */
  newest: LegalDocument | null;
};

/** Publishes versions of a legal document. Earlier versions stay at their addresses. */
export function LegalForm({ kind, newest }: LegalFormProps) {
  const router = useRouter();
  const stored = newest?.text ?? '';
  const version = newest?.version ?? 0;
  const [text, setText] = useState(stored);
  const [base, setBase] = useState({ text: stored, version });
  const isDirty = text !== base.text;
  useLeaveWarning(isDirty);
  // After a publication, also by another user, a form without edits shows the stored text.
  if (base.version !== version && !isDirty) {
    setBase({ text: stored, version });
    setText(stored);
  }
  const title = legalTitles[kind];

  const publish = async (next: string) => {
    try {
      const { version: published } = await callAction(() =>
        publishLegalDocumentAction({ kind, text: next, version: base.version }),
      );
      setText(next);
      setBase({ text: next, version: published });
      return published;
    } finally {
      router.refresh();
    }
  };
  const form = useApiForm({
    submit: () => publish(text.trim()),
    onSuccess: (published) => void toast.success(`${title}: version ${published} published.`),
    fallback: (status) => `Save failed (HTTP ${status})`,
  });
  const withdraw = async () => {
    await publish('').catch(saveFailure);
    toast.success(`${title}: no longer published.`);
  };

  return (
    <Card>
      <CardHeader
        title={title}
        description={
          newest && stored !== '' ? (
            <>
              Version {version}, published <TimeAgo at={newest.publishedAt} />
            </>
          ) : (
            'Not published'
          )
        }
        actions={
          stored === '' ? null : (
            <ButtonLink size="sm" href={legalPaths[kind]} target="_blank">
              View page
            </ButtonLink>
          )
        }
      />
      <CardForm
        form={form}
        className="grid-cols-[minmax(0,1fr)] gap-4"
        submitLabel={`Publish version ${base.version + 1}`}
        variant="primary"
        disabled={text.trim() === base.text || text.trim() === ''}
        actions={
          stored === '' ? null : (
            <ConfirmDialog
              trigger={<Button disabled={form.pending}>End publication</Button>}
              title={`End the publication of the ${title.toLowerCase()}?`}
              description="The page and the links to it disappear. Recorded consents are kept."
              confirmLabel="End publication"
              onConfirm={withdraw}
            />
          )
        }
      >
        <TextareaField
          name="text"
          label="Text"
          rows={12}
          maxLength={maxLegalLength}
          value={text}
          error={form.fields.text}
          hint="Plain text. Blank lines separate paragraphs. Begin a line with # or ## for a heading, and with - for an item of a list. Addresses that begin with https:// become links."
          onChange={(event) => setText(event.target.value)}
        />
        <details className="group text-sm">
          <summary className="w-fit rounded-sm py-0.5 text-accent-ink hover:underline">Preview</summary>
          <div className="mt-3 rounded-md border border-line px-4 py-3">
            {text.trim() === '' ? <p className="text-muted">No text yet.</p> : <LegalText text={text} />}
          </div>
        </details>
      </CardForm>
    </Card>
  );
}
