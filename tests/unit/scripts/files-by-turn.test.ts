import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { filesByTurn, outOfTurn } from '@/scripts/testing/files-by-turn';

it('each file that runs by turn exists, and what protects its rules meanwhile is in every run', () => {
  const protectors = Object.values(filesByTurn).map((files) => files.split(' '));
  expect(protectors.filter((files) => files.length === 0)).toEqual([]);
  const named = [...Object.keys(filesByTurn), ...protectors.flat()];
  expect(named.filter((file) => !existsSync(file))).toEqual([]);
  expect(protectors.flat().filter((file) => file in filesByTurn || file.includes('.full.'))).toEqual([]);
  expect(outOfTurn.filter((file) => !(file in filesByTurn))).toEqual([]);
});
