import type { Reader } from '../../db/snapshot';
import { currencyDecimals, toDecimalString } from '../money';
import { providerNames } from '../payments/names';
import { csvLine } from '../sites/csv-line';
import { listLinesAfter, type SettlementLine } from './queries';
import type { SettlementFilter } from './schemas';

const batchSize = 1_000;

/** A number for spreadsheets, also below zero. */
const amount = (minor: number, { currency }: SettlementLine) =>
  Number(toDecimalString(minor, currencyDecimals(currency)));

const columns: readonly [header: string, cell: (line: SettlementLine) => string | number | null][] = [
  ['Time (UTC)', (line) => line.occurredAt.toISOString()],
  ['Provider', (line) => providerNames[line.provider]],
  ['Mode', (line) => line.mode],
  ['Type', (line) => line.type],
  ['Provider type', (line) => line.providerType],
  ['Reference', (line) => line.reference],
  ['Object', (line) => line.source],
  ['Gross', (line) => amount(line.grossMinor, line)],
  ['Fee', (line) => amount(line.feeMinor, line)],
  ['Net', (line) => amount(line.netMinor, line)],
  ['Of other shops', (line) => amount(line.passedMinor, line)],
  ['Currency', (line) => line.currency],
  ['Available on', (line) => line.availableOn?.toISOString() ?? null],
  ['Top-up', (line) => line.topupId],
  ['Outcome', (line) => line.outcome],
  ['Reason', (line) => line.reason],
];

/** The lines of the statements as CSV (RFC 4180), newest first, piece by piece. */
export async function* exportSettlement(filter: SettlementFilter, on?: Reader): AsyncGenerator<string> {
  // The mark tells spreadsheets that this is UTF-8.
  yield `\uFEFF${csvLine(columns.map(([header]) => header))}`;
  let rows: SettlementLine[] = [];
  do {
    rows = await listLinesAfter(filter, rows.at(-1) ?? null, batchSize, on);
    if (rows.length > 0) yield rows.map((line) => csvLine(columns.map(([, cell]) => cell(line)))).join('');
  } while (rows.length === batchSize);
}
