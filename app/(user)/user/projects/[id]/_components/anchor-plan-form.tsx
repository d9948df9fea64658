'use client';

import { useRouter } from 'next/navigation';
import { useDeferredValue, useId, useMemo, useState } from 'react';
import { toast } from 'sonner';
import { CardForm } from '@/components/form/card-form';
import { TextareaField } from '@/components/form/fields';
import { StaleAlert, useLeaveWarning } from '@/components/form/unsaved-changes';
import { useApiForm } from '@/components/form/use-api-form';
import { AnchorPlanFields, readAnchorPlan } from '@/components/projects/anchor-plan-fields';
import { Badge } from '@/components/ui/badge';
import { Card, CardHeader } from '@/components/ui/card';
import { ApiError, apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import { type AnchorSubject, createClassifier } from '@/lib/projects/anchors/classify-anchor';
import type { AnchorPlanView } from '@/lib/projects/anchors/contract';
import { anchorKindNames } from '@/lib/projects/anchors/kind-names';

type StoredPlan = Pick<AnchorPlanView, 'plan' | 'brandWords' | 'version'> & { pool: readonly string[] };

type AnchorPlanFormProps = {
  projectId: string;
  stored: StoredPlan;
  /** What anchors are compared with, without the brand words of the plan. */
  subject: AnchorSubject;
};

const toLines = (texts: readonly string[]) => texts.join('\n');
const readLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
const toStored = ({ pool, ...view }: AnchorPlanView): StoredPlan => ({ ...view, pool: pool.map(({ text }) => text) });

/** Edits the anchor plan of a project. A change in another tab is shown before one replaces it. */
export function AnchorPlanForm({ projectId, stored, subject }: AnchorPlanFormProps) {
  const router = useRouter();
  const id = useId();
  const path = `/api/user/projects/${projectId}/anchor-plan`;
  const [base, setBase] = useState(stored);
  /** The React key of the percentages. */
  const [round, setRound] = useState(0);
  const [brandWords, setBrandWords] = useState(toLines(stored.brandWords));
  const [pool, setPool] = useState(toLines(stored.pool));
  const [theirs, setTheirs] = useState<StoredPlan | null>(null);
  const [isEdited, setEdited] = useState(false);
  useLeaveWarning(isEdited);

  const show = (next: StoredPlan) => {
    setBase(next);
    setBrandWords(toLines(next.brandWords));
    setPool(toLines(next.pool));
    setRound(round + 1);
    setTheirs(null);
    setEdited(false);
  };
  if (stored.version > base.version && !isEdited) show(stored);

  const form = useApiForm<AnchorPlanView>({
    submit: async (data) => {
      const texts = readLines(pool);
      const words = readLines(brandWords);
      const body = {
        ...{ plan: readAnchorPlan(data), brandWords: words, pool: texts.map((text) => ({ text })) },
        version: base.version,
      };
      return apiFetch<AnchorPlanView>(path, { method: 'PUT', body }).catch(async (cause: unknown) => {
        if (cause instanceof ApiError && cause.status === 409) setTheirs(toStored(await apiFetch(path)));
        if (cause instanceof ApiError) throw nameLines(cause, { pool: texts, brandWords: words });
        return redirectIfSignedOut(cause);
      });
    },
    onSuccess: (saved) => {
      setBase(toStored(saved));
      setTheirs(null);
      setEdited(false);
      toast.success('Anchor plan saved.');
      router.refresh();
    },
    fallback: () => 'The anchor plan couldn’t be saved. Please try again.',
  });

  return (
    <Card aria-labelledby={id}>
      <CardHeader
        title={<span id={id}>Plan</span>}
        description={
          base.version === 0
            ? 'This project follows the plan of the marketplace until you save your own.'
            : 'Anchors are proposed so that the links of this project approach these shares.'
        }
      />
      <CardForm
        form={form}
        data-unmarked=""
        className="gap-6"
        submitLabel="Save plan"
        variant="primary"
        onInput={(event) => {
          form.formProps.onInput(event);
          setEdited(true);
        }}
      >
        {theirs ? (
          <StaleAlert
            title="This plan was changed elsewhere"
            onKeepMine={() => {
              setBase({ ...base, version: theirs.version });
              setTheirs(null);
              form.reset();
            }}
            onUseTheirs={() => {
              show(theirs);
              form.reset();
            }}
          >
            <p>Nothing was saved, and your edits are kept. Saving after “Keep mine” replaces the other change.</p>
          </StaleAlert>
        ) : null}
        <AnchorPlanFields key={round} plan={base.plan} errors={form.fields} />
        <TextareaField
          name="brandWords"
          label="Brand words"
          rows={3}
          value={brandWords}
          onChange={(event) => setBrandWords(event.target.value)}
          error={form.fields.brandWords}
          hint={`One a line. The name in ${subject.domain} counts by itself.`}
        />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
          <TextareaField
            name="pool"
            label="Texts to propose"
            rows={10}
            value={pool}
            onChange={(event) => setPool(event.target.value)}
            error={form.fields.pool}
            hint="One a line, typed or pasted. For a kind without texts, the brand words, the domain and the keywords are used."
          />
          <PoolKinds pool={pool} brandWords={brandWords} subject={subject} />
        </div>
      </CardForm>
    </Card>
  );
}

/** Lists the texts of the pool with their kinds, as they are typed. */
function PoolKinds(typed: { pool: string; brandWords: string; subject: AnchorSubject }) {
  const { pool, brandWords, subject } = useDeferredValue(typed);
  const id = useId();
  const classify = useMemo(
    () => createClassifier({ ...subject, brandWords: [...readLines(brandWords), ...subject.brandWords] }),
    [brandWords, subject],
  );
  const texts = [...new Set(readLines(pool))];
  return (
    <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] content-start gap-1.5">
      <h3 id={id} className="font-medium text-ink text-sm">
        Kinds of these texts
      </h3>
      {texts.length > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by the keyboard.
        <ul tabIndex={0} aria-labelledby={id} className="max-h-64 overflow-y-auto rounded-lg border border-line">
          {texts.map((text) => (
            <li
              key={text}
              className="flex items-center justify-between gap-3 border-line border-b px-3 py-1.5 text-sm last:border-b-0"
            >
              <span className="min-w-0 wrap-anywhere text-ink">{text}</span>
              <Badge className="shrink-0">{anchorKindNames[classify({ anchor: text, isImage: false })]}</Badge>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-muted text-sm">No texts yet.</p>
      )}
    </section>
  );
}

/** Returns the error of a line as one of its field, which quotes the line: `pool.2.text` is the third text of the pool. */
function nameLines(cause: ApiError, lists: Readonly<Record<'pool' | 'brandWords', readonly string[]>>): ApiError {
  const fields = Object.fromEntries(
    Object.entries(cause.fields).map(([name, message]) => {
      const [, field, index] = /^(pool|brandWords)\.(\d+)/.exec(name) ?? [];
      if (field !== 'pool' && field !== 'brandWords') return [name, message];
      return [field, `“${(lists[field][Number(index)] ?? '').slice(0, 40)}”: ${message}`];
    }),
  );
  return new ApiError(cause.status, cause.message, fields, cause.url, cause.code);
}
