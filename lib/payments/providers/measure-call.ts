import type { PaymentProviderName } from '@/db/schema/topups';
import { countProviderCall } from '@/lib/platform/metrics/process-metrics';
import { isOutage, ProviderError } from './provider';

/**
 * Makes a call of a provider and counts it for /api/metrics by its outcome: `failed` if other calls would fail as well,
 * e.g. without an answer, with an invalid key or at a rate limit; `refused` if the provider rejected this request.
 */
export async function measureCall<T>(provider: PaymentProviderName, call: () => Promise<T>): Promise<T> {
  try {
    const result = await call();
    countProviderCall(provider, 'ok');
    return result;
  } catch (thrown) {
    const isRefusal = thrown instanceof ProviderError && !isOutage(thrown);
    countProviderCall(provider, isRefusal ? 'refused' : 'failed');
    throw thrown;
  }
}
