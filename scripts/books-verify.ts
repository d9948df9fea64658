import { parseArgs } from 'node:util';
import { closeDb } from '@/db/client';
import { systemActor } from '@/lib/access/actor';
import { runProof } from '@/lib/ledger/prove-books';
import type { BookCheck, BooksReport } from '@/lib/ledger/verify-books';
import { runCommand } from './process/lifetime';
import { useEnvironment } from './services/use-environment';

const nameWidth = 80;

/**
 * `npm run books:verify [-- --all]`: verifies what is new in the ledger since the last sound verification, or everything:
 * with --all, and unless the last verification of everything was sound. Prints each check when it ran. Exits with 1 on a
 * difference.
 */
runCommand(async (lifetime) => {
  const { values } = parseArgs({ options: { all: { type: 'boolean' } } });
  await useEnvironment(lifetime);
  process.stdout.write('Checks\n');
  const proof = runProof(systemActor('books:verify', 'script'), {
    isWhole: values.all ?? false,
    onChecks: (checks) => {
      process.stdout.write(checks.map(printCheck).join(''));
    },
  });
  const { report, isWhole } = await lifetime.own(proof, () => closeDb());
  process.stdout.write(printSums(report, isWhole));
  await lifetime.end(report.isSound ? 0 : 1);
});

function printCheck({ name, broken, sample }: BookCheck): string {
  return `  ${name.padEnd(nameWidth)}${broken === 0 ? 'ok' : `${broken} failed, e.g. ${sample}`}\n`;
}

function printSums({ totals, isSound }: BooksReport, isWhole: boolean): string {
  const sums = totals.map(
    ({ kind, currency, balanceCents }) =>
      `  ${kind.padEnd(nameWidth)}${(balanceCents / 100).toFixed(2).padStart(16)} ${currency}`,
  );
  const covered = isWhole
    ? 'Everything was verified.'
    : 'Only what is new since the last verification was verified: --all verifies everything.';
  const verdict = isSound ? 'The books balance.' : 'The books do not balance: see the lines above.';
  return ['', 'Sums', ...(sums.length > 0 ? sums : ['  none yet']), '', covered, verdict, ''].join('\n');
}
