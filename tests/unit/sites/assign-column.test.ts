import { describe, expect, it } from 'vitest';
import { assignColumn, columnsParam, fieldOf, type ImportCheck } from '@/components/sites/import-check-view';
import { columnChoices } from '@/lib/sites/import/map-header';

const check: ImportCheck = {
  ...{ rows: 1, ready: 1, duplicates: 0, skipped: 0, errors: [], unknownHeaders: [], fields: [] },
  columns: [
    { index: 0, header: 'URL', sample: '', field: 'url' },
    { index: 1, header: 'DR', sample: '', field: 'dr' },
    { index: 2, header: 'Other', sample: '', field: null },
  ],
};
const fieldsOf = (choices: Parameters<typeof fieldOf>[1]) => check.columns.map((column) => fieldOf(column, choices));

describe('the mapping of columns', () => {
  it('is the detected one until the user changes it', () => {
    expect(fieldsOf({})).toEqual(['url', 'dr', 'none']);
    expect(fieldsOf({ 2: 'da' })).toEqual(['url', 'dr', 'da']);
  });

  it('assigns a field to one column, and unassigns its previous column', () => {
    expect(fieldsOf(assignColumn(check, {}, 2, 'dr'))).toEqual(['url', 'none', 'dr']);
    expect(fieldsOf(assignColumn(check, { 2: 'dr', 1: 'none' }, 0, 'dr'))).toEqual(['dr', 'none', 'none']);
    expect(fieldsOf(assignColumn(check, { 1: 'none' }, 2, 'none'))).toEqual(['url', 'none', 'none']);
  });

  it('is formatted for the upload endpoints', () => {
    const choices = assignColumn(check, {}, 2, 'dr');
    expect([...columnChoices.parse(columnsParam(choices))]).toEqual([
      [1, null],
      [2, 'dr'],
    ]);
    expect(columnsParam({})).toBe('');
  });
});
