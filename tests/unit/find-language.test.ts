import { describe, expect, it } from 'vitest';
import { findLanguage, toLanguageName } from '@/lib/taxonomy/find-language';

const spellings: Record<string, string[]> = {
  English: [
    'en',
    'EN',
    'eng',
    'English',
    'english',
    'ENGLISH ',
    'en-US',
    'en_GB',
    'Englisch',
    'Anglais',
    'inglés',
    'Ingles',
    'English (US)',
    'American English',
    'UK English',
    'English UK',
    'English - USA',
    'EN-UK',
    'English language',
    'Eng\u200blish',
  ],
  German: [
    'de',
    'deu',
    'ger',
    'German',
    'Deutsch',
    'de-AT',
    'de-CH',
    'alemán',
    'allemand',
    'tedesco',
    'niemiecki',
    'Duits',
  ],
  Spanish: [
    'es',
    'spa',
    'Spanish',
    'Español',
    'espanol',
    'Castellano',
    'es-MX',
    'es-419',
    'Spanisch',
    'Mexican Spanish',
  ],
  Portuguese: [
    'pt',
    'por',
    'Português',
    'portugues',
    'pt-BR',
    'Portuguese (Brazil)',
    'Brazilian Portuguese',
    'Portuguese Brazil',
    'Portugiesisch',
  ],
  French: ['fr', 'fra', 'fre', 'Français', 'francais', 'Französisch', 'fr-CA'],
  Chinese: [
    'zh',
    'zho',
    'chi',
    '中文',
    'zh-Hans',
    'zh-CN',
    'zh-Hant-TW',
    'Chinese (Simplified)',
    'Simplified Chinese',
    'Chinese Traditional',
    'Mandarin',
  ],
  Japanese: ['ja', 'jpn', '日本語'],
  Korean: ['ko', '한국어', '한국어'.normalize('NFD')],
  Russian: ['ru', 'rus', 'Русский', 'русский'],
  Ukrainian: ['uk', 'Українська'],
  Arabic: ['ar', 'العربية'],
  Hindi: ['hi', 'हिन्दी', 'हिंदी'],
  Norwegian: ['no', 'nb', 'nn', 'Norsk', 'Norwegian', 'Norsk bokmål', 'nb-NO'],
  Dutch: ['nl', 'dut', 'nld', 'Nederlands', 'Flemish', 'nl-BE'],
  Greek: ['el', 'gre', 'Ελληνικά'],
  Czech: ['cs', 'cze', 'ces', 'čeština', 'Cestina'],
  Turkish: ['tr', 'Türkçe', 'Turkce'],
  Vietnamese: ['vi', 'Tiếng Việt', 'tieng viet'],
  Indonesian: ['id', 'in', 'Bahasa Indonesia', 'Bahasa'],
  Hebrew: ['he', 'iw', 'עברית'],
  Persian: ['fa', 'Farsi', 'فارسی'],
  Filipino: ['fil', 'tl', 'Tagalog'],
  'English, Spanish': [
    'EN/ES',
    'English, Spanish',
    'English and Spanish',
    'en; es',
    'Inglés y Español',
    'english & spanish',
    'en, es, en-US',
  ],
  'German, French, Italian': ['de, fr, it', 'Deutsch/Français/Italiano', 'German, French and Italian'],
  Multilingual: ['Multilingual', 'multi-language'],
};

describe('a language', () => {
  it.each(Object.entries(spellings))('is stored as %s for its codes and its names', (name, texts) => {
    expect(texts.map((text) => [text, findLanguage(text)])).toEqual(texts.map((text) => [text, name]));
    expect(findLanguage(name)).toBe(name);
  });

  it('is not guessed', () => {
    for (const text of [
      '',
      '-',
      'xx',
      'JP',
      'Klingon',
      'English, Klingon',
      'Klingon UK',
      'English Mars',
      'en-US-x-foo',
      'constructor',
      '__proto__',
      'und',
      'all of them',
    ]) {
      expect([text, findLanguage(text)]).toEqual([text, undefined]);
    }
    expect(toLanguageName('Klingon')).toBe('Klingon');
  });
});
