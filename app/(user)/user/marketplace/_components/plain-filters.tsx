import {
  checkFilters,
  choiceFilters,
  linkFilter,
  marketplacePath,
  rangeFilters,
  type SiteChoices,
} from '@/components/sites/filters/filter-params';
import type { ReadParam } from '@/components/sites/filters/list-active-filters';
import { oneParam, type SearchParams, withParams } from '@/components/table/url';
import { Button, ButtonLink } from '@/components/ui/button';
import { Checkbox, Input, Select } from '@/components/ui/controls';
import { Field } from '@/components/ui/field';

/** The parameter of the URL that shows the form. */
const plainParam = 'filters';
export const isPlain = (params: SearchParams) => oneParam(params, plainParam) === 'all';

/** The parameters of the list that the form keeps. */
const kept = ['postType', 'sort', 'order', 'show', 'view', 'rows', 'projectId', 'hideLinked', 'blocked'];

/** Renders the link to the form, in a browser without JavaScript. */
export const PlainFiltersLink = ({ params }: { params: SearchParams }) => (
  <noscript>
    <ButtonLink href={withParams(marketplacePath, params, { [plainParam]: 'all' })} size="sm" className="mb-3">
      All filters
    </ButtonLink>
  </noscript>
);

type PlainFiltersProps = { choices: SiteChoices; read: ReadParam };

/** Renders all filters as a form with a submit button, which needs no JavaScript. */
export function PlainFilters({ choices, read }: PlainFiltersProps) {
  return (
    <form
      action={marketplacePath}
      aria-label="All filters"
      className="mb-3 grid gap-4 rounded-lg border border-line bg-surface p-4 sm:grid-cols-2 lg:grid-cols-4"
    >
      {kept.flatMap((name) =>
        read(name).map((value) => <input key={`${name} ${value}`} type="hidden" name={name} value={value} />),
      )}
      <Field label="Name or URL">
        {(control) => <Input {...control} type="search" name="q" defaultValue={read('q')[0]} />}
      </Field>
      {choiceFilters.map(({ label, param }) => (
        <Field key={param} label={label} hint="Select several with Ctrl or ⌘.">
          {(control) => (
            <select
              {...control}
              name={param}
              multiple
              size={4}
              defaultValue={[...read(param)]}
              className="control h-auto"
            >
              {choices[param].map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Field>
      ))}
      <Field label={linkFilter.label}>
        {(control) => (
          <Select {...control} name={linkFilter.param} defaultValue={read(linkFilter.param)[0]}>
            <option value="">{linkFilter.all}</option>
            {choices.followType.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        )}
      </Field>
      {rangeFilters.map(({ label, unit, min, max }) => (
        <fieldset key={label} className="min-w-0">
          <legend className="mb-1.5 font-medium text-ink text-sm">
            {label} {unit ? <span className="font-normal text-muted">{unit}</span> : null}
          </legend>
          <div className="flex gap-1.5">
            {[min, max].map((name, index) => (
              <Input
                key={name}
                name={name}
                inputMode="decimal"
                defaultValue={read(name)[0]}
                aria-label={`${label} ${index === 0 ? 'at least' : 'at most'}`}
                placeholder={index === 0 ? 'Min' : 'Max'}
              />
            ))}
          </div>
        </fieldset>
      ))}
      {checkFilters.map(({ label, param, values }) => (
        <fieldset key={param} className="min-w-0 text-ink text-sm">
          <legend className="mb-1.5 font-medium">{label}</legend>
          {Object.entries(values).map(([value, name]) => (
            <Checkbox
              key={value}
              name={param}
              value={value}
              defaultChecked={read(param).includes(value)}
              label={name || 'Yes'}
              className="mr-4"
            />
          ))}
        </fieldset>
      ))}
      <Button type="submit" variant="primary" className="self-end justify-self-start">
        Show sites
      </Button>
    </form>
  );
}
