import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnchorKind, anchorKinds } from '@/db/enums';
import type { AnchorPlan } from '@/db/schema/anchor-plans';
import { chooseAnchors } from '@/lib/projects/anchors/choose-anchors';
import { type AnchorSubject, classifyAnchor } from '@/lib/projects/anchors/classify-anchor';
import { countAll, noAnchors } from '@/lib/projects/anchors/count-anchors';
import { getAnchorSubject, listOwnTexts } from '@/lib/projects/anchors/subject';
import { anchorPlanField, defaultAnchorPlan } from '@/lib/settings/anchor-plan';
import '@/tests/setup/property-seed';

const shop = {
  domain: 'carter-cycles.co.uk',
  keywords:
    'gravel bikes, touring bike guide, guide to the bike fitting, learn riding, 自行车指南, จักรยานเสือหมอบ, Größentabelle',
  targetUrl: 'https://carter-cycles.co.uk/gravel',
};
const subject = getAnchorSubject(shop, ['Carter’s', 'Veloheim', '骑行者', 'Ćirić & Co']);
const kindOf = (anchor: string, of: AnchorSubject = subject) => classifyAnchor({ anchor, isImage: false }, of);

describe('the kind of an anchor', () => {
  it.each<[AnchorKind, string[]]>([
    ['none', ['', '  ', '\u200b\u00ad', '\u2800']],
    [
      'address',
      [
        ...[
          'https://carter-cycles.co.uk',
          'HTTP://WWW.Carter-Cycles.co.uk/a/b?c=d#e',
          'carter-cycles.co.uk',
          '//carter-cycles.co.uk/',
        ],
        ...[
          'www.carter-cycles.co.uk.',
          '(carter-cycles.co.uk/page)',
          'shop.carter-cycles.co.uk:8080/x',
          'www2.carter-cycles.co.uk',
        ],
        ...['“carter-cycles.co.uk”', 'https://elsewhere.example/path', 'www.elsewhere.example'],
      ],
    ],
    [
      'brand',
      [
        ...[
          'Carter Cycles',
          'carter-cycles',
          'CarterCycles',
          'The Carter Cycles™',
          'Carter’s',
          'Carters',
          'CARTER',
          'Véloheim®',
        ],
        ...['Veloheim and Carter Cycles', 'veloheim.', '骑行者', 'Ciric & Co.', 'by Carter Cycles', '  veloheim  '],
      ],
    ],
    [
      'exact',
      [
        'gravel bikes',
        'Gravel-Bikes!',
        'GRAVELBIKES',
        'Touring Bike Guide',
        '自行车指南',
        'จักรยานเสือหมอบ',
        'GRÖSSENTABELLE',
        'Grossentabelle',
      ],
    ],
    [
      'partial',
      [
        ...[
          'best gravel bikes 2026',
          'bikes of gravel',
          'a touring bike',
          'Veloheim reviews',
          'why we ride Carter Cycles',
          '最好的自行车',
        ],
        ...[
          'gravel',
          'The fitting of a bike',
          'ซื้อจักรยานเสือหมอบราคาถูก',
          'carter-cycles.co.uk - home',
          'Carter’s gravel bikes',
        ],
      ],
    ],
    [
      'generic',
      [
        ...[
          'click here',
          'HERE',
          'Read more »',
          'read   more…',
          'hier',
          'voir plus',
          'En savoir plus',
          'aquí',
          'AQUI',
          'tutaj',
          'подробнее',
        ],
        ...[
          '这里',
          'もっと見る',
          'ที่นี่',
          '더보기',
          'هنا',
          'source',
          'learn more',
          'something else',
          'the guide',
          '👉',
          '»',
          'Node.js',
          'graveled',
          'a',
        ],
      ],
    ],
  ])('is %s', (kind, anchors) => {
    expect(anchors.map((anchor) => [anchor, kindOf(anchor)])).toEqual(anchors.map((anchor) => [anchor, kind]));
  });

  it('is the image of a linked image, whatever its alternative text', () => {
    for (const anchor of ['', 'gravel bikes', 'Veloheim'])
      expect(classifyAnchor({ anchor, isImage: true }, subject)).toBe('image');
  });

  it('knows names in other letters, as they are written and encoded', () => {
    const bakery = getAnchorSubject({ domain: 'bäckerei-müller.de', keywords: 'brot' }, []);
    const kinds = [
      'bäckerei-müller.de',
      'https://xn--bckerei-mller-gfb6r.de/x',
      'Bäckerei Müller',
      'baeckerei',
      'Brot von Bäckerei Müller',
    ];
    expect(kinds.map((anchor) => kindOf(anchor, bakery))).toEqual([
      'address',
      'address',
      'brand',
      'generic',
      'partial',
    ]);
    expect(kindOf('example', getAnchorSubject({ domain: 'shop.example.co.uk', keywords: 'x' }, []))).toBe('brand');
    expect(kindOf('shop', getAnchorSubject({ domain: 'shop.example.co.uk', keywords: 'x' }, []))).toBe('generic');
  });

  const letters = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzéüßçñøłžабвгдяёαβγςاللهकखगあいカ漢字ไทย한국0123456789');
  const word = fc.string({ unit: letters, minLength: 1, maxLength: 8 });
  const phrase = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
  const known = fc.constantFrom(
    'gravel bikes',
    'Carter Cycles',
    'veloheim',
    'click here',
    'touring',
    'the',
    '自行车',
    'carter-cycles.co.uk',
  );
  const text = fc.oneof(
    phrase,
    known,
    fc.tuple(phrase, known).map((parts) => parts.join(' ')),
  );
  const anySubject = fc.record({
    domain: fc.constantFrom('example.com', 'bäckerei.de', 'a.b.co.uk'),
    brandWords: fc.array(phrase, { maxLength: 3 }),
    keywords: fc.array(phrase, { minLength: 1, maxLength: 4 }),
  });

  it('is exactly one, for any text and any project', () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      text,
    );
    const subjects = fc.record({
      domain: any,
      brandWords: fc.array(any, { maxLength: 4 }),
      keywords: fc.array(any, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(any, fc.boolean(), subjects, (anchor, isImage, of) => {
        expect(anchorKinds).toContain(classifyAnchor({ anchor, isImage }, of));
      }),
      { numRuns: 40 },
    );
  });

  it('does not depend on case, accents, spaces and punctuation', () => {
    const variants: ((anchor: string) => string)[] = [
      (anchor) => anchor.toUpperCase(),
      (anchor) => anchor.normalize('NFD'),
      (anchor) => anchor.replace(/[aeou]/gi, '$&\u0301'),
      (anchor) => ` \u00a0${anchor.replaceAll(' ', '  ')}\n`,
      (anchor) => `“${anchor}”!`,
      (anchor) => `»${anchor.replaceAll(' ', ', ')}…`,
    ];
    fc.assert(
      fc.property(text, anySubject, fc.constantFrom(...variants), (anchor, of, change) => {
        expect(kindOf(change(anchor), of)).toBe(kindOf(anchor, of));
      }),
    );
  });

  it('is exact for each keyword that is neither the brand nor an address', () => {
    fc.assert(
      fc.property(anySubject, (of) => {
        for (const keyword of of.keywords) {
          expect(['exact', 'brand']).toContain(kindOf(keyword, of));
          expect(kindOf(keyword, { ...of, brandWords: [] })).toBe('exact');
          expect(kindOf(`${keyword} zzzz`, { ...of, brandWords: [], keywords: [keyword] })).toBe('partial');
        }
      }),
    );
  });
});

describe('the proposal of anchors', () => {
  const texts = { brand: ['A', 'B', 'C'], address: ['a.com'], generic: ['here', 'more'], partial: ['p'], exact: ['e'] };
  const withTexts = ['brand', 'address', 'generic', 'partial', 'exact'] as const;
  const choose = (plan: AnchorPlan, count: number, more: Partial<Parameters<typeof chooseAnchors>[0]> = {}) =>
    chooseAnchors({ plan, counts: noAnchors(), texts, uses: new Map(), ...more }, count);
  const countsOf = (chosen: readonly { kind: AnchorKind }[]) => {
    const counts = noAnchors();
    for (const { kind } of chosen) counts[kind] += 1;
    return counts;
  };
  const plans = fc
    .array(fc.nat(100), { minLength: 6, maxLength: 6 })
    .map((cuts) => [...cuts, 100].sort((one, other) => one - other))
    .map((ends) => ends.map((end, index) => end - (ends[index - 1] ?? 0)))
    .map((parts) => anchorPlanField.parse(Object.fromEntries(anchorKinds.map((kind, index) => [kind, parts[index]]))));

  it('stays within one link of the default plan, and equals it after a hundred', () => {
    const chosen = choose(defaultAnchorPlan, 300);
    for (let made = 1; made <= 300; made++) {
      const counts = countsOf(chosen.slice(0, made));
      for (const kind of anchorKinds)
        expect(Math.abs(counts[kind] - (defaultAnchorPlan[kind] * made) / 100)).toBeLessThanOrEqual(1);
    }
    expect(countsOf(chosen.slice(0, 100))).toEqual(defaultAnchorPlan);
    expect(chosen.slice(0, 4).map(({ text }) => text)).toEqual(['A', 'a.com', 'here', 'B']);
  });

  it('never exceeds a plan by one link, and equals every plan after a hundred', () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 1, max: 100 }), (plan, made) => {
        const chosen = choose(plan, 100);
        expect(countsOf(chosen)).toEqual(plan);
        const counts = countsOf(chosen.slice(0, made));
        for (const kind of withTexts) {
          expect(counts[kind] - (plan[kind] * made) / 100).toBeLessThan(1);
          expect((plan[kind] * made) / 100 - counts[kind]).toBeLessThan(2);
        }
        // The same input gives the same texts, also in several calls.
        const uses = new Map(chosen.slice(0, made).map(({ text }) => [text, 0]));
        expect(uses.size).toBeGreaterThan(0);
        expect(choose(plan, made)).toEqual(chosen.slice(0, made));
      }),
      { numRuns: 60 },
    );
  });

  it('approaches the plan from any links, least used texts first', () => {
    const counts = { ...noAnchors(), exact: 40, brand: 10 };
    const chosen = choose(defaultAnchorPlan, 950, {
      counts,
      uses: new Map([
        ['A', 3],
        ['C', 1],
      ]),
    });
    const after = countsOf(chosen);
    for (const kind of anchorKinds) {
      const links = counts[kind] + after[kind];
      expect(Math.abs(links - defaultAnchorPlan[kind] * 10)).toBeLessThanOrEqual(1);
    }
    const brands = chosen.flatMap(({ text, kind }) => (kind === 'brand' ? text : []));
    expect(brands.slice(0, 6)).toEqual(['B', 'B', 'C', 'B', 'C', 'A']);
    const used = ['A', 'B', 'C'].map((name) => brands.filter((text) => text === name).length);
    expect(Math.max(...used) - Math.min(...used)).toBeLessThanOrEqual(3);
  });

  it('leaves out kinds without texts and shares them among the others', () => {
    const chosen = choose(defaultAnchorPlan, 57, { texts: { brand: ['A'], partial: ['p'] } });
    const { brand, partial, image } = countsOf(chosen);
    expect(brand + partial + image).toBe(57);
    expect(Math.abs(brand - (57 * 45) / 60)).toBeLessThan(2);
    expect(Math.abs(partial - (57 * 12) / 60)).toBeLessThan(2);
    const onlyExact = { ...defaultAnchorPlan, brand: 0, address: 0, generic: 0, partial: 0, exact: 100, image: 0 };
    expect(choose(onlyExact, 5, { texts: {} })).toEqual([]);
    expect(countAll(countsOf(choose(onlyExact, 5)))).toBe(5);
  });

  it('proposes an empty text once, while the brief cannot tell an image from no text', () => {
    const counts = { ...noAnchors(), brand: 15, address: 7, generic: 5, partial: 4, exact: 2 };
    expect(choose(defaultAnchorPlan, 1, { counts })[0]).toEqual({ text: '', kind: 'image' });
    expect(choose(defaultAnchorPlan, 1, { counts, emptyBriefs: 1 })[0]?.text).not.toBe('');
    expect(choose(defaultAnchorPlan, 1, { counts: { ...counts, none: 1 } })[0]?.text).not.toBe('');
  });

  it('takes the domain, the address, the brand and the keywords where the pool has none', () => {
    const own = listOwnTexts(shop, []);
    expect(own).toMatchObject({ brand: ['Carter Cycles'], address: ['carter-cycles.co.uk', shop.targetUrl] });
    expect(listOwnTexts(shop, ['Veloheim']).brand).toEqual(['Veloheim']);
    for (const [kind, list] of Object.entries(own))
      for (const one of list) expect([kindOf(one), one]).toEqual([kind, one]);
  });
});

it('a plan has seven whole percentages that add up to 100', () => {
  expect(anchorPlanField.safeParse(defaultAnchorPlan).success).toBe(true);
  const problems = (plan: unknown) => anchorPlanField.safeParse(plan).error?.issues.map(({ message }) => message);
  expect(problems({ ...defaultAnchorPlan, brand: 42 })).toEqual([
    'The percentages add up to 97. They must add up to 100.',
  ]);
  expect(problems({ ...defaultAnchorPlan, brand: 45.5 })).toEqual(['Enter a whole number from 0 to 100.']);
  expect(problems({ ...defaultAnchorPlan, brand: 46, none: -1 })).toEqual(['Enter a whole number from 0 to 100.']);
  const { exact: _, ...others } = defaultAnchorPlan;
  expect(problems(others)).toEqual(['Enter a whole number from 0 to 100.']);
  expect(problems('45')).toEqual(['Enter the plan as an object with a percentage for each kind.']);
});
