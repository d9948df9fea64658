import fc from 'fast-check';
import Papa from 'papaparse';
import { expect, it } from 'vitest';
import { buildPain001, buildPayoutCsv } from '@/lib/payouts/bank/payout-files';
import { batch, batches } from './bank-batches';

const read = (csv: string) => Papa.parse<Record<string, string>>(csv.trimEnd(), { header: true }).data;

it('a CSV file has a line for each payout', () => {
  expect(read(buildPayoutCsv(batch))).toEqual([
    {
      message_id: '01KAR6V9M3W0C2QHN4E5T6Y7ZA',
      end_to_end_id: '01KAR6V9M3W0C2QHN4E5T6Y7Z1',
      execution_date: '2026-11-25',
      amount: '123.45',
      currency: 'EUR',
      holder: "Muller + Sohne 'Links' GmbH",
      address_line_1: 'Grosse Strasse 1',
      address_line_2: '',
      postal_code: '10115',
      town: 'Berlin',
      country: 'DE',
      format: 'iban',
      iban: 'DE89370400440532013000',
      bic: '',
      account_number: '',
      routing_number: '',
      account_type: '',
      remittance: 'Payout No1 - Grusse',
    },
    expect.objectContaining({
      format: 'account',
      iban: '',
      account_number: '00012345678',
      routing_number: '021000021',
      account_type: 'savings',
    }),
  ]);
});

it('a CSV file starts no formula', () => {
  const hostile = batch.payouts.map((payout) => ({
    ...payout,
    details: { ...payout.details, holder: '=cmd|A1', town: '＋1' },
    remittance: '+1,"2"',
  }));
  const [line] = read(buildPayoutCsv({ ...batch, payouts: hostile }));
  expect(line).toMatchObject({ holder: '.cmd/A1', town: "'+1", remittance: "'+1,'2'" });
});

it('any CSV file has the payouts and texts of the pain.001 file', () => {
  fc.assert(
    fc.property(batches, (any) => {
      const lines = read(buildPayoutCsv(any));
      const document = buildPain001(any);
      expect(lines.map(({ end_to_end_id }) => end_to_end_id)).toEqual(any.payouts.map(({ endToEndId }) => endToEndId));
      for (const { end_to_end_id, amount, iban, account_number } of lines) {
        expect(document).toContain(`<EndToEndId>${end_to_end_id}</EndToEndId>`);
        expect(document).toContain(`>${amount}</InstdAmt>`);
        expect(document).toContain(iban ? `<IBAN>${iban}</IBAN>` : `<Id>${account_number}</Id>`);
      }
      for (const cell of lines.flatMap((line) => Object.values(line))) expect(cell).not.toMatch(/^\s*[=+\-@\t\r]/);
    }),
    { numRuns: 50 },
  );
});

it('a CSV file is refused for a batch that no bank accepts', () => {
  expect(() => buildPayoutCsv({ ...batch, payouts: [] })).toThrow(/no payouts/);
});
