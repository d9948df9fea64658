import countries from 'i18n-iso-countries/index';
import { describe, expect, it } from 'vitest';
import { countries as listed } from '@/lib/taxonomy/countries';
import { findCountry } from '@/lib/taxonomy/find-country';

describe('the country of a site', () => {
  it.each([
    ['UK', 'United Kingdom'],
    ['gb', 'United Kingdom'],
    ['GBR', 'United Kingdom'],
    ['Great Britain', 'United Kingdom'],
    ['England', 'United Kingdom'],
    ['US', 'USA'],
    ['U.S.A.', 'USA'],
    ['united states', 'USA'],
    ['Deutschland', 'Germany'],
    ['Österreich', 'Austria'],
    ['España', 'Spain'],
    ['Türkiye', 'Turkey'],
    ['Côte d’Ivoire', 'Ivory Coast'],
    ['Czech Republic', 'Czechia'],
    ['Holland', 'Netherlands'],
    ['global', 'Worldwide'],
  ])('%s is %s', (text, name) => expect(findCountry(text)).toBe(name));

  it.each(['', 'Atlantis', 'US, UK', 'constructor', 'ZZ', '12'])('%j is unknown', (text) =>
    expect(findCountry(text)).toBeUndefined(),
  );

  it('has one spelling for each ISO code, which is its own name, as the suggestions spell it', () => {
    const names = new Set<string>();
    for (const code of Object.keys(countries.getAlpha2Codes())) {
      const name = findCountry(code);
      if (name === undefined) throw new Error(`${code} is unknown.`);
      expect([code, findCountry(name), findCountry(countries.alpha2ToAlpha3(code) ?? '')]).toEqual([code, name, name]);
      expect(names).not.toContain(name);
      names.add(name);
    }
    expect(listed.filter((name) => !names.has(name))).toEqual([]);
  });
});
