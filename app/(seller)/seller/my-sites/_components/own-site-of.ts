import { textOf } from '@/components/form/text-of';
import type { FieldErrors } from '@/components/form/use-api-form';

const texts = ['url', 'name', 'country', 'niche', 'language', 'postType', 'followType', 'tat'] as const;
const numbers = ['dr', 'da', 'traffic', 'spam', 'price'] as const;
const required = {
  name: 'Enter a name.',
  url: 'Enter the address of the site.',
  country: 'Enter a country.',
  niche: 'Choose a niche.',
  price: 'Enter your price.',
};

/** The body of POST /api/seller/sites: figures as numbers, or empty when blank or non-numeric (spec 000, section 5). */
export function ownSiteOf(data: FormData): Record<string, string | number> {
  const numberOf = (name: string) => {
    const text = textOf(data, name).trim();
    return text === '' || Number.isNaN(Number(text)) ? '' : Number(text);
  };
  return {
    ...Object.fromEntries(texts.map((name) => [name, textOf(data, name).trim()])),
    ...Object.fromEntries(numbers.map((name) => [name, numberOf(name)])),
  };
}

export function missingFields(data: FormData): FieldErrors {
  return Object.fromEntries(Object.entries(required).filter(([name]) => textOf(data, name).trim() === ''));
}
