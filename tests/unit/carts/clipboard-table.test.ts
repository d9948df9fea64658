import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatClipboardTable, parseClipboardTable } from '@/components/carts/clipboard-table';

it.each([
  [
    'a\tb\r\nc\td\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a\t\n', [['a', '']]],
  ['\tb', [['', 'b']]],
  ['"two\nlines"\tb\n', [['two\nlines', 'b']]],
  ['"two\r\nlines"\r\nnext', [['two\nlines'], ['next']]],
  ['"say ""hi""\nnow"\tb', [['say "hi"\nnow', 'b']]],
  ['"a\tb"\tc', [['a\tb', 'c']]],
  // Excel quotes only cells with tabs and line breaks.
  ['"best" shoes\tx', [['"best" shoes', 'x']]],
  ['"best shoes"\tx', [['"best shoes"', 'x']]],
  ['"open\tx\ny', [['"open', 'x'], ['y']]],
  ['a\n\nb', [['a'], [''], ['b']]],
  ['', []],
])('reads the text %j as spreadsheets copy it', (text, rows) => {
  expect(parseClipboardTable(text)).toEqual(rows);
});

it('reads every table that it has written', () => {
  const cell = fc
    .oneof(
      fc.string(),
      fc.array(fc.constantFrom('"', '\t', '\n', 'a', ' '), { maxLength: 6 }).map((all) => all.join('')),
    )
    .map((text) => text.replace(/\r\n?/g, '\n'));
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }));
  fc.assert(
    fc.property(table, (rows) => {
      expect(parseClipboardTable(formatClipboardTable(rows))).toEqual(rows);
    }),
  );
});
