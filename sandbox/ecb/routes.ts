import type { Route } from '@/sandbox/http/router';

/** Units for one euro, of the currencies of the bank's file. Those of prices give the rates of the demo. */
const perEuro = {
  ...{ USD: '1.0850', GBP: '0.85433', AUD: '1.6565', CAD: '1.4863', INR: '91.1765', CNY: '7.7666' },
  ...{ BRL: '6.1420', CHF: '0.9365', CZK: '24.305', DKK: '7.4690', HKD: '8.4540', HUF: '385.20', IDR: '17925.40' },
  ...{ ILS: '3.9120', ISK: '141.30', JPY: '172.40', KRW: '1585.30', MXN: '20.1240', MYR: '4.5820', NOK: '11.7420' },
  ...{ NZD: '1.8815', PHP: '63.520', PLN: '4.2535', RON: '5.0890', SEK: '10.9620', SGD: '1.3985', THB: '35.120' },
  ...{ TRY: '45.6250', ZAR: '19.2430' },
};

/** Serves the European Central Bank's daily file, of the last business day. */
export const ecbRoutes: readonly Route[] = [
  [
    'GET',
    '/stats/eurofxref/eurofxref-daily.xml',
    () => ({ status: 200, headers: { 'content-type': 'text/xml; charset=utf-8' }, body: dailyFile(new Date()) }),
  ],
];

function dailyFile(now: Date): string {
  const day = new Date(now);
  while (day.getUTCDay() % 6 === 0) day.setUTCDate(day.getUTCDate() - 1);
  const rates = Object.entries(perEuro).map(
    ([currency, rate]) => `\t\t\t<Cube currency='${currency}' rate='${rate}'/>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">',
    '\t<gesmes:subject>Reference rates</gesmes:subject>',
    '\t<Cube>',
    `\t\t<Cube time='${day.toISOString().slice(0, 10)}'>`,
    ...rates,
    '\t\t</Cube>',
    '\t</Cube>',
    '</gesmes:Envelope>',
  ].join('\n');
}
