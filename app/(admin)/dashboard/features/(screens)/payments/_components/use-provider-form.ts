'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { configWarnings, providerForms, secretMask } from '@/lib/payments/config/fields';
import { type ConfigValues, changedValues, configPath, type ModeForm } from './provider-fields';

type ProviderFormOptions = {
  provider: PaymentProviderName;
  activeMode: ProviderMode | null;
  /** The displayed mode. */
  mode: ProviderMode;
  stored: ModeForm;
  /** The amount that going live removes from wallets, in USD cents. */
  testCreditsCents: number;
};

/** Manages the form of one mode: its values, its changes and saving. A failed save keeps the values. */
export function useProviderForm({ provider, activeMode, mode, stored, testCreditsCents }: ProviderFormOptions) {
  const router = useRouter();
  const [base, setBase] = useState(stored.values);
  const [values, setValues] = useState(stored.values);
  const [putInForce, setPutInForce] = useState(true);
  const [pending, setPending] = useState(false);
  const [fields, setFields] = useState<Record<string, string>>({});
  const [error, setError] = useState<string | null>(null);
  const [confirming, setConfirming] = useState(false);
  const changed = changedValues(base, values);
  /** Another mode is active. The admin chooses whether saving activates this one. */
  const isOtherMode = activeMode !== null && mode !== activeMode;
  const putsInForce = activeMode === null || (isOtherMode && putInForce);

  // The stored values changed. Fields without edits take the new values.
  const [lastStored, setLastStored] = useState(stored.values);
  if (JSON.stringify(stored.values) !== JSON.stringify(lastStored)) {
    setLastStored(stored.values);
    setBase(stored.values);
    setValues({ ...stored.values, ...changed });
  }

  const send = async (reverseTestCreditsCents?: number) => {
    const confirmed =
      reverseTestCreditsCents === undefined ? '' : `&reverseTestCreditsCents=${reverseTestCreditsCents}`;
    await apiFetch(`${configPath(provider, mode)}${confirmed}`, {
      method: 'PUT',
      body: { ...changed, ...(putsInForce && { mode }) },
    });
    const saved = afterSaving(provider, values);
    setBase(saved);
    setValues(saved);
    toast.success('Saved');
    router.refresh();
  };

  /**
   * Activates live mode. Refreshes the page on failure.
   * @throws Error that the dialog displays
   */
  const goLive = async () => {
    try {
      await send(testCreditsCents);
    } catch (cause) {
      router.refresh();
      throw cause;
    }
  };

  const save = async () => {
    if (putsInForce && mode === 'live' && testCreditsCents > 0) return setConfirming(true);
    setPending(true);
    setFields({});
    setError(null);
    try {
      await send();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setFields(cause.fields);
      setError(cause.message);
    } finally {
      setPending(false);
    }
  };

  return {
    values,
    fields,
    /** The server's message; '' if the error has no message, null if there is no error. */
    error,
    pending,
    isOtherMode,
    putInForce,
    setPutInForce,
    isDirty: Object.keys(changed).length > 0,
    canSave: Object.keys(changed).length > 0 || (isOtherMode && putInForce),
    warnings: configWarnings(provider, mode, values),
    change: (name: string, value: string) => {
      setValues({ ...values, [name]: value });
      setFields(({ [name]: _mended, ...others }) => others);
    },
    save,
    /** Whether the confirmation for going live is open, which lists what it removes from wallets. */
    confirming,
    setConfirming,
    goLive,
  };
}

/** Replaces saved secrets with the mask, which removes them from the page's memory. */
function afterSaving(provider: PaymentProviderName, values: ConfigValues): ConfigValues {
  const secrets = new Set(providerForms[provider].fields.filter((field) => field.isSecret).map((field) => field.name));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      secrets.has(name) && value !== '' ? secretMask : value.trim(),
    ]),
  );
}
