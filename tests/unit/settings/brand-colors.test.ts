import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultBranding } from '@/lib/settings/branding/branding';
import {
  brandStyle,
  brandTokens,
  checkPrimaryColor,
  checkSecondaryColor,
  contrastRatio,
  getTextColor,
  linkBackgrounds,
  mixInOklab,
  parseHexColor,
} from '@/lib/settings/branding/colors';

const css = readFileSync(new URL('../../../app/globals.css', import.meta.url), 'utf8');
const light = css.slice(css.indexOf('[data-theme="light"] {'), css.indexOf('@media screen {\n  [data-theme="dark"]'));
const dark = css.slice(css.indexOf('@media screen {\n  [data-theme="dark"]'), css.indexOf('@theme {'));
const token = (palette: string, name: string) => new RegExp(`--${name}: ([^;]+);`).exec(palette)?.[1];

const anyColor = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('the contrast ratio', () => {
  it('matches WCAG', () => {
    expect(contrastRatio(parseHexColor('#000000'), parseHexColor('#ffffff'))).toBeCloseTo(21, 10);
    expect(contrastRatio(parseHexColor('#767676'), parseHexColor('#ffffff'))).toBeCloseTo(4.54, 2);
    expect(contrastRatio(parseHexColor('#ffffff'), parseHexColor('#777777'))).toBeCloseTo(4.48, 2);
  });

  it('mixing keeps the end colours and returns a valid colour', () => {
    fc.assert(
      fc.property(anyColor, anyColor, fc.double({ min: 0, max: 1, noNaN: true }), (one, other, share) => {
        for (const channel of mixInOklab(parseHexColor(one), share, parseHexColor(other))) {
          expect(channel).toBeGreaterThanOrEqual(0);
          expect(channel).toBeLessThanOrEqual(1);
        }
        const whole = mixInOklab(parseHexColor(one), 1, parseHexColor(other));
        parseHexColor(one).forEach((channel, index) => {
          expect(whole[index]).toBeCloseTo(channel, 4);
        });
      }),
    );
  });
});

describe('a brand colour', () => {
  it('is checked against the surfaces and mixtures of the style sheet', () => {
    const surfaces = ['surface', 'canvas', 'sunken'];
    expect(surfaces.map((name) => token(light, name))).toEqual([...linkBackgrounds.light.surfaces]);
    expect(['canvas', 'surface', 'sunken', 'overlay'].map((name) => token(dark, name))).toEqual([
      ...linkBackgrounds.dark.surfaces,
    ]);
    const mixture = (share: number, other: string) => `color-mix(in oklab, var(--accent) ${share}%, ${other})`;
    expect(token(light, 'accent-ink')).toBe(mixture(92, 'black'));
    expect(token(light, 'accent-soft')).toBe(mixture(8, 'white'));
    expect(token(dark, 'accent-ink')).toBe(mixture(46, 'white'));
    expect(token(dark, 'accent-soft')).toBe(mixture(20, '#141418'));
    expect(token(light, 'accent')).toBe(defaultBranding.primaryColor);
    expect(token(light, 'secondary')).toBe(defaultBranding.secondaryColor);
  });

  it.each(['#5547e0', '#2563eb', '#be185d', '#0f766e', '#dc2626', '#111827'])('%s is accepted', (color) => {
    expect(checkPrimaryColor(color)).toBeUndefined();
  });

  it.each([
    ['#ffff00', 'Links in this color have a contrast of 1.21:1 in the light theme; 4.5:1 is required.'],
    ['#16a34a', 'Links in this color have a contrast of 3.62:1 in the light theme'],
    ['#ff0000', 'Dark text on this color has a contrast of 4.42:1; 4.5:1 is required.'],
  ])('%s is rejected with the ratio', (color, text) => {
    expect(checkPrimaryColor(color)).toContain(text);
  });

  it('that is accepted is readable wherever it carries text', () => {
    fc.assert(
      fc.property(anyColor, (color) => {
        const ratio = contrastRatio(parseHexColor(color), parseHexColor(getTextColor(color)));
        if (checkSecondaryColor(color) === undefined) expect(ratio).toBeGreaterThanOrEqual(4.5);
        else expect(ratio).toBeLessThan(4.5);
        if (checkPrimaryColor(color) !== undefined) return;
        const away = getTextColor(color) === '#ffffff' ? '#000000' : '#ffffff';
        const pressed = mixInOklab(parseHexColor(color), 0.86, parseHexColor(away));
        expect(contrastRatio(pressed, parseHexColor(getTextColor(color)))).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  it('needs no style when it is the default; another sets the brand tokens', () => {
    expect(brandStyle(defaultBranding)).toBeUndefined();
    const changed = { ...defaultBranding, primaryColor: '#be185d' };
    expect(brandStyle(changed)).toEqual(brandTokens(changed));
    expect(brandTokens(changed)).toMatchObject({ '--accent': '#be185d', '--on-accent': '#ffffff' });
  });

  it.each([
    ['Blue Links', '"Blue Links"'],
    ['"Links" \\ & <b>', String.raw`"\"Links\" \\ & <b>"`],
  ])('escapes the name %s as a CSS string', (siteName, text) => {
    expect(brandStyle({ ...defaultBranding, siteName })).toEqual({ '--site-name': text });
  });
});
