import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeAnchor } from '@/lib/links/compare-anchors';
import { propertyRuns } from '@/scripts/testing/tier';

/** What systems such as WordPress make of a typed text, and what keyboards, fonts and browsers make of a letter. */
describe('two notations of one anchor text are equal', () => {
  it.each([
    ['best shoes', ' Best\n\u00a0SHOES '],
    ["men's shoes", 'men’s shoes'],
    ["men's shoes", 'menʼs shoes'],
    ["men's shoes", 'men´s shoes'],
    ["men's shoes", 'men`s shoes'],
    ["men's shoes", 'men＇s shoes'],
    ["'tain't and '99", '’tain’t and ’99'],
    ["rock 'n' roll", 'rock ‘n’ roll'],
    ['"red" shoes', '“red” shoes'],
    ['"rot"', '„rot“'],
    ['"rot" und', '»rot« und'],
    ['das "Wort" ist', 'das »Wort« ist'],
    ['le "mot" juste', 'le «\u00a0mot\u00a0» juste'],
    ['le "mot"', 'le « mot »'],
    ['("mot")', '(« mot »)'],
    ['l\'"amour"', 'l’« amour »'],
    ["'mot'", '‹mot›'],
    ["``quoted''", '“quoted”'],
    ["''quoted''", '"quoted"'],
    ['43" tv', '43″ tv'],
    ['43" tv', '43” tv'],
    ['6\' 2" door', '6′ 2″ door'],
    ['4x4 tires', '4×4 tires'],
    ['4 x 4 tires', '4 × 4 tires'],
    ['1,024x768', '1,024×768'],
    ['10.5X20', '10.5×20'],
    ['brand (tm)', 'brand ™'],
    ['Brand(TM) shoes', 'Brand™ shoes'],
    ['(c) 2026', '© 2026'],
    ['Nike (R)', 'Nike ®'],
    ['1/2 price', '½ price'],
    ['1 1/2 inch', '1½ inch'],
    ['1 1/2 inch', '1 ½ inch'],
    ['3/4', '3⁄4'],
    ['7/8', '⅞'],
    ['wait...', 'wait…'],
    ['a - b', 'a – b'],
    ['a -- b', 'a — b'],
    ['a --- b', 'a — b'],
    ['2020-2026', '2020–2026'],
    ['2020-2026', '2020\u20112026'],
    ['e-bike', 'e‐bike'],
    ['-5', '−5'],
    ['extraordinary', 'extra\u00adordinary'],
    ['best shoes', 'best\u200b \u2060shoes\ufeff'],
    ['best shoes', 'best\u2009shoes'],
    ['best shoes', 'best\u3000shoes'],
    ['❤ shoes', '❤\ufe0f shoes'],
    ['☎ call', '☎\ufe0e call'],
    ['العربية', 'العـــربية'],
    ['سلام', 'ﺳﻼم'],
    ['میخواهم', 'می\u200cخواهم'],
    ['עברית', '\u202bעברית\u202c'],
    ['café', 'cafe\u0301'],
    ['straße', 'STRASSE'],
    ['istanbul', 'İSTANBUL'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδός', 'ΟΔΌΣ'],
    ['Größe', 'GRÖSSE'],
    ['file', 'ﬁle'],
    ['ＢＥＳＴ shoes', 'best shoes'],
    ['shop', 'shop \uf08e'],
    ['shop', '\ue89e shop'],
  ])('%s and %s', (one, other) => {
    expect(normalizeAnchor(one)).toBe(normalizeAnchor(other));
  });
});

describe('two anchor texts are different', () => {
  it.each([
    ['best shoes', 'bestshoes'],
    ['best shoes', 'shoes best'],
    ['best shoes', 'best shoe'],
    ['best shoes', 'best shoes!'],
    ['best shoes', 'best shoes.'],
    ['best shoes', 'best, shoes'],
    ['best shoes', 'best-shoes'],
    ['best shoes', '"best shoes"'],
    ['cafe', 'café'],
    ['uber', 'über'],
    ['1/2', '12'],
    ['1/2', '1 2'],
    ['1½', '11/2'],
    ['½', '¼'],
    ['4x4', '44'],
    ['4x4', '4 x 4'],
    ['Nike+', 'Nike'],
    ['Nike ®', 'Nike'],
    ['Nike ®', 'Nike ©'],
    ['Nike ™', 'Nike'],
    ['C++', 'C#'],
    ['43" tv', "43' tv"],
    ['43" tv', '43 tv'],
    ["men's", 'mens'],
    ['re-sign', 'resign'],
    ['a & b', 'a and b'],
    ['$5', '€5'],
    ['5%', '5'],
    ['❤ shoes', 'shoes'],
    ['👍', '👎'],
    ['обувь', 'обуви'],
    ['shoes 🔥', 'shoes'],
    ['می خواهم', 'میخواهم'],
  ])('%s and %s', (one, other) => {
    expect(normalizeAnchor(one)).not.toBe(normalizeAnchor(other));
  });
});

describe('the normal form', () => {
  it('is its own normal form, whatever the text', () => {
    const sign = fc.constantFrom(...'\'"`´‘’“”′″‴⁗«»‹›-–—×xX™©®()tTcCrRmM½¼⁄/ 0123…iİıIßſςΣσ\u0307\u0640\u200d\ufe0f');
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(sign).map((signs) => signs.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(normalizeAnchor(normalizeAnchor(text))).toBe(normalizeAnchor(text));
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it('does not depend on the case, nor on what publishing systems replace', () => {
    const word = fc.stringMatching(/^[a-z0-9äöüß'"-]{1,8}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
        const typed = words.join(' ');
        const typeset = typed
          .replace(/''/g, '”')
          .replace(/(?<=\d)"/g, '″')
          .replace(/"/g, '“')
          .replace(/(?<=\d)'/g, '′')
          .replace(/'/g, '’')
          .replace(/(?<=\d)x(?=\d)/g, '×')
          .replace(/---?/g, '—')
          .replace(/ /g, '\u00a0');
        expect(normalizeAnchor(typeset)).toBe(normalizeAnchor(typed));
        expect(normalizeAnchor(typed.toUpperCase())).toBe(normalizeAnchor(typed));
      }),
    );
  });

  it('keeps different words apart', () => {
    const words = fc.stringMatching(/^[a-z0-9äöü]+( [a-z0-9äöü]+)*$/);
    fc.assert(
      fc.property(words, words, (one, other) => {
        expect(normalizeAnchor(one) === normalizeAnchor(other)).toBe(one === other);
      }),
    );
  });
});
