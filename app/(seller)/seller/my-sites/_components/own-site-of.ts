import { textOf } from '@/components/form/text-of';
import type { FieldErrors } from '@/components/form/use-api-form';

const required = {
  name: 'Enter a name.',
  url: 'Enter the address of the site.',
  country: 'Enter a country.',
  niche: 'Choose a niche.',
  price: 'Enter your price.',
};

/** The body of POST /api/seller/sites: figures as numbers, or empty when blank or non-numeric (spec 000, section 5). */
export function ownSiteOf(data: FormData) {
  const text = (name: string) => textOf(data, name).trim();
  const number = (name: string) => (text(name) === '' || Number.isNaN(Number(text(name))) ? '' : Number(text(name)));
  return {
    url: text('url'),
    name: text('name'),
    country: text('country'),
    niche: text('niche'),
    language: text('language'),
    postType: text('postType'),
    followType: text('followType'),
    tat: text('tat'),
    dr: number('dr'),
    da: number('da'),
    traffic: number('traffic'),
    spam: number('spam'),
    price: number('price'),
  };
}

export function missingFields(data: FormData): FieldErrors {
  return Object.fromEntries(Object.entries(required).filter(([name]) => textOf(data, name).trim() === ''));
}
