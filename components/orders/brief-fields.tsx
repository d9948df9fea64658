'use client';

import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { SelectField, TextareaField, TextField } from '@/components/form/fields';
import { IconButton } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { FileDrop } from '@/components/ui/file-drop';
import { Icon } from '@/components/ui/icon';
import { Progress } from '@/components/ui/progress';
import { ApiError, redirectIfSignedOut } from '@/lib/browser/api-client';
import { sendFile } from '@/lib/browser/upload';
import { maxAnchorLength, maxDaysAhead, wordsRange } from '@/lib/orders/briefs/limits';
import { relNames, writerNames } from './brief-card';
import type { BriefEdit, BriefTexts } from './brief-draft';
import type { OrderFailure } from './order-failure';
import { ProposeAnchor } from './propose-anchor';
import type { OrderBrief } from './use-brief-draft';

/** The labels of a brief's fields. */
export const briefLabels = {
  targetUrl: 'Target URL',
  anchor: 'Anchor text',
  writer: 'Article',
  rel: 'Link attribute',
  words: 'Words',
  notBefore: 'Publish from',
  notes: 'Notes for the publisher',
} as const;

const options = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

const writerOptions = options({ ...writerNames, buyer: 'I provide the article' });
export const relOptions = options(relNames);

const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

type BriefFieldsProps = {
  /** The group's accessible name. */
  legend: string;
  texts: BriefTexts;
  onEdit: (changes: BriefEdit) => void;
  onUploading: (isUploading: boolean) => void;
  /** The errors of the form by field name. */
  errors: Readonly<Record<string, string>>;
  /** The prefix of the field names, e.g. "brief." */
  prefix?: string;
  /** The project whose anchor plan proposes the text, '' for none yet; without it nothing is proposed. */
  projectId?: string;
};

/** Renders the fields of a brief, for an order or one of its sites. */
export function BriefFields(props: BriefFieldsProps) {
  const { legend, texts, onEdit, onUploading, errors, prefix = '', projectId } = props;
  /** The common props of a text or select field. */
  const field = (name: keyof typeof briefLabels) => {
    const error = errors[prefix + name];
    return {
      name: prefix + name,
      label: briefLabels[name],
      value: texts[name],
      onChange: (event: { target: { value: string } }) => onEdit({ [name]: event.target.value }),
      ...(error && { error }),
    };
  };
  return (
    <fieldset className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      <legend className="sr-only">{legend}</legend>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
        <TextField
          {...field('targetUrl')}
          inputMode="url"
          autoComplete="off"
          placeholder="https://example.com/page"
          hint="Leave empty to use the project’s target URL."
        />
        <TextField
          {...field('anchor')}
          aside={
            projectId === undefined ? null : (
              <ProposeAnchor projectId={projectId} onPropose={(anchor) => onEdit({ anchor })} />
            )
          }
          autoComplete="off"
          maxLength={maxAnchorLength}
          hint="Leave empty to let the publisher choose."
        />
        <SelectField {...field('writer')} options={writerOptions} />
        <SelectField {...field('rel')} options={relOptions} />
        <TextField
          {...field('words')}
          type="number"
          min={wordsRange.min}
          max={wordsRange.max}
          placeholder="Site’s usual"
        />
        <TextField {...field('notBefore')} type="date" min={dayAfter(0)} max={dayAfter(maxDaysAhead)} />
      </div>
      <ArticleOfBuyer texts={texts} error={errors[`${prefix}articleId`]} onEdit={onEdit} onUploading={onUploading} />
      <TextareaField {...field('notes')} rows={3} placeholder="Topic, tone, what to avoid" />
    </fieldset>
  );
}

type ArticleOfBuyerProps = Pick<BriefFieldsProps, 'texts' | 'onEdit' | 'onUploading'> & { error: string | undefined };

/** Renders the upload of the article, where the buyer writes it. */
function ArticleOfBuyer({ texts, error, onEdit, onUploading }: ArticleOfBuyerProps) {
  if (texts.writer !== 'buyer') return null;
  return (
    <ArticleField
      fileName={texts.articleFileName}
      error={error}
      onUploading={onUploading}
      onChange={(articleId, articleFileName) => onEdit({ articleId, articleFileName })}
    />
  );
}

/** Renders who writes the article, and its upload. */
export function WriterFields({ texts, error, onEdit, onUploading }: ArticleOfBuyerProps) {
  return (
    <>
      <SelectField
        name="writer"
        label={briefLabels.writer}
        options={writerOptions}
        value={texts.writer}
        onChange={(event) => onEdit({ writer: event.target.value })}
      />
      <ArticleOfBuyer texts={texts} error={error} onEdit={onEdit} onUploading={onUploading} />
    </>
  );
}

/** The accepted types, as lib/orders/deliverables/file-kind.ts checks them by content. */
const articleEndings = '.docx,.odt,.html,.htm,.md,.txt,.pdf';

type ArticleFieldProps = {
  /** '' without an article. */
  fileName: string;
  error: string | undefined;
  onChange: (id: string, fileName: string) => void;
  onUploading: (isUploading: boolean) => void;
};

/** Uploads the buyer's article at once. The brief then names it by its id. */
function ArticleField({ fileName, error, onChange, onUploading }: ArticleFieldProps) {
  const errorId = useId();
  const [share, setShare] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const upload = useRef<AbortController>(null);
  useEffect(() => () => upload.current?.abort(), []);
  /** Fields can be edited during the upload, so its end calls the callback of the newest render. */
  const change = useRef(onChange);
  useEffect(() => {
    change.current = onChange;
  });

  const start = async (file: File) => {
    const controller = new AbortController();
    upload.current = controller;
    setFailure(null);
    setShare(0);
    onUploading(true);
    try {
      const article = await sendFile<{ id: string; fileName: string }>('/api/brief-articles', file, {
        onProgress: setShare,
        signal: controller.signal,
      }).catch(redirectIfSignedOut);
      change.current(article.id, article.fileName);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      if (!controller.signal.aborted) setFailure(cause.message || 'The upload failed. Try again.');
    } finally {
      setShare(null);
      onUploading(false);
    }
  };

  const shown = failure ?? error;
  return (
    <div className="grid gap-1.5">
      <p className="font-medium text-ink text-sm">Article file</p>
      {fileName ? (
        <div className="flex min-w-0 items-center gap-2 rounded-lg border border-line px-3 py-2 text-sm">
          <Icon name="file-text" className="text-subtle" />
          <span className="mr-auto min-w-0 truncate text-ink">{fileName}</span>
          <IconButton label={`Remove ${fileName}`} onClick={() => onChange('', '')}>
            <Icon name="x" />
          </IconButton>
        </div>
      ) : (
        <FileDrop
          prompt="Choose your article or drop it here"
          limits="Word, ODT, HTML, Markdown, text or PDF, up to 25 MB"
          accept={articleEndings}
          disabled={share !== null}
          aria-invalid={shown ? true : undefined}
          aria-describedby={shown ? errorId : undefined}
          onFile={(file) => file && void start(file)}
        />
      )}
      {share === null ? null : <Progress value={share * 100} label="Upload of the article" />}
      {shown ? (
        <div role="alert">
          <FieldError id={errorId}>{shown}</FieldError>
        </div>
      ) : null}
      <p className="text-muted text-xs">
        You can also attach the article later, until the order is accepted. The publisher receives the file unchanged;
        it may contain the name of its author.
      </p>
    </div>
  );
}

type BriefSectionProps = {
  briefs: OrderBrief;
  errors: Readonly<Record<string, string>>;
  /** Called when the brief changes. */
  onChange: () => void;
  /** The project of the order; '' for none yet. */
  projectId: string;
};

/** Renders the brief in the form of an order. */
export function BriefSection({ briefs, errors, onChange, projectId }: BriefSectionProps) {
  return (
    <section aria-label="Brief">
      <h3 className="text-ink text-sm">Brief</h3>
      <p className="mt-0.5 mb-3 text-muted text-sm">What to publish. You can change it until the order is accepted.</p>
      <BriefFields
        legend="Brief"
        prefix="brief."
        texts={briefs.common}
        projectId={projectId}
        errors={errors}
        onUploading={briefs.setUploading}
        onEdit={(changes) => {
          briefs.edit(changes);
          onChange();
        }}
      />
    </section>
  );
}

/** The message that refuses an order during an upload. */
export const uploadingMessage = 'Wait until the article is uploaded.';

/** Focuses the first invalid field inside an element when a request was refused because of fields. */
export function useFocusInvalid(failure: OrderFailure | null): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failure?.fields) root.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [failure]);
  return root;
}
