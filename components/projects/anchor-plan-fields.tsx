'use client';

import { useState } from 'react';
import { getFormText, TextField } from '@/components/form/fields';
import type { FieldErrors } from '@/components/form/use-api-form';
import { type AnchorKind, anchorKinds } from '@/db/enums';
import type { AnchorPlan } from '@/db/schema/anchor-plans';
import { anchorKindNames } from '@/lib/projects/anchors/kind-names';

const hints: Readonly<Record<AnchorKind, string>> = {
  brand: 'Only the brand',
  address: 'The domain or a URL',
  generic: '“Read more”, “here”',
  partial: 'A keyword and more',
  exact: 'A keyword alone',
  image: 'A linked image',
  none: 'Nothing readable',
};

const fieldOf = (kind: AnchorKind) => `plan.${kind}`;

/** Renders the percentages of an anchor plan with their sum. */
export function AnchorPlanFields({ plan, errors }: { plan: AnchorPlan; errors: FieldErrors }) {
  const [texts, setTexts] = useState(
    () => new Map<AnchorKind, string>(anchorKinds.map((kind) => [kind, String(plan[kind])])),
  );
  const sum = [...texts.values()].reduce((total, text) => total + (Number(text) || 0), 0);
  const difference = sum < 100 ? `${100 - sum}% left to assign.` : `${sum - 100}% too many.`;
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <legend className="mb-3 font-medium text-ink text-sm">Share of each kind</legend>
      <div className="grid grid-cols-2 gap-x-4 gap-y-4 sm:grid-cols-3 lg:grid-cols-4">
        {anchorKinds.map((kind) => (
          <TextField
            key={kind}
            name={fieldOf(kind)}
            label={anchorKindNames[kind]}
            type="number"
            required
            min={0}
            max={100}
            trailing="%"
            value={texts.get(kind)}
            onChange={(event) => setTexts(new Map(texts).set(kind, event.target.value))}
            error={errors[fieldOf(kind)]}
            hint={hints[kind]}
          />
        ))}
      </div>
      <p role="status" className={`text-sm tabular-nums ${sum === 100 ? 'text-muted' : 'font-medium text-red-ink'}`}>
        Total {sum}%{sum === 100 ? '' : `: ${difference}`}
      </p>
    </fieldset>
  );
}

/** Reads the percentages of a form. A text that is not a number becomes NaN, which the server refuses for its field. */
export function readAnchorPlan(data: FormData): AnchorPlan {
  const read = (kind: AnchorKind) => {
    const text = getFormText(data, fieldOf(kind)).trim();
    return text === '' ? Number.NaN : Number(text);
  };
  return {
    ...{ brand: read('brand'), address: read('address'), generic: read('generic'), partial: read('partial') },
    ...{ exact: read('exact'), image: read('image'), none: read('none') },
  };
}
