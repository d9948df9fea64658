import { SelectField, TextField } from '@/components/form/fields';
import type { FieldErrors } from '@/components/form/use-api-form';
import { DetailFields, includeCurrent, toOptions } from '@/components/sites/site-fields';
import type { SellerSiteRow } from '@/lib/sites/seller-view';
import { countries } from '@/lib/taxonomy/countries';

export type OwnSiteChoices = { niches: readonly string[]; postTypes: readonly string[] };

type OwnSiteFieldsProps = OwnSiteChoices & {
  /** The initial values; null for a new site. */
  site: SellerSiteRow | null;
  errors: FieldErrors;
};

/** The form fields of a seller's site. */
export function OwnSiteFields({ site, niches, postTypes, errors }: OwnSiteFieldsProps) {
  const filled = site ? own(site) : {};
  const text = (name: string, label: string, more = {}) => (
    <TextField
      name={name}
      label={label}
      autoComplete="off"
      defaultValue={filled[name] ?? ''}
      error={errors[name]}
      {...more}
    />
  );
  const currency = site?.currency ?? 'USD';
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
          defaultValue={site?.niche ?? ''}
          options={toOptions(includeCurrent(niches, site?.niche))}
          error={errors.niche}
        />
        {number('price', 'Your price', {
          required: true,
          leading: currency === 'USD' ? '$' : undefined,
          trailing: currency,
          hint: 'Per placement',
        })}
        {text('tat', 'Turnaround', { placeholder: '5 Days', maxLength: 100 })}
        <SelectField
          name="postType"
          label="Post type"
          defaultValue={site?.postType ?? postTypes[0]}
          options={toOptions(includeCurrent(postTypes, site?.postType))}
          error={errors.postType}
        />
        <SelectField
          name="followType"
          label="Follow type"
          defaultValue={site?.followType ?? 'DoFollow'}
          options={toOptions(['DoFollow', 'NoFollow'])}
          error={errors.followType}
        />
        {text('language', 'Language', { placeholder: 'English', maxLength: 100 })}
      </div>
      <div className="grid grid-cols-2 content-start gap-4 sm:grid-cols-4">
        {number('dr', 'DR')}
        {number('da', 'DA')}
        {number('traffic', 'Monthly traffic')}
        {number('spam', 'Spam score', { trailing: '%' })}
      </div>
      <div className="grid content-start gap-4 sm:grid-cols-2">
        <DetailFields
          samplePosts={site?.samplePosts ?? ''}
          rules={site?.rules ?? ''}
          rulesHint="What you accept: topics, links, languages. Buyers see this text, so leave out contact data and your price."
          errors={errors}
        />
      </div>
      <datalist id="own-site-countries">
        {countries.map((country) => (
          <option key={country} value={country} />
        ))}
      </datalist>
    </>
  );
}

/** Formats a site's values for the form fields. */
function own(site: SellerSiteRow): Record<string, string | number | null> {
  const { name, url, country, tat, language, dr, da, traffic, spam } = site;
  const price = site.sellerPriceCents === null ? '' : (site.sellerPriceCents / 100).toFixed(2);
  return { name, url, country, tat, language, dr, da, traffic, spam, price };
}
