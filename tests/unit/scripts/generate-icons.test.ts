import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeIcons } from '@/scripts/build/generate-icons';

it('the sheet of icons has every icon', () => {
  expect(readFileSync('components/ui/icons.svg', 'utf8')).toBe(describeIcons());
});
