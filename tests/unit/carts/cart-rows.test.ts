import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type CartRow,
  change,
  mergeRows,
  redo,
  startHistory,
  toItems,
  toRow,
  undo,
} from '@/components/carts/cart-rows';
import { describePaste, fillDown, pasteBlock, setRange } from '@/components/carts/grid-edits';
import { emptyBrief } from '@/components/orders/brief-draft';

const row = (siteId: number, brief: Partial<typeof emptyBrief> = {}): CartRow => ({
  siteId,
  brief: { ...emptyBrief, ...brief },
});
const sites = ['a.com', 'b.com', 'c.com'].map((host, index) => ({
  siteId: index + 1,
  name: host,
  url: `https://${host}`,
}));
const rows = sites.map(({ siteId }) => row(siteId));
const at = (top: number, left: number, bottom = top, right = left) => ({ top, bottom, left, right });
const anchors = (all: readonly CartRow[]) => all.map(({ brief }) => brief.anchor);

it.each([
  [
    'from the active cell',
    [
      ['x', 'do-follow'],
      ['y', 'ugc'],
    ],
    at(2, 2),
    ['', 'x', 'y'],
    /^Pasted 4 cells for 2 sites\.$/,
  ],
  [
    'by column names',
    [
      ['Words', 'Anchor text'],
      ['900', 'x'],
    ],
    at(1, 1),
    ['x', '', ''],
    /^Pasted 2 cells for 1 site\.$/,
  ],
  [
    'by domain',
    [
      ['Domain', 'Anchor'],
      ['c.com', 'z'],
      ['www.a.com', 'x'],
      ['d.com', 'w'],
    ],
    at(1, 1),
    ['x', '', 'z'],
    /Not in this cart: d\.com\./,
  ],
  [
    'by a first column of domains without names',
    [
      ['b.com', 'y'],
      ['a.com', 'x'],
    ],
    at(1, 2),
    ['x', 'y', ''],
    /^Pasted 2/,
  ],
  ['over a selection', [['x']], at(1, 2, 3, 2), ['x', 'x', 'x'], /^Pasted 3/],
  ['into all sites', [['x']], at(0, 2), ['x', 'x', 'x'], /^Pasted 3/],
  ['up to the last site', [['x'], ['y'], ['z'], ['w']], at(1, 2), ['x', 'y', 'z'], /1 row didn’t fit/],
  ['up to the last column', [['x', 'any', '900', '', '', '', 'more']], at(1, 2), ['x', '', ''], /1 column didn’t fit/],
  [
    'without an unknown column',
    [
      ['Anchor', 'Budget'],
      ['x', '9'],
    ],
    at(1, 2),
    ['x', '', ''],
    /No such column: Budget\./,
  ],
])('a block is pasted %s', (_, block, range, expected, told) => {
  const pasted = pasteBlock(rows, sites, block, range);
  expect(anchors(pasted.rows)).toEqual(expected);
  expect(describePaste(pasted.plan).text).toMatch(told);
});

it.each([
  ['from the first row of a selection', at(1, 2, 2, 2), ['x', 'x', 'c']],
  ['from the row above a single cell', at(3, 2), ['x', 'b', 'b']],
  ['from the first site to all', at(1, 2), ['x', 'x', 'x']],
])('fill down copies %s', (_, range, expected) => {
  const filled = fillDown([row(1, { anchor: 'x' }), row(2, { anchor: 'b' }), row(3, { anchor: 'c' })], range);
  expect(anchors(filled)).toEqual(expected);
});

it('undo and redo walk through any number of changes', () => {
  const edits = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.string({ minLength: 1, maxLength: 3 })), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(edits, (all) => {
      const steps = [startHistory(rows)];
      for (const [line, text] of all) {
        const last = steps.at(-1) ?? startHistory(rows);
        const next = change(last, setRange(last.rows, at(line, 2), text));
        if (next !== last) steps.push(next);
      }
      let history = steps.at(-1) ?? startHistory(rows);
      for (const step of steps.slice(0, -1).reverse()) {
        history = undo(history);
        expect(history.rows).toEqual(step.rows);
      }
      expect(undo(history).rows).toEqual(rows);
      for (let more = steps.length; more > 1; more -= 1) history = redo(history);
      expect(history.rows).toEqual(steps.at(-1)?.rows);
    }),
  );
});

it('a merge keeps the edits of both tabs, and tells what was added, removed and changed twice', () => {
  const base = [row(1), row(2), row(3), row(4)];
  const mine = [row(1, { anchor: 'mine' }), row(2, { anchor: 'mine' }), row(3, { notes: 'mine' })];
  const theirs = [row(1, { words: '900' }), row(2, { anchor: 'theirs' }), row(4, { anchor: 'theirs' }), row(5)];
  const { rows: merged, added, removed, disputed } = mergeRows(base, mine, theirs);
  expect(merged).toEqual([
    row(1, { anchor: 'mine', words: '900' }),
    row(2, { anchor: 'mine' }),
    // Removed here, but changed there meanwhile.
    row(4, { anchor: 'theirs' }),
    row(5),
  ]);
  expect({ added, removed, disputed }).toEqual({ added: [4, 5], removed: [row(3, { notes: 'mine' })], disputed: [2] });
});

it('a row is sent as it was typed, without defaults', () => {
  const typed = { targetUrl: 'not an address', words: 1200, rel: 'follow?', articleId: 'a1' };
  const read = toRow({ siteId: 7, brief: typed, articleFileName: 'text.docx' });
  expect(read.brief).toMatchObject({ words: '1200', writer: 'buyer', articleFileName: 'text.docx' });
  expect(toItems([read, row(8)])).toEqual([
    { siteId: 7, brief: { ...typed, writer: 'buyer' } },
    { siteId: 8, brief: {} },
  ]);
});
