'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { providerForms, secretMask } from '@/lib/payments/config/fields';
import { configWarnings } from '@/lib/payments/config/warnings';
import { type ConfigValues, changedValues, configPath, type ModeForm } from './config-values';

type ProviderFormOptions = {
  provider: PaymentProviderName;
  activeMode: ProviderMode | null;
  /** The mode whose values are shown. */
  mode: ProviderMode;
  stored: ModeForm;
  /** What going live removes from wallets, in USD cents. */
  testCreditsCents: number;
};

/** What is typed into one mode's form, what of it is new, and its saving. A failed one loses nothing. */
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
  /** Another mode is in force: the admin decides whether this one takes its place. */
  const isOtherMode = activeMode !== null && mode !== activeMode;
  const putsInForce = activeMode === null || (isOtherMode && putInForce);

  // Somebody else saved meanwhile, or we did: what nobody typed into follows.
  const [followed, setFollowed] = useState(stored.values);
  if (JSON.stringify(stored.values) !== JSON.stringify(followed)) {
    setFollowed(stored.values);
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

  /** Throws for the dialog, which shows why; the list behind it is read again. */
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
    /** The server's words; '' when it sent none, null when all is well. */
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
    /** Going live waits for the admin to confirm what it removes from wallets. */
    confirming,
    setConfirming,
    goLive,
  };
}

/** A secret that was typed shows as stored now, and is in nobody's page any more. */
function afterSaving(provider: PaymentProviderName, values: ConfigValues): ConfigValues {
  const secrets = new Set(providerForms[provider].fields.filter((field) => field.isSecret).map((field) => field.name));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      secrets.has(name) && value !== '' ? secretMask : value.trim(),
    ]),
  );
}
