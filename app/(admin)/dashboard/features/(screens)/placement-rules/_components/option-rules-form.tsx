'use client';

import { SettingsCard } from '@/components/form/card-form';
import { getFormText, TextField } from '@/components/form/fields';
import { Checkbox } from '@/components/ui/controls';
import type { OptionKind } from '@/db/schema/site-options';
import { callAction } from '@/lib/browser/api-client';
import { parseMoney } from '@/lib/money';
import { saveOptionRulesAction } from '@/lib/settings/actions';
import type { OptionRules } from '@/lib/settings/option-rules';
import { kindNames } from '@/lib/sites/options/names';

type NumberRule = Exclude<keyof OptionRules, 'kinds'>;

/** The limits in the order of the kinds; `isAmount` for minor units that are typed as an amount. */
const limits: { name: NumberRule; label: string; hint: string; isAmount?: boolean }[] = [
  { name: 'maxGuarantees', label: 'Guarantees of a listing', hint: '1 to 10.' },
  {
    name: 'maxGuaranteeDays',
    label: 'Longest guarantee, in days',
    hint: '1 to 3,650, including extensions.',
  },
  { name: 'maxPercent', label: 'Highest surcharge, in percent', hint: '1 to 1,000, of the price of the placement.' },
  { name: 'maxCents', label: 'Highest surcharge', hint: 'In the currency of the listing.', isAmount: true },
  {
    name: 'maxCentsPer100Words',
    label: 'Highest price of 100 words',
    hint: 'In the currency of the listing.',
    isAmount: true,
  },
  {
    name: 'minWords',
    label: 'Minimum words of an article',
    hint: '0 to 10,000. A shorter article is charged as one of this length.',
  },
  { name: 'maxHomepageDays', label: 'Longest mention on the homepage, in days', hint: '1 to 365.' },
  {
    name: 'changePercent',
    label: 'Price of a paid change, in percent',
    hint: '0 to 100, of the order, if the listing sets no price.',
  },
];

const isKind = (name: string): name is OptionKind => Object.hasOwn(kindNames, name);
const kinds = Object.keys(kindNames).filter(isKind);

/** Edits what sellers can offer besides a placement, its limits and its margins. */
export function OptionRulesForm({ rules, version }: { rules: OptionRules; version: number }) {
  return (
    <SettingsCard
      className="max-w-3xl"
      title="Options of listings"
      description="What sellers can offer besides a placement. Options beyond new limits stay until their seller saves them again."
      isUnmarked
      formClassName="gap-6"
      submitLabel="Save options"
      failure="The rules of options couldn’t be saved. Please try again."
      version={version}
      submit={(data, base) => callAction(() => saveOptionRulesAction({ ...readRules(data), version: base }))}
    >
      {(errors) => (
        <>
          <fieldset className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4">
            <legend className="mb-3 font-medium text-ink text-sm">Kinds</legend>
            {kinds.map((kind) => {
              const { isOffered, marginBasisPoints } = rules.kinds[kind];
              const name = `kinds.${kind}.marginBasisPoints`;
              return (
                <div key={kind} className="grid gap-2 sm:grid-cols-2">
                  <Checkbox
                    name={`kinds.${kind}.isOffered`}
                    defaultChecked={isOffered}
                    label={<span className="text-ink text-sm">{kindNames[kind]}</span>}
                    className="sm:pt-7"
                  />
                  <TextField
                    name={name}
                    label={`Margin, in percent (${kindNames[kind].toLowerCase()})`}
                    type="number"
                    min={0}
                    step="0.01"
                    placeholder="As the listing’s price"
                    defaultValue={marginBasisPoints === null ? '' : String(marginBasisPoints / 100)}
                    error={errors[name]}
                  />
                </div>
              );
            })}
            <p className="text-muted text-xs">
              The margin is added to the seller’s price. Empty: the buyer pays in the ratio of the listing’s two prices,
              and a percentage of the public price.
            </p>
          </fieldset>
          <fieldset className="grid min-w-0 content-start gap-4 sm:grid-cols-2">
            <legend className="mb-3 font-medium text-ink text-sm">Limits</legend>
            {limits.map(({ name, label, hint, isAmount }) => (
              <TextField
                key={name}
                name={name}
                label={label}
                required
                type="number"
                min={0}
                {...(isAmount && { step: '0.01', currency: 'USD' })}
                defaultValue={isAmount ? (rules[name] / 100).toFixed(2) : String(rules[name])}
                error={errors[name]}
                hint={hint}
              />
            ))}
          </fieldset>
        </>
      )}
    </SettingsCard>
  );
}

/** Reads the form. A text that is not a number becomes NaN, which the server refuses for its field. */
function readRules(data: FormData): OptionRules {
  const text = (name: string) => getFormText(data, name).trim();
  const kindOf = (kind: OptionKind): OptionRules['kinds'][OptionKind] => ({
    isOffered: data.has(`kinds.${kind}.isOffered`),
    marginBasisPoints: readMargin(text(`kinds.${kind}.marginBasisPoints`)),
  });
  const number = (name: NumberRule) => readNumber(text(name));
  const amount = (name: NumberRule) => parseMoney(text(name)) ?? Number.NaN;
  return {
    kinds: {
      guarantee: kindOf('guarantee'),
      topic: kindOf('topic'),
      writing: kindOf('writing'),
      homepage: kindOf('homepage'),
      change: kindOf('change'),
    },
    maxGuarantees: number('maxGuarantees'),
    maxGuaranteeDays: number('maxGuaranteeDays'),
    maxHomepageDays: number('maxHomepageDays'),
    maxPercent: number('maxPercent'),
    maxCents: amount('maxCents'),
    maxCentsPer100Words: amount('maxCentsPer100Words'),
    minWords: number('minWords'),
    changePercent: number('changePercent'),
  };
}

const readNumber = (text: string) => (text === '' ? Number.NaN : Number(text));

/** Reads "12.5" as 1,250 hundredths of a percent; null for an empty text. */
const readMargin = (text: string) => (text === '' ? null : (parseMoney(text) ?? Number.NaN));
