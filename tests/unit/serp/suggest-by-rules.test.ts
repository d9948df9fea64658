import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureWidth } from '@/lib/serp/font-metrics';
import { type SerpPart, serpDevices, serpLengths, serpLines } from '@/lib/serp/limits';
import { fitEverywhere, fitsEverywhere, type SnippetInput, suggestByRules } from '@/lib/serp/suggest-by-rules';
import { getBrand, getSlugWords } from '@/lib/serp/words';
import { propertyRuns } from '@/scripts/testing/tier';
import { expectLinearTime } from '@/tests/setup/expect-linear-time';

const nothing: SnippetInput = { domain: '', slug: '', currentTitle: '', currentDescription: '', intent: '' };
const suggest = (given: Partial<SnippetInput>) => suggestByRules({ ...nothing, ...given });

const isWithin = (part: SerpPart, text: string) =>
  serpDevices.every((device) => measureWidth(text, serpLines[device][part]) <= serpLines[device][part].limitPx);

describe('a suggestion by rules', () => {
  it('starts both texts with the search words and ends the title with the brand', () => {
    const { title, description } = suggest({
      domain: 'www.example.com',
      currentTitle: 'Spades and rakes | Example',
      currentDescription: 'Hand-made tools for every garden. Sent within two days.',
      intent: 'buy garden tools',
    });
    expect(title).toBe('Buy garden tools – Spades and rakes | Example');
    expect(description).toBe('Buy garden tools: Hand-made tools for every garden. Sent within two days.');
  });

  it('keeps as many clauses of a long title as fit', () => {
    const { title } = suggest({
      domain: 'garden-tools.example',
      currentTitle: 'Hand-made spades, rakes and forks from a family workshop, sent to every garden of the country',
      intent: 'buy spades',
    });
    expect(title).toBe('Buy spades – Hand-made spades | Garden tools');
  });

  it('repeats nothing', () => {
    const { title, description } = suggest({
      domain: 'example.com',
      currentTitle: 'Garden tools: hand-made',
      currentDescription: 'Garden tools for everybody.',
      intent: 'garden tools',
    });
    expect(title).toBe('Garden tools: hand-made | Example');
    expect(description).toBe('Garden tools for everybody.');
  });

  it.each<[Partial<SnippetInput>, string]>([
    [{ currentTitle: 'Only a title' }, 'Only a title'],
    [{ slug: '/blog/best-garden-spades.html' }, 'Best garden spades'],
    [{ domain: 'https://www.my-shop.co.uk/path' }, 'My shop'],
    [{ slug: '/', intent: ' \n ' }, 'Home'],
  ])('starts with the available input: %j', (given, title) => {
    expect(suggest(given).title).toBe(title);
  });

  it('keeps whole sentences of a long description', () => {
    const { description } = suggest({
      intent: 'spades',
      currentDescription: `Short one. ${'Much longer words here '.repeat(20)}.`,
    });
    expect(description).toBe('Spades: Short one.');
  });

  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.lorem({ maxCount: 40 }),
    // Unpaired surrogates, as a cut text or a forged request may contain them.
    fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 }).map((units) => String.fromCharCode(...units)),
    fc.constantFrom(
      '',
      ' ',
      '‮',
      'ß',
      '👩‍👩‍👧‍👦'.repeat(40),
      'W'.repeat(300),
      'Приобрести ссылки '.repeat(12),
      '購入'.repeat(90),
    ),
  );

  it('is within every limit, never empty and never cut inside a character, for any input', () => {
    fc.assert(
      fc.property(
        fc.record({
          domain: anything,
          slug: anything,
          currentTitle: anything,
          currentDescription: anything,
          intent: anything,
        }),
        (given) => {
          const { title, description } = suggestByRules(given);
          for (const [part, text] of [
            ['title', title],
            ['description', description],
          ] as const) {
            expect(text.trim()).not.toBe('');
            expect(text).toBe(text.replace(/\p{Surrogate}/gu, ''));
            expect(isWithin(part, text), text).toBe(true);
          }
        },
      ),
      { numRuns: propertyRuns(120) },
    );
  }, 120_000);

  it('starts with the search words whenever they fit', () => {
    fc.assert(
      fc.property(
        fc.lorem({ maxCount: 4 }),
        fc.lorem({ maxCount: 30 }),
        fc.lorem({ maxCount: 40 }),
        (intent, currentTitle, currentDescription) => {
          const { title, description } = suggest({ domain: 'example.com', currentTitle, currentDescription, intent });
          expect(title.toLowerCase().startsWith(intent.toLowerCase())).toBe(true);
          expect(description.toLowerCase().startsWith(intent.toLowerCase())).toBe(true);
        },
      ),
      { numRuns: propertyRuns(60) },
    );
  }, 60_000);

  // The computation blocks the server, and every signed-in user may request it.
  it.each([
    ['words', 'Wörter '],
    ['sentences', 'ab. '],
    ['sentences without spaces', 'a.'],
    ['clauses', 'a, '],
    ['wide letters', 'W'],
    ['narrow letters', 'i'],
    ['marks', 'x\u0323\u0308\u0331.'],
    ['invisible characters', '\u00ad'],
    ['East Asian sentences', '購。'],
  ])('accepts every input length in linear time: %s', (_, repeated) => {
    suggest({ intent: 'The fonts are read once.' });
    return expectLinearTime(serpLengths.intent, (size) => {
      const long = (length: number) => repeated.repeat(length).slice(0, (length * size) / serpLengths.intent);
      suggest({
        domain: long(serpLengths.domain),
        slug: long(serpLengths.slug),
        currentTitle: long(serpLengths.title),
        currentDescription: long(serpLengths.description),
        intent: long(serpLengths.intent),
      });
    });
  });

  it('recognizes a text that is far too long without shaping it', () => {
    fc.assert(
      fc.property(anything, fc.constantFrom<SerpPart>('title', 'description'), (text, part) => {
        expect(fitsEverywhere(part, text)).toBe(isWithin(part, text));
      }),
      { numRuns: propertyRuns(150) },
    );
  }, 60_000);

  it('keeps the brand with as many clauses as fit, and more without it', () => {
    const words = ['One', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
    const { title } = suggest({
      domain: 'example.com',
      currentTitle: `${words.join(', ')}, thirteen`,
      intent: 'count',
    });
    expect(fitEverywhere('title', title)).toBe(title);
    expect(title).toMatch(/^Count – One, two, three, .*[a-z]+( \| Example)?$/);
    const rest = words.filter((word) => !title.includes(word));
    expect(isWithin('title', `${title}, ${rest[0]}`)).toBe(false);
  });
});

describe('names', () => {
  it.each([
    ['https://www.example.com/a?b', 'Example'],
    ['blog.example.com.au', 'Example'],
    ['localhost', 'Localhost'],
    ['', ''],
    ['münchen-reisen.de', 'München reisen'],
  ])('returns the brand of %s as %s', (domain, brand) => {
    expect(getBrand(domain)).toBe(brand);
  });

  it.each([
    ['/blog/best-garden_spades.html?x=1#top', 'best garden spades'],
    ['%D1%81%D1%81%D1%8B%D0%BB%D0%BA%D0%B8', 'ссылки'],
    ['%', '%'],
  ])('reads the words of the path %s as %s', (slug, words) => {
    expect(getSlugWords(slug)).toBe(words);
  });
});
