import { z } from 'zod';
import { json } from '@/sandbox/http/reply';
import { readFields } from '@/sandbox/http/request';
import type { Route } from '@/sandbox/http/router';

/** The body of a check; unknown fields, such as the trader's name to compare, are ignored. */
const checkBody = z.object({
  countryCode: z.string().min(2),
  vatNumber: z.string().min(2),
  requesterMemberStateCode: z.string().optional(),
  requesterNumber: z.string().optional(),
});

const slowMs = 20_000;

/** Member states that disclose no name and no address. */
const silentCountries = ['DE', 'ES'];

const refuse = (error: string) => json(200, { actionSucceed: false, errorWrappers: [{ error }] });

/** Answers as VIES publishes it (https://ec.europa.eu/assets/taxud/vow-information/swagger_publicVAT.yaml). */
export const viesRoutes: readonly Route[] = [
  [
    'POST',
    '/taxation_customs/vies/rest-api/check-vat-number',
    (request) => {
      const parsed = checkBody.safeParse(readFields(request));
      if (!parsed.success) return json(400, { actionSucceed: false, errorWrappers: [{ error: 'INVALID_INPUT' }] });
      const { countryCode, vatNumber, requesterMemberStateCode, requesterNumber } = parsed.data;
      const [digits = ''] = vatNumber.replace(/\D/g, '').match(/\d{3}$/) ?? [];
      if (digits === '111') return refuse('MS_UNAVAILABLE');
      const isRequesterKnown = Boolean(requesterMemberStateCode && requesterNumber);
      if (isRequesterKnown && requesterNumber?.endsWith('000')) return refuse('INVALID_REQUESTER_INFO');
      const valid = digits !== '000';
      const isNamed = valid && !silentCountries.includes(countryCode);
      const reply = json(200, {
        countryCode,
        vatNumber,
        requestDate: new Date().toISOString(),
        valid,
        requestIdentifier: isRequesterKnown ? `WAPIAAAA${Date.now().toString(36).toUpperCase()}` : '',
        name: isNamed ? `Sandbox ${countryCode} ${vatNumber}` : '---',
        address: isNamed ? `1 Sandbox Street, ${countryCode}` : '---',
        ...{ traderName: '---', traderStreet: '---', traderPostalCode: '---', traderCity: '---' },
        ...{ traderCompanyType: '---', traderNameMatch: 'NOT_PROCESSED', traderStreetMatch: 'NOT_PROCESSED' },
        ...{ traderPostalCodeMatch: 'NOT_PROCESSED', traderCityMatch: 'NOT_PROCESSED' },
        traderCompanyTypeMatch: 'NOT_PROCESSED',
      });
      return digits === '222' ? { ...reply, delayMs: slowMs } : reply;
    },
  ],
];
