import { route } from '@/lib/auth/route';
import { getProviderSettings, providerConfigView } from '@/lib/payments/config/admin-config';
import {
  configBody,
  configChangeQuery,
  configQuery,
  parseMode,
  providerConfigResponse,
  providerParams,
  savedProviderConfigResponse,
} from '@/lib/payments/config/contract';
import { updateProviderConfig } from '@/lib/payments/config/update-config';

/** Returns settings without secrets: `has_*` flags, and a mask for form fields. `?mode=` selects the mode. */
export const GET = route(
  {
    access: 'ManagePayments',
    summary: "Returns a payment provider's settings, without its secrets.",
    response: providerConfigResponse,
    params: providerParams,
    query: configQuery,
  },
  async ({ params, query }) =>
    providerConfigView(await getProviderSettings(params.provider), parseMode(params.provider, query.mode)),
);

/** Updates the given fields; the mask keeps a stored secret. Returns the new state, and warnings that do not block. */
export const PUT = route(
  {
    access: 'ManagePayments',
    recentAuthentication: true,
    summary: "Updates a payment provider's settings.",
    description:
      'Send only changed fields; ******** keeps the stored secret. Going live removes the credit from test payments: repeat the request with reverseTestCreditsCents, the sum stated in the conflict, to confirm it.',
    response: savedProviderConfigResponse,
    errors: ['conflict'],
    params: providerParams,
    query: configChangeQuery,
    body: configBody,
  },
  async ({ actor, params, query, body }) => {
    const { settings, mode, warnings } = await updateProviderConfig(
      actor,
      params.provider,
      body,
      query.mode,
      query.reverseTestCreditsCents,
    );
    return { ...providerConfigView(settings, mode), warnings };
  },
);
