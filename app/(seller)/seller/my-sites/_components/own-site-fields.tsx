import { SelectField } from '@/components/form/select-field';
import { TextField } from '@/components/form/text-field';
import type { FieldErrors } from '@/components/form/use-api-form';
import { countries } from '@/components/projects/countries';

export type OwnSiteChoices = { niches: readonly string[]; postTypes: readonly string[] };

const same = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

/** What a seller says about a site (spec 000, section 5). */
export function OwnSiteFields({ niches, postTypes, errors }: OwnSiteChoices & { errors: FieldErrors }) {
  const text = (name: string, label: string, more = {}) => (
    <TextField name={name} label={label} autoComplete="off" error={errors[name]} {...more} />
  );
  const number = (name: string, label: string, more = {}) => text(name, label, { inputMode: 'decimal', ...more });
  return (
    <>
      <div className="grid content-start gap-4 sm:grid-cols-2">
        {text('name', 'Name', { required: true, maxLength: 200 })}
        {text('url', 'URL', {
          required: true,
          inputMode: 'url',
          spellCheck: false,
          placeholder: 'https://example.com',
        })}
        {text('country', 'Country', { required: true, list: 'own-site-countries', placeholder: 'USA', maxLength: 100 })}
        <SelectField
          name="niche"
          label="Niche"
          required
          placeholder="Choose a niche"
          options={same(niches)}
          error={errors.niche}
        />
        {number('price', 'Your price', {
          required: true,
          leading: '$',
          trailing: 'USD',
          hint: 'What you want for one placement',
        })}
        {text('tat', 'Turnaround', { placeholder: '5 Days', maxLength: 100 })}
        <SelectField
          name="postType"
          label="Post type"
          defaultValue={postTypes[0]}
          options={same(postTypes)}
          error={errors.postType}
        />
        <SelectField
          name="followType"
          label="Follow type"
          defaultValue="DoFollow"
          options={same(['DoFollow', 'NoFollow'])}
          error={errors.followType}
        />
        {text('language', 'Language', { placeholder: 'English', maxLength: 100 })}
      </div>
      <div className="grid grid-cols-2 content-start gap-4 sm:grid-cols-4">
        {number('dr', 'DR')}
        {number('da', 'DA')}
        {number('traffic', 'Traffic a month')}
        {number('spam', 'Spam score', { trailing: '%' })}
      </div>
      <datalist id="own-site-countries">
        {countries.map((country) => (
          <option key={country} value={country} />
        ))}
      </datalist>
    </>
  );
}
