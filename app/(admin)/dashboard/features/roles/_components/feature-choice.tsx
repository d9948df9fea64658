'use client';

import { useState } from 'react';
import { Checkbox } from '@/components/ui/checkbox';
import { FieldError } from '@/components/ui/field';

type FeatureChoiceProps = {
  choices: readonly { name: string; opens: string }[];
  chosen: readonly string[];
  error?: string;
};

/** The features as boxes to tick; sent as one text, in the order of the list. */
export function FeatureChoice({ choices, chosen: before, error }: FeatureChoiceProps) {
  const [chosen, setChosen] = useState(before);
  const inOrder = choices.map(({ name }) => name).filter((name) => chosen.includes(name));
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1.5 font-medium text-ink text-sm">Features</legend>
      {choices.map(({ name, opens }) => (
        <Checkbox
          key={name}
          checked={chosen.includes(name)}
          onChange={(event) =>
            setChosen(event.target.checked ? [...chosen, name] : chosen.filter((other) => other !== name))
          }
          label={
            <>
              <span className="block text-ink text-sm">{name}</span>
              <span className="block text-muted text-xs">{opens}</span>
            </>
          }
        />
      ))}
      <input type="hidden" name="features" value={inOrder.join(', ')} />
      {error ? <FieldError>{error}</FieldError> : null}
    </fieldset>
  );
}
