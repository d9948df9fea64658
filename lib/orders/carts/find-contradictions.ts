import { hasRelConflict } from '@/lib/orders/briefs/rel-conflict';
import type { BriefInput } from '@/lib/orders/briefs/schemas';
import { findLanguage } from '@/lib/taxonomy/find-language';
import type { FieldNote } from './read-brief';

type Listing = { follow: boolean; language: string };

/** Finds where a brief asks for what the listing does not offer: a Dofollow link, or another language. */
export function findContradictions({ rel = 'any', anchor = '', notes = '' }: BriefInput, site: Listing): FieldNote[] {
  const asked = findAskedLanguage(notes);
  return [
    ...(hasRelConflict(rel, site)
      ? [{ field: 'rel' as const, message: 'This site publishes NoFollow links only. The link will be NoFollow.' }]
      : []),
    ...(isOfOtherScript(anchor, site.language)
      ? [
          {
            field: 'anchor' as const,
            message: `The anchor text is not in ${site.language}, the language of this site.`,
          },
        ]
      : []),
    ...(asked !== null && !publishesIn(asked, site.language)
      ? [{ field: 'notes' as const, message: `The notes ask for ${asked}. This site publishes in ${site.language}.` }]
      : []),
  ];
}

/** Languages of the catalog that are not written in Latin letters. */
const scripts: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /\p{Script=Cyrillic}/u,
    [
      'Russian',
      'Ukrainian',
      'Bulgarian',
      'Serbian',
      'Macedonian',
      'Belarusian',
      'Kazakh',
      'Kyrgyz',
      'Mongolian',
      'Tajik',
      'Uzbek',
    ],
  ],
  [/\p{Script=Greek}{2}/u, ['Greek']],
  [/\p{Script=Arabic}/u, ['Arabic', 'Persian', 'Urdu', 'Pashto', 'Central Kurdish', 'Kurdish', 'Sindhi', 'Uyghur']],
  [/\p{Script=Hebrew}/u, ['Hebrew', 'Yiddish']],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, ['Japanese']],
  [/\p{Script=Han}/u, ['Chinese', 'Cantonese', 'Japanese', 'Korean']],
  [/\p{Script=Hangul}/u, ['Korean']],
  [/\p{Script=Thai}/u, ['Thai']],
  [/\p{Script=Devanagari}/u, ['Hindi', 'Marathi', 'Nepali', 'Sanskrit']],
];

/** Checks whether a text has letters in which the language is not written. Latin letters are in brands everywhere. */
function isOfOtherScript(text: string, language: string): boolean {
  const found = scripts.find(([letters]) => letters.test(text));
  return found !== undefined && !found[1].some((name) => publishesIn(name, language));
}

/** Checks whether a listing publishes in a language. A listing can name several. */
function publishesIn(name: string, language: string): boolean {
  const known = findLanguage(language);
  return known === undefined || known === 'Multilingual' || known.split(', ').includes(name);
}

/** Finds the language for which notes ask: “write it in German”, “Sprache: Deutsch”. */
function findAskedLanguage(notes: string): string | null {
  for (const [, word = ''] of notes.matchAll(/(?<!\bnot )\b(?:in|auf|en|em|language:?|sprache:?)\s+(\p{L}{4,})/giu)) {
    const language = findLanguage(word);
    if (language !== undefined) return language;
  }
  return null;
}
