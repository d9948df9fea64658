import { closeDb } from '@/db/client';
import { type BooksReport, verifyBooks } from '@/lib/ledger/verify-books';
import { runCommand } from './process/lifetime';
import { useEnvironment } from './services/use-environment';

/** `npm run books:verify`: verifies the ledger from its rows. Exits with 1 on a difference. */
runCommand(async (lifetime) => {
  await useEnvironment(lifetime);
  const report = await lifetime.own(verifyBooks(), () => closeDb());
  process.stdout.write(print(report));
  await lifetime.end(report.isSound ? 0 : 1);
});

function print({ checks, totals, isSound }: BooksReport): string {
  const width = Math.max(...checks.map(({ name }) => name.length)) + 2;
  const lines = checks.map(({ name, broken, sample }) => {
    const found = broken === 0 ? 'ok' : `${broken} failed, e.g. ${sample}`;
    return `  ${name.padEnd(width)}${found}`;
  });
  const sums = totals.map(
    ({ kind, currency, balanceCents }) =>
      `  ${kind.padEnd(width)}${(balanceCents / 100).toFixed(2).padStart(16)} ${currency}`,
  );
  const verdict = isSound ? 'The books balance.' : 'The books do not balance: see the lines above.';
  return ['Checks', ...checksOrNone(lines), '', 'Sums', ...checksOrNone(sums), '', verdict, ''].join('\n');
}

function checksOrNone(lines: string[]): string[] {
  return lines.length > 0 ? lines : ['  none yet'];
}
